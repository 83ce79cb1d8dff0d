// Batches in order, epoch after epoch, from the place where a run stands.
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

  // Makes sure that the state's place is one of this corpus and these batches. Where they are others than those it was saved with, the
  // rest of its epoch means nothing: the place becomes the beginning of the next. Returns what to say about that, or nothing.
  std::string find_place(RunState& state) const;

  // Appends the shards of the next batch and moves the place on.
  void next(RunState& state, std::vector<Batch>& shards);

  // Where training stands, in epochs.
  double place(const RunState& state) const;

 private:
  const ParallelCorpus& corpus_;
  BatchOptions options_;
  std::optional<Epoch> epoch_;
  std::int64_t number_ = -1, batches_ = 0;
};

}  // namespace tt
