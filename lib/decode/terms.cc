#include "decode/terms.h"

#include <string_view>
#include <utility>

namespace tt {

bool WordPieces::glued(std::int32_t before, std::int32_t next) const {
  if (joined(before, next)) return true;
  const char a = last[before], b = first[next];
  const auto among = [](char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
  };
  if (a == '\0' || b == '\0' || among(a, "([{<\"'")) return false;
  return b < '0' || b > '9' || among(a, ".,:/");
}

Terms::Terms(const std::vector<std::vector<Phrase>>& terms, const WordPieces* words)
    : goal_{0, terms.size()}, words_(words) {
  for (std::size_t t = 0; t < terms.size(); ++t) {
    std::size_t longest = 0;
    for (const Phrase& phrase : terms[t]) {
      all_.push_back({phrase, t});
      longest = std::max(longest, phrase.size());
    }
    goal_.rank += static_cast<int>(longest);
  }
  std::ranges::stable_sort(all_, {}, &Alternative::phrase);
}

// Whether a piece behind `tokens` goes on with the word that a term ended with.
bool Terms::broken(Tokens tokens, std::int32_t piece, const Progress& before) const {
  return words_ && before.just_met(tokens.size()) && words_->joined(tokens.back(), piece);
}

// Unmeets the last terms that were met.
void Terms::take_back(Progress& p) const {
  const std::size_t last = std::exchange(p.free, 0);
  for (std::size_t t = 0; t < p.ends.size(); ++t)
    if (p.ends[t] == last) {
      p.pieces -= static_cast<int>(p.lengths[t]);
      p.ends[t] = p.lengths[t] = 0;
      --p.met;
    }
  for (const std::size_t end : p.ends) p.free = std::max(p.free, end);
}

// The alternatives that go on with a piece behind `tokens`, of those begun, and those that begin
// with it.
std::vector<Terms::Begun> Terms::go_on(Tokens tokens, std::span<const Begun> begun,
                                       std::int32_t piece) const {
  std::vector<Begun> next;
  const auto narrow = [&](const Begun& b) {
    // A phrase that has ended stands before those that go on.
    const auto at = [&](const Alternative& a) {
      return b.pieces < a.phrase.size() ? a.phrase[b.pieces] : -1;
    };
    const auto range = std::span(all_).subspan(b.first, b.last - b.first);
    const auto begin = std::ranges::lower_bound(range, piece, {}, at),
               end = std::ranges::upper_bound(range, piece, {}, at);
    if (begin == end) return;
    const auto number = [&](auto place) {
      return b.first + static_cast<std::size_t>(place - range.begin());
    };
    next.push_back({number(begin), number(end), b.pieces + 1});
  };
  for (const Begun& b : begun) narrow(b);
  if (!words_ || tokens.empty() || !words_->glued(tokens.back(), piece))
    narrow({0, all_.size(), 0});
  return next;
}

// The first unmet term that ends here, with the longest of its alternatives that do.
Terms::Met Terms::met_by(std::span<const Begun> begun, const Progress& p) const {
  Met met{p.ends.size(), 0};
  for (const Begun& b : begun)
    for (std::size_t i = b.first; i < b.last && all_[i].phrase.size() == b.pieces; ++i)
      if (const std::size_t t = all_[i].term; t < met.term && p.ends[t] == 0) met = {t, b.pieces};
  return met;
}

// The pieces of the longest begin of an alternative that may still be wanted.
std::size_t Terms::longest_begun(std::span<const Begun> begun, const Progress& p) const {
  for (const Begun& b : begun)
    for (std::size_t i = b.last; i-- > b.first && all_[i].phrase.size() > b.pieces;)
      if (p.ends[all_[i].term] == 0) return b.pieces;
  return 0;
}

// Takes all but the pieces that may follow from all tokens but the last to all.
void Terms::step(Tokens tokens, Progress& p) const {
  const Tokens before = tokens.first(tokens.size() - 1);
  p.pieces -= std::exchange(p.begun, 0);
  if (broken(before, tokens.back(), p)) {
    take_back(p);
    p.alternatives.clear();
    for (std::size_t n = p.free; n < before.size(); ++n)
      p.alternatives = go_on(before.first(n), p.alternatives, before[n]);
  }
  p.alternatives = go_on(before, p.alternatives, tokens.back());
  if (const Met met = met_by(p.alternatives, p); met.pieces > 0) {
    p.alternatives.clear();
    p.ends[met.term] = p.free = tokens.size();
    p.lengths[met.term] = met.pieces;
    ++p.met;
    p.pieces += static_cast<int>(met.pieces);
  }
  p.begun = static_cast<int>(longest_begun(p.alternatives, p));
  p.pieces += p.begun;
}

// Lists the pieces that may follow.
void Terms::look_ahead(Tokens tokens, Progress& p) const {
  p.next.clear();
  const auto list = [&](const Begun& b) {
    for (std::size_t i = b.first; i < b.last; ++i) {
      const Phrase& phrase = all_[i].phrase;
      if (phrase.size() == b.pieces || p.ends[all_[i].term] > 0) continue;
      const std::int32_t piece = phrase[b.pieces];
      if (!p.next.empty() && p.next.back() == piece) continue;
      if (b.pieces > 0 || !words_ || tokens.empty() || !words_->glued(tokens.back(), piece))
        p.next.push_back(piece);
    }
  };
  for (const Begun& b : p.alternatives) list(b);
  list({0, all_.size(), 0});
  std::ranges::sort(p.next);
  p.next.erase(std::unique(p.next.begin(), p.next.end()), p.next.end());
}

Terms::Progress Terms::progress(Tokens tokens) const {
  Progress p;
  p.ends.resize(goal_.met);
  p.lengths.resize(goal_.met);
  for (std::size_t end = 1; end <= tokens.size(); ++end) step(tokens.first(end), p);
  look_ahead(tokens, p);
  return p;
}

Terms::Progress Terms::progress(const Progress& before, Tokens tokens) const {
  Progress p = before;
  step(tokens, p);
  look_ahead(tokens, p);
  return p;
}

void Terms::demand(Tokens, const Constraint::Progress* progress, Demands& demands) const {
  const std::vector<std::int32_t>& next = static_cast<const Progress*>(progress)->next;
  demands.also_scored.insert(demands.also_scored.end(), next.begin(), next.end());
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
  if (broken(tokens, piece, p)) return Constraint::fulfilment_with(before, tokens, piece);
  const int pieces = p.pieces - p.begun;
  if (!p.goes_on_with(piece)) return {pieces, p.met};
  const std::vector<Begun> begun = go_on(tokens, p.alternatives, piece);
  const Met met = met_by(begun, p);
  if (met.pieces > 0) return {pieces + static_cast<int>(met.pieces), p.met + 1};
  return {pieces + static_cast<int>(longest_begun(begun, p)), p.met};
}

double Terms::sum(const Constraint::Progress& progress, std::span<const float> numbers,
                  std::size_t first) const {
  const auto& p = static_cast<const Progress&>(progress);
  double sum = 0;
  for (std::size_t t = 0; t < p.ends.size(); ++t)
    for (std::size_t i = std::max(first, p.ends[t] - p.lengths[t]); i < p.ends[t]; ++i)
      sum += static_cast<double>(numbers[i]);
  return sum;
}

}  // namespace tt
