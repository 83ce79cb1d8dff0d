// Batches as packed rows: the tokens of all sentences one after another, without padding.
//
// Batches group sentences of similar length, in a different order every epoch: sentences are
// shuffled, sorted by target length, those of equal target length by source length, cut into
// batches with a limited number of rows on either side, and the batches are shuffled. A batch is
// cut into a fixed number of shards, each computed separately (one per thread or process).
//
// Invariants: every sentence is in exactly one batch of an epoch, or, if the corpus has weights, in
// as many as these say. A batch holds at most `tokens` source rows and `tokens` target rows, unless
// it is a single longer sentence. Everything is a function of the lengths and weights in the
// corpus, the options and the epoch number, so training can resume from (epoch, batch) as if it had
// never stopped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/corpus.h"
#include "text/links.h"

namespace tt {

// One side of B sentences: sentence b is rows [offsets[b], offsets[b + 1]) of `tokens`.
struct Sequences {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> offsets{0};  // B + 1

  std::int64_t rows() const { return static_cast<std::int64_t>(tokens.size()); }
};

// Which source rows each target row is linked to: those of target row t are
// sources[begins[t]] ... sources[begins[t + 1] - 1].
struct RowLinks {
  std::vector<std::int32_t> begins;  // T + 1; empty: there are none
  std::vector<std::int32_t> sources;

  bool empty() const { return sources.empty(); }
  std::int64_t linked_rows() const;  // target rows that have any
};

struct Batch {
  Sequences source;                     // x_1 ... x_n </s>
  Sequences target_in;                  // <s> y_1 ... y_m
  Sequences target_out;                 // y_1 ... y_m </s>, with the same offsets
  RowLinks links;                       // of target_out
  std::vector<std::int64_t> sentences;  // B numbers in the corpus
  bool twice = false;  // the second half of the sentences are the first half once more

  std::int64_t size() const { return static_cast<std::int64_t>(sentences.size()); }
};

// The decoder input for the output `out`: every sentence preceded by `bos`, without its last piece.
// Requires non-empty sentences.
Sequences shifted(const Sequences& out, std::int32_t bos);

// Ends the sentence whose tokens have been appended; and a whole one. There may be 2^31 - 1 tokens
// on a side.
void end_sentence(Sequences& side);
void append(Sequences& side, std::span<const std::int32_t> sentence);

// The links of the sentence whose pieces were appended last to both sides. Requires them in order.
void append_links(Batch& batch, std::span<const TokenLink> links);
// And of sentence b, its pieces counted from 0.
std::vector<TokenLink> links_of(const Batch& batch, std::size_t b);

// The given sentences in the given order; each target_in begins with `bos`. Without `source_eos`
// the </s> of a source that has anything else is left out. Requires that they are in the corpus.
Batch make_batch(const ParallelCorpus& corpus, std::span<const std::int64_t> sentences,
                 std::int32_t bos, bool source_eos = true);

// All sentences of the batch, and then all of them once more: dropout differs, since it is drawn by
// rows.
Batch twice(const Batch& batch);

// The numbers of sentences of these lengths, from the longest on, in batches of at most `most`
// tokens, or of a longer sentence alone. One of length 0 is in none.
std::vector<std::vector<std::size_t>> batches_by_length(std::span<const std::size_t> lengths,
                                                        std::size_t most);

struct BatchOptions {
  std::int64_t tokens = 4096;  // maximum number of source rows, and of target rows, in a batch
  int shards = 4;              // parts of a batch
  std::uint64_t seed = 1;
  bool source_eos = true;  // see make_batch()
};

// The batches of one epoch, in order. Takes 4 bytes per pair, and twice that during construction.
class Epoch {
 public:
  // `epoch` counts from 0. Keeps a reference to the corpus. Throws Error if the corpus is empty or
  // has 2^32 pairs or more. Requires tokens >= 1 and shards >= 1.
  Epoch(const ParallelCorpus& corpus, const BatchOptions& options, std::int64_t epoch);

  std::int64_t batches() const { return static_cast<std::int64_t>(order_.size()); }

  // The shards of a batch: exactly options.shards of them, with as equal numbers of rows (source
  // and target) as possible; some are empty if there are fewer sentences than shards. Requires 0 <=
  // batch < batches().
  std::vector<Batch> shards(std::int64_t batch) const;

 private:
  void choose_sentences(std::uint64_t seed, std::int64_t epoch);

  const ParallelCorpus& corpus_;
  int shards_;
  bool source_eos_;
  std::vector<std::uint32_t> sentences_;  // by length
  std::vector<std::uint32_t>
      begins_;                        // start of each batch in sentences_, and the end: batches + 1
  std::vector<std::uint32_t> order_;  // the shuffled numbers of the batches
};

}  // namespace tt
