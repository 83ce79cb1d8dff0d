// Several ranks that train one model: what they must have in common, and what rank 0 gives the
// others.
#pragma once

#include "base/ranks.h"
#include "model/model.h"
#include "train/inputs.h"
#include "train/run.h"
#include "train/updater.h"

namespace tt {

class Replicas {
 public:
  // Keeps references to both.
  Replicas(const Ranks& ranks, const Backend& backend) : ranks_(ranks), backend_(backend) {}

  // Throws Error on every rank unless all were given the same settings and subword models, files
  // that all can read, and shards for each.
  void check(const Config& config, const TrainingInputs& inputs, const SubwordPair& subwords) const;
  // Throws Error on every rank unless all have the same parameters, so that none of two models is
  // saved.
  void check(const Model& model) const;

  // Each becomes that of rank 0: the state; the model with its average and the optimiser's arrays.
  void share(RunState& state) const;
  void share(Model& model, const Updater& updater) const;

 private:
  void share(float* at, std::int64_t size) const;
  const Ranks& ranks_;
  const Backend& backend_;
};

}  // namespace tt
