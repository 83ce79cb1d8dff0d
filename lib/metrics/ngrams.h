// Counting n-grams that two texts share, without ever forming one.
//
// Texts are sequences of small numbers. The n-grams of order n are numbered by pairs (number of the n-1-gram they begin with,
// last symbol): equal n-grams, and only they, have equal numbers, so a count is exact. An n-gram can only be shared if the two of
// order n-1 that it holds are, so positions drop out as soon as they match nothing, and high orders cost little.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tt::metrics {

// Numbers strings 0, 1, 2, ... in the order they are first seen.
class Numbering {
 public:
  Numbering();
  void clear();                                 // forgets all; the views given to number() may die
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

// Numbers code points 0, 1, 2, ... in the order they are first seen.
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

// Numbers pairs of numbers: a table with a place for each pair while that is small, a hash table beyond.
class PairNumbering {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Forgets all. Requires pairs to come to be (a, b) with a < `first` and b < `second`, at most `most` different ones.
  void clear(std::size_t first, std::size_t second, std::size_t most);
  // The number of a pair, which is new if none was given before; size() grows then.
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

  // A stored value is base_ + number; what is below base_ is left from before a clear().
  std::vector<std::uint32_t> direct_;
  std::vector<Entry> hashed_;
  std::size_t second_ = 0;
  bool is_direct_ = true;
  std::uint32_t base_ = 1, size_ = 0;
};

class NgramMatcher {
 public:
  // matches[n-1] becomes the number of n-grams of `hypothesis` that are found in the references, each counted at most as often as
  // it stands in the reference that has it most often, for n = 1 .. matches.size(). Requires all numbers < `symbols`.
  void match(std::span<const std::uint32_t> hypothesis, std::span<const std::vector<std::uint32_t>> references,
             std::uint32_t symbols, std::span<std::int32_t> matches);

 private:
  // Positions of a text, ascending, whose n-gram of the order before is shared, and its number.
  struct Positions {
    std::span<const std::uint32_t> text;
    std::vector<std::uint32_t> at, ngram;
    void begin(std::span<const std::uint32_t> whole);
    template <class Number>
    void extend(std::size_t order, Number number);
  };

  std::vector<Positions> references_;
  Positions hypothesis_;
  PairNumbering pairs_;
  // By number of an n-gram: its largest count in one reference, in the present one, and in the hypothesis.
  std::vector<std::int32_t> available_, here_, used_;
};

}  // namespace tt::metrics
