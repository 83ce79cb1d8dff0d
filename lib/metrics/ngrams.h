// Counting the n-grams that two texts share, without forming any.
//
// Texts are sequences of small numbers. N-grams of order n are numbered by pairs (number of the
// (n-1)-gram they begin with, last symbol): equal n-grams, and no others, have equal numbers, so
// counts are exact. An n-gram can be shared only if both (n-1)-grams in it are, so positions
// without a match drop out early, and high orders cost little.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tt::metrics {

// Numbers strings 0, 1, 2, ... in order of first occurrence.
class Numbering {
 public:
  Numbering();
  void clear();  // forgets all; the views given to number() are no longer needed
  std::uint32_t number(std::string_view text);  // keeps the view
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t age = 0, number = 0;
  };
  void grow();

  std::vector<Entry> table_;  // a power of two; entries of an older age are free
  std::vector<std::string_view> texts_;
  std::uint32_t age_ = 1;
};

// Numbers code points 0, 1, 2, ... in order of first occurrence.
class CharacterNumbering {
 public:
  CharacterNumbering() : pages_(0x110000 >> 8) {}
  void clear();
  std::uint32_t number(char32_t c);  // Requires c <= U+10FFFF.
  std::uint32_t size() const { return size_; }

 private:
  struct Entry {
    std::uint32_t age = 0, number = 0;
  };
  std::vector<std::vector<Entry>> pages_;
  std::uint32_t age_ = 1, size_ = 0;
};

// Numbers pairs of numbers: a table with an entry for each possible pair if that is small,
// otherwise a hash table.
class PairNumbering {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Forgets all. Requires that future pairs (a, b) have a < `first` and b < `second`, and that at
  // most `most` of them differ.
  void clear(std::size_t first, std::size_t second, std::size_t most);
  // The number of a pair; a new pair gets the next number, and size() grows.
  std::uint32_t number(std::uint32_t a, std::uint32_t b);
  // The number of a pair, or kNone.
  std::uint32_t find(std::uint32_t a, std::uint32_t b);
  std::uint32_t size() const { return size_; }

 private:
  struct Entry {
    std::uint64_t pair = 0;
    std::uint32_t value = 0;
  };
  std::uint32_t& place(std::uint32_t a, std::uint32_t b);

  // A stored value is base_ + number; values below base_ are older than the last clear().
  std::vector<std::uint32_t> direct_;
  std::vector<Entry> hashed_;
  std::size_t second_ = 0;
  bool is_direct_ = true;
  std::uint32_t base_ = 1, size_ = 0;
};

// The positions of a text, ascending, whose n-gram of some order is of interest, and the numbers of
// these n-grams.
struct NgramPositions {
  std::span<const std::uint32_t> text;
  std::vector<std::uint32_t> at, ngram;

  // All positions of a text, with its symbols, the n-grams of order 1.
  void begin(std::span<const std::uint32_t> whole);
  // Advances to `order`: where n-grams of the previous order are at a position and at the next one,
  // calls number(first of the two, last symbol of the new n-gram), and keeps the position with the
  // result unless that is PairNumbering::kNone.
  template <class Number>
  void extend(std::size_t order, Number number) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      if (at[i + 1] != at[i] + 1) continue;
      const std::uint32_t found = number(ngram[i], text[at[i] + order - 1]);
      at[kept] = at[i], ngram[kept] = found;
      kept += found != PairNumbering::kNone;
    }
    at.resize(kept), ngram.resize(kept);
  }
  // Keeps the positions for whose n-gram keep() is true.
  template <class Keep>
  void keep_if(Keep keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[kept] = at[i], ngram[kept] = ngram[i];
      kept += keep(ngram[i]);
    }
    at.resize(kept), ngram.resize(kept);
  }
};

class NgramMatcher {
 public:
  // Sets matches[n-1] to the number of n-grams of `hypothesis` found in the references, each
  // counted at most as often as it occurs in any single reference, for n = 1 .. matches.size().
  // Requires all numbers < `symbols`.
  void match(std::span<const std::uint32_t> hypothesis,
             std::span<const std::vector<std::uint32_t>> references, std::uint32_t symbols,
             std::span<std::int32_t> matches);

 private:
  // Where an n-gram of the previous order is shared.
  std::vector<NgramPositions> references_;
  NgramPositions hypothesis_;
  PairNumbering pairs_;
  // By n-gram number: its largest count in any reference, and its counts in the current reference
  // and in the hypothesis.
  std::vector<std::int32_t> available_, here_, used_;
};

}  // namespace tt::metrics
