#include "metrics/ngrams.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tt::metrics {

namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15u;

template <class Word>
std::uint64_t load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// A hash only for the tables of this file; strings with equal hashes are then compared.
std::uint64_t hash_bytes(std::string_view text) {
  const std::size_t size = text.size();
  const char* at = text.data();
  std::uint64_t hash = size * kMultiplier;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 32;
  };
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8) mix(load<std::uint64_t>(at + i));
    mix(load<std::uint64_t>(at + size - 8));
  } else if (size >= 4) {
    mix(load<std::uint32_t>(at) << 32 | load<std::uint32_t>(at + size - 4));
  } else if (size > 0) {
    mix(load<std::uint8_t>(at) << 16 | load<std::uint8_t>(at + size / 2) << 8 |
        load<std::uint8_t>(at + size - 1));
  }
  return hash;
}

// Moves to the next age; on overflow all entries are reset.
template <class Entries>
void next_age(std::uint32_t& age, Entries& entries) {
  if (++age != 0) return;
  for (auto& entry : entries) entry.age = 0;
  age = 1;
}

}  // namespace

Numbering::Numbering() : table_(256) {}

void Numbering::clear() {
  texts_.clear();
  next_age(age_, table_);
}

std::uint32_t Numbering::number(std::string_view text) {
  const std::uint64_t hash = hash_bytes(text);
  std::size_t mask = table_.size() - 1, slot = hash & mask;
  for (;; slot = (slot + 1) & mask) {
    Entry& entry = table_[slot];
    if (entry.age != age_) {
      entry = {hash, age_, size()};
      texts_.push_back(text);
      if (texts_.size() * 2 > table_.size()) grow();
      return size() - 1;
    }
    if (entry.hash == hash && texts_[entry.number] == text) return entry.number;
  }
}

void Numbering::grow() {
  std::vector<Entry> bigger(table_.size() * 4);
  for (const Entry& entry : table_) {
    if (entry.age != age_) continue;
    std::size_t slot = entry.hash & (bigger.size() - 1);
    while (bigger[slot].age == age_) slot = (slot + 1) & (bigger.size() - 1);
    bigger[slot] = entry;
  }
  table_ = std::move(bigger);
}

void CharacterNumbering::clear() {
  size_ = 0;
  if (++age_ != 0) return;
  for (auto& page : pages_) page.clear();
  age_ = 1;
}

std::uint32_t CharacterNumbering::number(char32_t c) {
  auto& page = pages_[c >> 8];
  if (page.empty()) page.resize(256);
  Entry& entry = page[c & 0xFF];
  if (entry.age != age_) entry = {age_, size_++};
  return entry.number;
}

void PairNumbering::clear(std::size_t first, std::size_t second, std::size_t most) {
  constexpr std::size_t kDirect = 1 << 16;
  base_ += size_;
  size_ = 0;
  if (base_ > 0x80000000u) {
    direct_.clear(), hashed_.clear();
    base_ = 1;
  }
  second_ = second;
  is_direct_ = first * second <= kDirect;
  if (is_direct_) {
    if (direct_.size() < first * second) direct_.resize(first * second);
  } else {
    const std::size_t size = std::bit_ceil(2 * most + 1);
    if (hashed_.size() < size) hashed_.assign(size, {});
  }
}

std::uint32_t& PairNumbering::place(std::uint32_t a, std::uint32_t b) {
  if (is_direct_) return direct_[a * second_ + b];
  const std::uint64_t pair = static_cast<std::uint64_t>(a) << 32 | b;
  std::uint64_t hash = pair * kMultiplier;
  hash ^= hash >> 32;
  const std::size_t mask = hashed_.size() - 1;
  std::size_t slot = hash & mask;
  while (hashed_[slot].value >= base_ && hashed_[slot].pair != pair) slot = (slot + 1) & mask;
  if (hashed_[slot].value < base_) hashed_[slot].pair = pair;
  return hashed_[slot].value;
}

std::uint32_t PairNumbering::number(std::uint32_t a, std::uint32_t b) {
  std::uint32_t& value = place(a, b);
  if (value < base_) value = base_ + size_++;
  return value - base_;
}

std::uint32_t PairNumbering::find(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t value = place(a, b);
  return value < base_ ? kNone : value - base_;
}

void NgramPositions::begin(std::span<const std::uint32_t> whole) {
  text = whole;
  at.resize(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) at[i] = static_cast<std::uint32_t>(i);
  ngram.assign(text.begin(), text.end());
}

void NgramMatcher::match(std::span<const std::uint32_t> hypothesis,
                         std::span<const std::vector<std::uint32_t>> references,
                         std::uint32_t symbols, std::span<std::int32_t> matches) {
  std::fill(matches.begin(), matches.end(), 0);
  if (references_.size() < references.size()) references_.resize(references.size());
  const std::span<NgramPositions> refs(references_.data(), references.size());
  for (std::size_t r = 0; r < refs.size(); ++r) refs[r].begin(references[r]);
  hypothesis_.begin(hypothesis);

  std::size_t numbers = symbols;  // of the previous order
  for (std::size_t order = 1; order <= matches.size(); ++order) {
    if (order > 1) {
      // References number their n-grams; the hypothesis only looks them up.
      std::size_t most = 0;
      for (const NgramPositions& positions : refs) most += positions.at.size();
      pairs_.clear(numbers, symbols, most);
      for (NgramPositions& positions : refs) {
        positions.extend(order,
                         [&](std::uint32_t a, std::uint32_t b) { return pairs_.number(a, b); });
      }
      hypothesis_.extend(order,
                         [&](std::uint32_t a, std::uint32_t b) { return pairs_.find(a, b); });
      numbers = pairs_.size();
    }
    available_.assign(numbers, 0), used_.assign(numbers, 0);
    if (refs.size() == 1) {
      for (const std::uint32_t ngram : refs[0].ngram) ++available_[ngram];
    } else {
      here_.assign(numbers, 0);
      for (const NgramPositions& positions : refs) {
        for (const std::uint32_t ngram : positions.ngram)
          available_[ngram] = std::max(available_[ngram], ++here_[ngram]);
        for (const std::uint32_t ngram : positions.ngram) here_[ngram] = 0;
      }
    }
    std::int32_t found = 0;
    for (const std::uint32_t ngram : hypothesis_.ngram) found += used_[ngram]++ < available_[ngram];
    matches[order - 1] = found;
    if (found == 0 || order == matches.size()) return;
    if (order == 1) hypothesis_.keep_if([&](std::uint32_t n) { return available_[n] > 0; });
    for (NgramPositions& positions : refs)
      positions.keep_if([&](std::uint32_t n) { return used_[n] > 0; });
  }
}

}  // namespace tt::metrics
