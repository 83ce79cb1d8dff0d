// Batches in order, epoch after epoch, from the current place of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/config.h"
#include "text/batch.h"
#include "train/run.h"

namespace tt {

class BatchStream {
 public:
  // Keeps a reference to the corpus.
  BatchStream(const ParallelCorpus& corpus, const Config& config);

  // Checks that the state's place refers to this corpus and these batches. If they have changed
  // since it was saved, the rest of its epoch is meaningless, and the place becomes the start of
  // the next epoch. Returns a message about that, or an empty text.
  std::string find_place(RunState& state);

  // Appends the shards of the next batch and moves the place on.
  void next(RunState& state, std::vector<Batch>& shards);

  // The current place, in epochs.
  double place(const RunState& state) const;

 private:
  void open(std::int64_t epoch);
  const ParallelCorpus& corpus_;
  BatchOptions options_;
  std::optional<Epoch> epoch_;
  std::int64_t number_ = -1, batches_ = 0;
};

}  // namespace tt
