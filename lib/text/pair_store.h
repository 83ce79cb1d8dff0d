// Pairs of sentences as piece numbers, in memory or in a file.
//
// In a file the tokens stay where they are and are read sentence by sentence, so that of a corpus
// of any size only the lengths, 8 bytes a pair, are in memory. Its layout, little-endian:
//   16 bytes "tt corpus, v. 5\n"; the tokens, of each pair the source before the target and its
//   links, 2 bytes each if both vocabularies allow it and else 4, after the source and after the
//   links 4 bytes of a checksum; the lengths of all sources, then of all targets, and, if there are
//   links, the numbers of those, 4 bytes each; stretches; the note; remarks, a NUL after each; Tail
//   (pair_store.cc), with a checksum of all behind the tokens. A link is two numbers, those of
//   struct TokenLink.
//
// Invariant: the stored data depend on what was appended, not on where they are kept.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "text/links.h"

namespace tt {

class PairStore {
 public:
  // How often a pair comes in an epoch: so many times, and where this is no whole number, once more
  // with the chance that is left.
  struct Stretch {
    std::int64_t begin;  // the first pair
    double weight;
  };

  // How much of a side's text no piece stands for.
  struct Unknown {
    std::int64_t unknown = 0,
                 pieces = 0;   // of so many pieces; those of a space alone, and </s>, do not count
    std::int64_t dropped = 0;  // lines of which normalisation drops characters
  };

  PairStore(int source_vocabulary, int target_vocabulary);  // piece numbers are below them
  ~PairStore();
  PairStore(PairStore&&) noexcept;
  PairStore& operator=(PairStore&&) noexcept;

  // A file as made by seal(), if there is one with this note. Throws Error if there is one that is
  // something else or damaged; damaged tokens are found when they are read.
  static std::optional<PairStore> open(const std::string& path, const std::string& note,
                                       int source_vocabulary, int target_vocabulary);
  // From now on, tokens that are appended are written to a file, which replaces one at `path` when
  // it is sealed. Requires an empty store. Throws Error if the file cannot be written.
  void write_to(const std::string& path);
  // Completes the file, after which nothing may be appended. Throws Error if it cannot be written.
  void seal(const std::string& note);

  // Adds a pair, with links of its pieces. Requires neither side to be empty. Throws Error if the
  // file cannot be written, or if a piece with a link has a number that it cannot hold.
  void append(std::span<const std::int32_t> source, std::span<const std::int32_t> target,
              std::span<const TokenLink> links = {});
  // Sets the weight of pairs that are appended from now on.
  void begin_stretch(double weight);
  // Replaces them.
  void set_stretches(std::vector<Stretch> stretches) { stretches_ = std::move(stretches); }

  std::int64_t size() const { return static_cast<std::int64_t>(source_lengths_.size()); }  // pairs
  std::int64_t source_length(std::int64_t i) const {
    return source_lengths_[static_cast<std::size_t>(i)];
  }
  std::int64_t target_length(std::int64_t i) const {
    return target_lengths_[static_cast<std::size_t>(i)];
  }
  std::int64_t source_tokens() const { return source_tokens_; }  // total
  std::int64_t target_tokens() const { return target_tokens_; }
  const std::vector<Stretch>& stretches() const {
    return stretches_;
  }  // in order; pairs before the first have the weight 1
  // A hash of the sentences, their order and weights.
  std::uint64_t fingerprint() const;

  // Append a sentence of pair i. Require 0 <= i < size(), and that a file was sealed. Throw Error
  // if the file cannot be read, or holds another sentence than was appended.
  void append_source(std::vector<std::int32_t>& tokens, std::int64_t i) const;
  void append_target(std::vector<std::int32_t>& tokens, std::int64_t i) const;
  // Those of pair i.
  std::vector<TokenLink> links(std::int64_t i) const;
  bool has_links() const { return !links_.empty(); }  // whether any pair has some

  // Characters that are not in the store as they were in the text, to be reported whenever it is
  // used: also kept in a file.
  Unknown source_unknown, target_unknown;
  std::vector<std::string> remarks;

 private:
  struct File;
  void add_lengths(std::uint32_t source, std::uint32_t target, std::uint32_t links);
  // Sentences are numbered 2i and 2i + 1, the source and the target of pair i, with its links.
  std::int64_t begin_of(std::int64_t i) const;
  std::int64_t link_numbers(std::int64_t i) const {
    return has_links() ? 2 * std::int64_t{links_[static_cast<std::size_t>(i)]} : 0;
  }
  // Appends `length` numbers from the `first` on, of `all`.
  struct Stored {
    std::int64_t sentence, begin, all, first, length;
    int below;  // the numbers
  };
  void append_stored(std::vector<std::int32_t>& to, const Stored& stored) const;

  int source_vocabulary_, target_vocabulary_;
  // A deque grows without copying, which would need twice the memory.
  std::variant<std::deque<std::uint16_t>, std::deque<std::uint32_t>> tokens_;
  std::unique_ptr<File> file_;  // instead of tokens_
  std::vector<std::uint32_t> source_lengths_, target_lengths_;
  std::vector<std::uint32_t> links_;   // how many; empty as long as no pair has any
  std::vector<std::int64_t> anchors_;  // where every kAnchor-th pair begins
  std::int64_t source_tokens_ = 0, target_tokens_ = 0, all_links_ = 0;
  std::uint64_t source_hash_, target_hash_;
  std::vector<Stretch> stretches_;
};

}  // namespace tt
