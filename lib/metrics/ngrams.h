// Counting n-grams that two texts share, without ever forming one.
//
// Texts are sequences of small numbers. The n-grams of order n are numbered by pairs (number of the n-1-gram that begins here,
// number of the one that begins one further): equal n-grams, and only they, have equal numbers, so a count is exact. An n-gram
// can only be shared if both its parts are, so positions drop out as soon as they match nothing, and high orders cost little.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tt {

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

class NgramMatcher {
 public:
  // matches[n-1] becomes the number of n-grams of `hypothesis` that are found in the references, each counted at most as often as
  // it stands in the reference that has it most often, for n = 1 .. matches.size(). Requires all numbers < `symbols`.
  void match(std::span<const std::uint32_t> hypothesis, std::span<const std::vector<std::uint32_t>> references,
             std::uint32_t symbols, std::span<std::int32_t> matches);

 private:
  // Positions, ascending, whose n-gram is shared, and its number.
  struct Positions {
    std::vector<std::uint32_t> at, ngram;
    void keep_if_counted(const std::vector<std::int32_t>& count);
  };
  struct Entry {
    std::uint64_t pair = 0;
    std::uint32_t age = 0, number = 0;
  };
  void first_order(std::span<const std::uint32_t> text, Positions& positions) const;
  void count_reference(Positions& positions);
  std::int32_t count_hypothesis();
  void reserve_pairs(std::size_t count);
  Entry& find(std::uint64_t pair);

  std::vector<Positions> references_;
  Positions hypothesis_;
  std::vector<std::int32_t> available_, here_,
      used_;  // by number: largest count in one reference, count in this one, in the hypothesis
  std::vector<Entry> pairs_;
  std::uint32_t age_ = 1;
};

}  // namespace tt
