// Parallel text, stored as piece numbers: no text is kept, and a token takes two bytes if the vocabulary allows it.
//
// Only LF ends a line (base/line_reader.h). Every stored sentence ends with </s>, on both sides, which counts in its length.
// Sentences are numbered from 0 in the order of the files; skipped pairs have no number.
//
// Invariant: the stored data depend on the files, the subword models and max_length, never on threads.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "text/subword.h"

namespace tt {

// The sentences of one language one after another, and where each begins.
class TokenStore {
 public:
  explicit TokenStore(int vocabulary);  // piece numbers are below `vocabulary`

  void append(std::span<const std::int32_t> sentence);
  // A hash of the sentences and their order.
  std::uint64_t fingerprint() const { return hash_; }
  std::int64_t size() const { return static_cast<std::int64_t>(begins_.size()) - 1; }  // sentences
  std::int64_t tokens() const { return static_cast<std::int64_t>(begins_.back()); }
  std::int64_t length(std::int64_t i) const {
    return static_cast<std::int64_t>(begins_[static_cast<std::size_t>(i) + 1] - begins_[static_cast<std::size_t>(i)]);
  }
  void append_to(std::vector<std::int32_t>& tokens, std::int64_t i) const;  // appends sentence i

 private:
  // Deques grow without copying, which would need twice the memory.
  std::variant<std::deque<std::uint16_t>, std::deque<std::uint32_t>> tokens_;
  std::deque<std::uint64_t> begins_{0};  // sentences + 1
  std::uint64_t hash_ = 14695981039346656037u;
};

struct CorpusOptions {
  std::int64_t max_length = 256;  // pieces per side including </s>; longer pairs are skipped
  int threads = 1;
};

class ParallelCorpus {
 public:
  ParallelCorpus(const Subword& source, const Subword& target);

  std::int64_t size() const { return source_.size(); }                            // pairs
  std::int64_t source_length(std::int64_t i) const { return source_.length(i); }  // including </s>, so at least 1
  std::int64_t target_length(std::int64_t i) const { return target_.length(i); }
  std::uint64_t fingerprint() const;
  std::int64_t source_tokens() const { return source_.tokens(); }  // total
  std::int64_t target_tokens() const { return target_.tokens(); }

  // Append sentence i, ending with </s>. Require 0 <= i < size().
  void append_source(std::vector<std::int32_t>& tokens, std::int64_t i) const { source_.append_to(tokens, i); }
  void append_target(std::vector<std::int32_t>& tokens, std::int64_t i) const { target_.append_to(tokens, i); }

  std::int32_t bos() const { return bos_; }  // <s> of the target model

  // How often a pair comes in an epoch: so many times, and where this is no whole number, once more with the chance that is left.
  struct Stretch {
    std::int64_t begin;  // the first pair
    double weight;
  };
  const std::vector<Stretch>& stretches() const { return stretches_; }  // in order; pairs before the first have the weight 1
  // Sets the weight of pairs that are appended from now on.
  void begin_stretch(double weight);

  // Adds a pair; each side must end with </s>.
  void append(std::span<const std::int32_t> source, std::span<const std::int32_t> target);

  std::int64_t empty_pairs = 0;  // skipped because a side has no pieces
  std::int64_t long_pairs = 0;   // skipped because a side is longer than max_length

 private:
  TokenStore source_, target_;
  std::int32_t bos_;
  std::vector<Stretch> stretches_;
};

// Reads a training corpus: two files whose lines correspond, or, if `target_path` is empty, one file of lines "source TAB
// target"; "-" is stdin. Pairs with an empty or too long side are skipped, and say() reports their number. Throws Error if a file
// cannot be read, the files differ in length, a line is not UTF-8 or does not have exactly one TAB, or no pairs are left.
ParallelCorpus read_parallel(const std::string& source_path, const std::string& target_path, const Subword& source,
                             const Subword& target, const CorpusOptions& options);

// The same behind what a corpus has; its pairs get a weight.
void append_parallel(ParallelCorpus& corpus, const std::string& source_path, const std::string& target_path,
                     const Subword& source, const Subword& target, const CorpusOptions& options, double weight = 1);

// A development set: keeps its text, for translation and scoring, and skips no sentence.
struct DevelopmentSet {
  ParallelCorpus corpus;
  std::vector<std::string> source, reference;  // the lines, as many as corpus.size()
};

// Reads a development set, as read_parallel does; options.max_length is not used.
DevelopmentSet read_development(const std::string& source_path, const std::string& target_path, const Subword& source,
                                const Subword& target, const CorpusOptions& options);

}  // namespace tt
