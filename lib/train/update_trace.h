// One update of a run, followed: what tt-train --trace writes of it.
#pragma once

#include <vector>

#include "text/subword.h"
#include "trace/trace.h"
#include "train/inputs.h"
#include "train/updater.h"

namespace tt {

// A sentence of the update as the model reads it before, without dropout; the gradient of a matrix,
// of all the update's sentences, for the first head where it is one of attention; and the step of
// the weight in it whose gradient is the largest. Throws Error of optimisers other than Adam.
class UpdateTrace {
 public:
  UpdateTrace(const Model& model, const Updater& updater, const Backend& backend,
              const SubwordPair& subwords);
  // Before the update is finished.
  void before(std::int64_t update, std::span<const Batch> batches);
  // Behind it; writes FOLDER/trace-UPDATE.jsonl.
  void after(const UpdateResult& result, const std::string& folder);

 private:
  // The numbers of the matrix in an array that has all parameters.
  std::vector<float> matrix(const float* all) const;

  const Model& model_;
  const Updater& updater_;
  const Backend& backend_;
  const SubwordPair& subwords_;
  Param param_;
  std::int64_t columns_ = 0;  // of it that are kept
  Trace trace_;
  std::vector<float> weights_, first_, square_;  // before the update
};

}  // namespace tt
