#include "decode/rules.h"

#include <algorithm>

namespace tt {

void Rules::bar(std::span<const std::int32_t> tokens, std::int32_t eos, std::vector<std::int32_t>& barred) const {
  if (static_cast<std::int64_t>(tokens.size()) < minimum) barred.push_back(eos);
  barred.insert(barred.end(), forbidden.begin(), forbidden.end());
  const auto n = static_cast<std::size_t>(no_repeat);
  if (n == 0 || tokens.size() < n) return;
  const auto last = tokens.last(n - 1);
  for (std::size_t i = 0; i + n <= tokens.size(); ++i)
    if (std::equal(last.begin(), last.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i)))
      barred.push_back(tokens[i + n - 1]);
}

int Terms::pieces() const {
  std::size_t sum = 0;
  for (const auto& alternatives : terms_) {
    std::size_t longest = 0;
    for (const Phrase& phrase : alternatives) longest = std::max(longest, phrase.size());
    sum += longest;
  }
  return static_cast<int>(sum);
}

Terms::Progress Terms::progress(std::span<const std::int32_t> tokens) const {
  Progress p;
  p.ends.resize(terms_.size());
  p.lengths.resize(terms_.size());
  std::size_t free = 0;  // the first token behind the last term that was met
  // Whether the n tokens before `end` are the first n of a phrase.
  const auto ends_with = [&](std::size_t end, const Phrase& phrase, std::size_t n) {
    return end >= free + n && std::equal(phrase.begin(), phrase.begin() + static_cast<std::ptrdiff_t>(n),
                                         tokens.begin() + static_cast<std::ptrdiff_t>(end - n));
  };
  for (std::size_t end = 1; end <= tokens.size(); ++end)
    for (std::size_t t = 0; t < terms_.size() && free < end; ++t) {
      if (p.ends[t] > 0) continue;
      const Phrase* longest = nullptr;
      for (const Phrase& phrase : terms_[t])
        if (ends_with(end, phrase, phrase.size()) && (!longest || phrase.size() > longest->size())) longest = &phrase;
      if (!longest) continue;
      p.ends[t] = free = end;
      p.lengths[t] = longest->size();
      ++p.met;
    }
  std::size_t begun = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (p.ends[t] > 0) {
      p.pieces += static_cast<int>(p.lengths[t]);
      continue;
    }
    for (const Phrase& phrase : terms_[t])
      for (std::size_t n = 0; n < phrase.size(); ++n)
        if (ends_with(tokens.size(), phrase, n)) {
          p.next.push_back(phrase[n]);
          begun = std::max(begun, n);
        }
  }
  p.pieces += static_cast<int>(begun);
  std::sort(p.next.begin(), p.next.end());
  p.next.erase(std::unique(p.next.begin(), p.next.end()), p.next.end());
  return p;
}

}  // namespace tt
