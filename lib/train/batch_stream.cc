#include "train/batch_stream.h"

namespace tt {

BatchStream::BatchStream(const ParallelCorpus& corpus, const Config& config)
    : corpus_(corpus), options_{config.tokens, config.shards, config.seed, config.source_eos} {}

void BatchStream::open(std::int64_t epoch) {
  if (epoch_ && number_ == epoch) return;
  epoch_.emplace(corpus_, options_, epoch);
  number_ = epoch;
  batches_ = epoch_->batches();
}

std::string BatchStream::find_place(RunState& state) {
  const std::string corpus =
      std::to_string(corpus_.size()) + " pairs, " + std::to_string(corpus_.fingerprint());
  const std::string batching =
      "tokens " + std::to_string(options_.tokens) + ", seed " + std::to_string(options_.seed);
  const bool known = !state.corpus.empty() && !state.batching.empty();
  const bool other_corpus = known && state.corpus != corpus,
             other_batches = known && state.batching != batching;
  state.corpus = corpus;
  state.batching = batching;
  open(state.epoch);
  const bool beyond =
      state.batch > 0 &&
      state.batch >= batches_;  // of another version of this program, if all is as it was
  if (!other_corpus && !other_batches && !beyond) return "";
  std::string what = known && !other_corpus ? "the batches have changed" : "the corpus has changed";
  if (state.batch == 0) return what;
  ++state.epoch;
  state.batch = 0;
  open(state.epoch);
  return what + "; continuing with epoch " + std::to_string(state.epoch + 1);
}

void BatchStream::next(RunState& state, std::vector<Batch>& shards) {
  open(state.epoch);
  for (Batch& shard : epoch_->shards(state.batch)) shards.push_back(std::move(shard));
  if (++state.batch == batches_) ++state.epoch, state.batch = 0;
}

double BatchStream::place(const RunState& state) const {
  return static_cast<double>(state.epoch) +
         (batches_ ? static_cast<double>(state.batch) / static_cast<double>(batches_) : 0);
}

}  // namespace tt
