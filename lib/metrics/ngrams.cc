#include "metrics/ngrams.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tt {

namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15u;

// A hash for tables of this file only; equal strings are compared after it.
std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t hash = text.size() * kMultiplier;
  const char* at = text.data();
  std::size_t left = text.size();
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 32;
  };
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    mix(word);
  }
  if (left > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, left);
    mix(word);
  }
  return hash;
}

// Moves to the next age; on overflow everything is made old by hand.
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

void NgramMatcher::Positions::keep_if_counted(const std::vector<std::int32_t>& count) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[kept] = at[i], ngram[kept] = ngram[i];
    kept += count[ngram[i]] > 0;
  }
  at.resize(kept), ngram.resize(kept);
}

void NgramMatcher::first_order(std::span<const std::uint32_t> text, Positions& positions) const {
  positions.at.resize(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) positions.at[i] = static_cast<std::uint32_t>(i);
  positions.ngram.assign(text.begin(), text.end());
}

NgramMatcher::Entry& NgramMatcher::find(std::uint64_t pair) {
  const std::size_t mask = pairs_.size() - 1;
  std::uint64_t hash = pair * kMultiplier;
  hash ^= hash >> 32;
  std::size_t slot = hash & mask;
  while (pairs_[slot].age == age_ && pairs_[slot].pair != pair) slot = (slot + 1) & mask;
  return pairs_[slot];
}

void NgramMatcher::reserve_pairs(std::size_t count) {
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(64, 2 * count + 1));
  if (size > pairs_.size()) {
    pairs_.assign(size, {});
    age_ = 1;
  } else {
    next_age(age_, pairs_);
  }
}

// Adds one reference's counts to available_, by maximum.
void NgramMatcher::count_reference(Positions& positions) {
  for (const std::uint32_t ngram : positions.ngram) available_[ngram] = std::max(available_[ngram], ++here_[ngram]);
  for (const std::uint32_t ngram : positions.ngram) here_[ngram] = 0;
}

std::int32_t NgramMatcher::count_hypothesis() {
  std::int32_t matches = 0;
  for (const std::uint32_t ngram : hypothesis_.ngram) matches += used_[ngram]++ < available_[ngram];
  return matches;
}

void NgramMatcher::match(std::span<const std::uint32_t> hypothesis, std::span<const std::vector<std::uint32_t>> references,
                         std::uint32_t symbols, std::span<std::int32_t> matches) {
  std::fill(matches.begin(), matches.end(), 0);
  if (references_.size() < references.size()) references_.resize(references.size());
  const std::span<Positions> refs(references_.data(), references.size());
  for (std::size_t r = 0; r < refs.size(); ++r) first_order(references[r], refs[r]);
  first_order(hypothesis, hypothesis_);

  std::size_t numbers = symbols;
  for (std::size_t order = 1; order <= matches.size(); ++order) {
    if (order > 1) {
      // Numbers the n-grams of the references, by their two halves; the hypothesis only looks them up.
      std::size_t candidates = 0;
      for (const Positions& positions : refs) candidates += positions.at.size();
      reserve_pairs(candidates);
      std::uint32_t next = 0;
      const auto extend = [&](Positions& positions, bool add) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i + 1 < positions.at.size(); ++i) {
          if (positions.at[i + 1] != positions.at[i] + 1) continue;
          const std::uint64_t pair = static_cast<std::uint64_t>(positions.ngram[i]) << 32 | positions.ngram[i + 1];
          Entry& entry = find(pair);
          if (entry.age != age_) {
            if (!add) continue;
            entry = {pair, age_, next++};
          }
          positions.at[kept] = positions.at[i], positions.ngram[kept++] = entry.number;
        }
        positions.at.resize(kept), positions.ngram.resize(kept);
      };
      for (Positions& positions : refs) extend(positions, true);
      extend(hypothesis_, false);
      numbers = next;
    }
    available_.assign(numbers, 0), here_.assign(numbers, 0), used_.assign(numbers, 0);
    for (Positions& positions : refs) count_reference(positions);
    matches[order - 1] = count_hypothesis();
    if (matches[order - 1] == 0) return;
    hypothesis_.keep_if_counted(available_);
    for (Positions& positions : refs) positions.keep_if_counted(used_);
  }
}

}  // namespace tt
