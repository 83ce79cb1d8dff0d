#include "decode/terms.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tt {

bool WordPieces::glued(std::int32_t before, std::int32_t next) const {
  if (joined(before, next)) return true;
  const char a = last[static_cast<std::size_t>(before)], b = first[static_cast<std::size_t>(next)];
  const auto among = [](char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
  };
  if (a == '\0' || b == '\0' || among(a, "([{<\"'")) return false;
  return b < '0' || b > '9' || among(a, ".,:/");
}

Fulfilment Terms::goal() const {
  std::size_t sum = 0;
  for (const auto& alternatives : terms_) {
    std::size_t longest = 0;
    for (const Phrase& phrase : alternatives) longest = std::max(longest, phrase.size());
    sum += longest;
  }
  return {static_cast<int>(sum), terms_.size()};
}

// Whether the last n tokens, none of them before `free`, are the first n of a phrase.
bool Terms::ends_with(Tokens tokens, std::size_t free, const Phrase& phrase, std::size_t n) const {
  if (words_ && tokens.size() > n && words_->glued(tokens[tokens.size() - n - 1], phrase[0]))
    return false;
  return tokens.size() >= free + n &&
         std::equal(phrase.begin(), phrase.begin() + static_cast<std::ptrdiff_t>(n),
                    tokens.end() - static_cast<std::ptrdiff_t>(n));
}

// Whether the last token goes on with the word that a term ended with.
bool Terms::broken(Tokens tokens, const Progress& before) const {
  return words_ && before.just_met(tokens.size() - 1) &&
         words_->joined(tokens[tokens.size() - 2], tokens.back());
}

// Unmeets the last terms that were met.
void Terms::take_back(Progress& p) const {
  const std::size_t last = std::exchange(p.free, 0);
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (p.ends[t] == last) {
      p.pieces -= static_cast<int>(p.lengths[t]);
      p.ends[t] = p.lengths[t] = 0;
      --p.met;
    }
  for (const std::size_t end : p.ends) p.free = std::max(p.free, end);
}

// Notes the terms that end where the tokens do.
void Terms::meet(Tokens tokens, Progress& p) const {
  for (std::size_t t = 0; t < terms_.size() && p.free < tokens.size(); ++t) {
    if (p.ends[t] > 0) continue;
    const Phrase* longest = nullptr;
    for (const Phrase& phrase : terms_[t])
      if (ends_with(tokens, p.free, phrase, phrase.size()) &&
          (!longest || phrase.size() > longest->size()))
        longest = &phrase;
    if (!longest) continue;
    p.ends[t] = p.free = tokens.size();
    p.lengths[t] = longest->size();
    ++p.met;
    p.pieces += static_cast<int>(longest->size());
  }
}

// Sets the phrases that are begun, and the pieces that may go on with them.
void Terms::look_ahead(Tokens tokens, Progress& p) const {
  p.next.clear();
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (p.ends[t] > 0) continue;
    for (const Phrase& phrase : terms_[t])
      for (std::size_t n = 0; n < phrase.size(); ++n)
        if (ends_with(tokens, p.free, phrase, n)) {
          p.next.push_back(phrase[n]);
          p.begun = std::max(p.begun, static_cast<int>(n));
        }
  }
  p.pieces += p.begun;
  std::sort(p.next.begin(), p.next.end());
  p.next.erase(std::unique(p.next.begin(), p.next.end()), p.next.end());
}

Terms::Progress Terms::progress(Tokens tokens) const {
  Progress p;
  p.ends.resize(terms_.size());
  p.lengths.resize(terms_.size());
  for (std::size_t end = 1; end <= tokens.size(); ++end) {
    if (broken(tokens.first(end), p)) take_back(p);
    meet(tokens.first(end), p);
  }
  look_ahead(tokens, p);
  return p;
}

Terms::Progress Terms::progress(const Progress& before, Tokens tokens) const {
  Progress p = before;
  p.pieces -= std::exchange(p.begun, 0);
  const bool taken_back = broken(tokens, before);
  if (taken_back) take_back(p);
  // A piece that goes on with nothing meets nothing, and begins nothing unless it ends what kept a
  // word from beginning.
  const bool goes_on = taken_back || before.goes_on_with(tokens.back());
  if (goes_on) meet(tokens, p);
  if (goes_on || before.begun > 0 || words_) look_ahead(tokens, p);
  return p;
}

void Terms::demand(Tokens, const Constraint::Progress* progress, Demands& demands) const {
  const std::vector<std::int32_t>& next = static_cast<const Progress*>(progress)->next;
  demands.asked.insert(demands.asked.end(), next.begin(), next.end());
}

Constraint::ProgressPointer Terms::begin() const {
  return std::make_shared<Progress>(progress({}));
}

Constraint::ProgressPointer Terms::advance(const ProgressPointer& before, Tokens tokens) const {
  return std::make_shared<Progress>(progress(static_cast<const Progress&>(*before), tokens));
}

Fulfilment Terms::fulfilment(const Constraint::Progress& progress) const {
  const auto& p = static_cast<const Progress&>(progress);
  return {p.pieces, p.met};
}

Fulfilment Terms::fulfilment_with(const ProgressPointer& before, Tokens tokens,
                                  std::int32_t piece) const {
  const auto& p = static_cast<const Progress&>(*before);
  if (!p.goes_on_with(piece) && !p.just_met(tokens.size())) return {p.pieces - p.begun, p.met};
  return Constraint::fulfilment_with(before, tokens, piece);
}

double Terms::sum(const Constraint::Progress& progress, std::span<const float> numbers,
                  std::size_t first) const {
  const auto& p = static_cast<const Progress&>(progress);
  double sum = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t)
    for (std::size_t i = std::max(first, p.ends[t] - p.lengths[t]); i < p.ends[t]; ++i)
      sum += static_cast<double>(numbers[i]);
  return sum;
}

}  // namespace tt
