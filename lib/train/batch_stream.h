// Batches in order, epoch after epoch, from the current place of a run, as updates read them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "model/config.h"
#include "text/batch.h"
#include "text/subword_regularization.h"
#include "text/upper_case.h"
#include "train/inputs.h"
#include "train/run.h"

namespace tt {

// How an update reads the text of a batch: now and then in capitals, in pieces that are cut anew,
// and, where two views of it are compared, twice.
class Respelling {
 public:
  // Throws Error if the subword models cannot have what the settings say.
  Respelling(const SubwordPair& subwords, const Config& config);

  void apply(Batch& batch, std::int64_t update) const;
  const std::vector<std::string>& remarks() const { return capitals_.remarks(); }

  // How many times as long as the largest batches of some updates those of all become.
  static double growth(const TrainingSettings& settings);

 private:
  UpperCase capitals_;
  SubwordRegularization cut_;
  bool twice_;
};

// The batches that updates are made of.
BatchOptions batch_options(const Config& config);

class BatchStream {
 public:
  // Keeps references to the first three.
  BatchStream(const ParallelCorpus& corpus, const Respelling& respelling, ThreadPool& pool,
              const Config& config)
      : corpus_(corpus), respelling_(respelling), pool_(pool), options_(batch_options(config)),
        accumulate_(config.accumulate) {}

  // Checks that the state's place refers to this corpus and these batches. If they have changed
  // since it was saved, the rest of its epoch is meaningless, and the place becomes the start of
  // the next epoch. Returns a message about that, or an empty text.
  std::string find_place(RunState& state);

  // The shards of the update after the state's, whose place moves on. They live until the next
  // call.
  std::span<const Batch> next(RunState& state);
  // Prepares what next() will return.
  void read_ahead(const RunState& state);

  // The current place, in epochs.
  double place(const RunState& state) const;

 private:
  void open(std::int64_t epoch);

  const ParallelCorpus& corpus_;
  const Respelling& respelling_;
  ThreadPool& pool_;
  BatchOptions options_;
  int accumulate_;
  std::optional<Epoch> epoch_;
  std::int64_t number_ = -1, batches_ = 0;
  std::vector<Batch> shards_, ahead_;               // of an update and, prepared, of the next
  std::int64_t epoch_ahead_ = 0, batch_ahead_ = 0;  // the place behind that
};

}  // namespace tt
