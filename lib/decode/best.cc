#include "decode/best.h"

#include <cmath>
#include <functional>

namespace tt {
namespace {

constexpr int kMostRanks = 25;  // more of them do not widen a beam

}  // namespace

Best::Shape Best::shape(const SearchedSentence& sentence) const {
  const Fulfilment& goal = sentence.constraints.goal();
  Shape s;
  s.ranks = goal.met == 0 ? 0 : std::min(goal.rank + 1, kMostRanks);
  s.width = std::max(options_.beam / groups_, s.ranks + 1);
  s.wanted = static_cast<std::size_t>((options_.best + groups_ - 1) / groups_);
  // A translation that meets all conditions is the best of a beam as wide as the other ranks leave.
  s.enough = std::max(s.wanted, static_cast<std::size_t>(s.width - std::max(0, s.ranks - 1)));
  return s;
}

// A beam and </s>, but more where their order is not the one in which they are chosen.
int Best::breadth(const SearchedSentence& sentence) const {
  const Shape s = shape(sentence);
  return s.ranks == 0 && groups_ == 1 ? s.width + 1 : 2 * s.width;
}

// Equal values are ordered by row and place, so that the order is always the same.
void Best::collect(const SearchedSentence& sentence, const HypothesisGroup& group,
                   std::span<const Continuations> rows) {
  candidates_.clear();
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const Continuation& c : rows[r].pieces) {
      const double sum =
          group.live[r].hypothesis.log_probability + static_cast<double>(c.log_probability);
      candidates_.push_back({value(sum, c.piece), {r, c.piece, c.log_probability}});
    }
  std::ranges::stable_sort(
      candidates_, [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
  if (!sentence.constraints.empty()) rank_candidates(sentence, group, rows);
}

void Best::rank_candidates(const SearchedSentence& sentence, const HypothesisGroup& group,
                           std::span<const Continuations> rows) {
  for (Candidate& candidate : candidates_) {
    Extension& c = candidate.extension;
    const LiveHypothesis& live = group.live[c.row];
    c.fulfilment = c.piece == eos_ ? live.fulfilment
                                   : sentence.constraints.fulfilment_with(
                                         live.progress, live.hypothesis.tokens, c.piece);
    c.late = c.fulfilment.rank > live.over_from_now(rows[c.row].ends);
  }
  std::stable_partition(candidates_.begin(), candidates_.end(),
                        [](const Candidate& c) { return !c.extension.late; });
}

void Best::choose(const SearchedSentence& sentence, std::size_t group_index,
                  std::span<const Continuations> rows, std::vector<Extension>& extensions) {
  const HypothesisGroup& group = sentence.groups[group_index];
  collect(sentence, group, rows);
  const Shape s = shape(sentence);
  auto width = static_cast<std::size_t>(s.width);
  if (options_.narrow_beam) {
    width -= std::min(width, group.finished.size());
    if (s.ranks == 0)
      candidates_.resize(std::min(candidates_.size(), width));  // else each rank takes its own
  }
  taken_.assign(candidates_.size(), 0);
  ranks_.assign(static_cast<std::size_t>(sentence.constraints.goal().rank) + 1, {});
  int highest = -1;  // of those whose first goes on
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Extension& c = candidates_[i].extension;
    Rank& rank = ranks_.at(static_cast<std::size_t>(c.fulfilment.rank));
    const std::size_t place = rank.candidates++;
    if (c.piece == eos_) taken_[i] = place < width;
    else if (place == 0) rank.first = i, highest = std::max(highest, c.fulfilment.rank);
  }
  // The first of each rank, of the highest ones if there are too many, then the others of the
  // highest of these, then the best of all that are left.
  std::size_t room = width;
  for (int rank = highest, left = s.ranks; rank >= 0 && left > 0; --rank)
    if (const std::size_t first = ranks_[rank].first; first != kNone)
      taken_[first] = 1, room -= std::min<std::size_t>(room, 1), --left;
  const auto fill = [&](int least) {
    for (std::size_t i = 0; i < candidates_.size() && room > 0; ++i) {
      const Extension& c = candidates_[i].extension;
      if (!taken_[i] && c.piece != eos_ && c.fulfilment.rank >= least) taken_[i] = 1, --room;
    }
  };
  if (s.ranks > 0 && highest >= 0) fill(highest);
  fill(0);
  std::size_t living = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (taken_[i] && (candidates_[i].extension.piece == eos_ || living++ < width))
      extensions.push_back(candidates_[i].extension);
}

bool Best::done(const SearchedSentence& sentence, const HypothesisGroup& group) {
  const Shape s = shape(sentence);
  const bool full_is_enough = options_.stop_when_full && s.ranks == 0;
  if (group.finished.size() >= s.enough && (full_is_enough || !leads(sentence, group))) return true;
  return !can_improve(sentence, group, s.wanted);
}

// Whether a hypothesis is not late, and need not be: what lacks conditions may have them in time
// until it is over.
bool Best::in_time(const SearchedSentence& sentence, const LiveHypothesis& live) {
  return !live.hypothesis.late && (live.over_from == LiveHypothesis::kNever ||
                                   live.fulfilment.met == sentence.constraints.goal().met);
}

// The best score that what lives has with so many tokens; late: also of what is not in time.
double Best::most_at(const SearchedSentence& sentence, const HypothesisGroup& group,
                     std::int64_t length, bool late) const {
  double most = -INFINITY;
  for (const LiveHypothesis& live : group.live)
    if (late || in_time(sentence, live))
      most = std::max(most,
                      live.hypothesis.score_at(length, options_.penalty, sentence.request->source));
  return most;
}

// Whether what lives, in time, would have the best score if it ended now.
bool Best::leads(const SearchedSentence& sentence, const HypothesisGroup& group) const {
  double best = -INFINITY;
  for (const Hypothesis& h : group.finished) best = std::max(best, h.score);
  const auto length = static_cast<std::int64_t>(group.live[0].hypothesis.tokens.size()) + 1;
  return most_at(sentence, group, length, false) > best;
}

// Whether what lives could still come before the last of those that are wanted.
bool Best::can_improve(const SearchedSentence& sentence, const HypothesisGroup& group,
                       std::size_t wanted) {
  const auto punctual =
      std::ranges::count_if(group.finished, [](const Hypothesis& h) { return !h.late; });
  const bool late = static_cast<std::size_t>(punctual) < wanted;  // some of them may be
  if (group.finished.size() < wanted) return true;
  const auto lives_in_time = [&](const LiveHypothesis& live) { return in_time(sentence, live); };
  if (late && std::ranges::any_of(group.live, lives_in_time)) return true;
  scores_.clear();
  for (const Hypothesis& h : group.finished)
    if (late || !h.late) scores_.push_back(h.score);
  const auto last = scores_.begin() + static_cast<std::ptrdiff_t>(wanted) - 1;
  std::nth_element(scores_.begin(), last, scores_.end(), std::greater<>());
  // The most that a live hypothesis can reach: its probability as it is, over the largest penalty.
  return most_at(sentence, group, sentence.request->limit + 1, late) > *last;
}

void Best::rank(std::vector<Hypothesis>& found) const {
  std::ranges::stable_sort(found, [](const Hypothesis& a, const Hypothesis& b) {
    if (a.met != b.met) return a.met > b.met;
    return a.late != b.late ? b.late : a.score > b.score;
  });
}

}  // namespace tt
