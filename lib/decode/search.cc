#include "decode/search.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "decode/best.h"
#include "decode/diverse.h"
#include "decode/sampled.h"
#include "decode/search_observer.h"
#include "decode/selection.h"
#include "model/attended.h"

namespace tt {

SearchOptions search_options(const SearchSettings& settings) {
  SearchOptions options;
  options.beam = settings.beam;
  options.penalty = {settings.length_penalty, settings.alpha};
  options.length_factor = settings.length_factor;
  options.extra_length = settings.extra_length;
  options.narrow_beam = settings.narrow_beam;
  options.stop_when_full = settings.stop_when_full;
  options.forbid_unknown = settings.forbid_unknown;
  return options;
}

namespace {

std::unique_ptr<Selection> make_selection(const SearchOptions& options, std::int32_t eos) {
  if (options.sample.samples > 0) return std::make_unique<Sampled>(options.sample, eos);
  TT_CHECK(options.beam >= 1 && options.groups >= 1 && options.beam % options.groups == 0);
  if (options.groups > 1) return std::make_unique<Diverse>(options, eos);
  return std::make_unique<Best>(options, eos);
}

// Rows filled up with -1 to one width.
std::span<const std::int32_t> padded(std::span<const Demands> rows,
                                     std::vector<std::int32_t> Demands::*pieces,
                                     std::vector<std::int32_t>& flat) {
  std::size_t width = 0;
  for (const Demands& row : rows) width = std::max(width, (row.*pieces).size());
  flat.assign(width * rows.size(), -1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy((rows[r].*pieces).begin(), (rows[r].*pieces).end(),
              flat.begin() + static_cast<std::ptrdiff_t>(r * width));
  return flat;
}

bool contains(std::span<const std::int32_t> pieces, std::int32_t piece) {
  return std::ranges::find(pieces, piece) != pieces.end();
}

// Minus infinity is no continuation; anything else that is not finite is a failure.
bool possible(float log_probability) {
  if (std::isnan(log_probability) || log_probability == INFINITY) throw NotFinite();
  return log_probability > -INFINITY;
}

class Search {
 public:
  Search(State& state, std::span<const SearchRequest> requests, std::int32_t bos, std::int32_t eos,
         const SearchOptions& options)
      : state_(state), attended_(dynamic_cast<AttendedState*>(&state)), bos_(bos), eos_(eos),
        options_(options), selection_(make_selection(options, eos)) {
    for (const SearchRequest& request : requests) {
      TT_CHECK(request.limit >= 1);
      Constraints constraints(options.constraints, request.constraints, request.history);
      LiveHypothesis first;
      first.hypothesis.history = std::ssize(request.history);
      first.progress = constraints.begin();
      first.fulfilment = constraints.fulfilment(first.progress);
      std::vector<HypothesisGroup> groups(selection_->groups());
      for (HypothesisGroup& group : groups) group.live.push_back(first);
      sentences_.push_back(
          {&request, sentences_.size(), std::move(constraints), std::move(groups)});
    }
  }

  std::vector<std::vector<Hypothesis>> run() {
    const std::size_t groups = selection_->groups();
    std::vector<std::int32_t> tokens(sentences_.size() * groups, bos_), parents;
    if (groups > 1) {
      for (std::size_t r = 0; r < tokens.size(); ++r)
        parents.push_back(static_cast<std::int32_t>(r / groups));
      state_.reorder(parents);
    }
    while (!tokens.empty()) {
      look(tokens);
      tokens.clear();
      parents.clear();
      std::size_t row = 0;  // the first of the group
      for (SearchedSentence& s : sentences_)
        for (std::size_t g = 0; g < groups; ++g) {
          const std::size_t rows = s.groups[g].live.size();
          if (rows == 0) continue;
          advance(s, g, row);
          for (std::size_t i = 0; i < s.groups[g].live.size(); ++i) {
            parents.push_back(static_cast<std::int32_t>(row + survivors_[i]));
            tokens.push_back(s.groups[g].live[i].hypothesis.tokens.back());
          }
          row += rows;
        }
      if (!tokens.empty()) state_.reorder(parents);
    }
    std::vector<std::vector<Hypothesis>> results;
    for (SearchedSentence& s : sentences_) {
      std::vector<Hypothesis>& found = results.emplace_back();
      for (HypothesisGroup& g : s.groups)
        std::move(g.finished.begin(), g.finished.end(), std::back_inserter(found));
      selection_->rank(found);
      for (Hypothesis& h : found) h.forget_history();
    }
    return results;
  }

 private:
  // Sets `rows_` to what may follow each hypothesis that lives.
  void look(std::span<const std::int32_t> tokens) {
    demands_.resize(tokens.size());
    rows_.resize(tokens.size());
    int breadth = 1;
    std::size_t row = 0;
    for (const SearchedSentence& s : sentences_) {
      const std::size_t begin = row;
      for (const HypothesisGroup& g : s.groups)
        for (const LiveHypothesis& live : g.live) demand(s, live, demands_[row++]);
      if (row > begin) breadth = std::max(breadth, selection_->breadth(s));
    }
    if (selection_->breadth(sentences_[0]) == 0) look_at_all(tokens);
    else look_at_likeliest(tokens, breadth);
  }

  void demand(const SearchedSentence& s, const LiveHypothesis& live, Demands& demands) const {
    s.constraints.demand(live.hypothesis.tokens, live.progress, demands);
    if (demands.forced >= 0) {
      demands.barred.clear();
      demands.also_scored.assign(1, demands.forced);
    } else if (live.fulfilment.met < s.constraints.goal().met && !contains(demands.barred, eos_)) {
      demands.barred.push_back(eos_);
      demands.also_scored.push_back(eos_);  // only to know
    }
  }

  void look_at_all(std::span<const std::int32_t> tokens) {
    state_.step(tokens, all_);
    const std::size_t v = all_.size() / tokens.size();
    for (std::size_t r = 0; r < tokens.size(); ++r)
      list_possible(std::span(all_).subspan(r * v, v), demands_[r], rows_[r]);
  }

  // Lists what may follow, of the log-probabilities of all pieces: also </s>, where only conditions
  // that are not met bar it.
  void list_possible(std::span<const float> all, Demands& demands, Continuations& row) const {
    std::vector<Continuation>& possibilities = row.pieces;
    possibilities.resize(all.size() + demands.also_scored.size());
    std::size_t count = 0;
    const auto put = [&](std::size_t piece) {
      if (possible(all[piece]))
        possibilities[count++] = {static_cast<std::int32_t>(piece), all[piece]};
    };
    if (demands.forced >= 0) {
      put(static_cast<std::size_t>(demands.forced));
    } else {
      if (std::erase(demands.also_scored, eos_) > 0) std::erase(demands.barred, eos_);
      std::ranges::sort(demands.barred);
      auto barred = demands.barred.begin();
      for (std::size_t piece = 0; piece < all.size(); ++piece) {
        while (barred != demands.barred.end() && static_cast<std::size_t>(*barred) < piece)
          ++barred;
        if (barred == demands.barred.end() || static_cast<std::size_t>(*barred) != piece)
          put(piece);
      }
    }
    const std::size_t free = count;
    if (demands.forced < 0)
      for (const std::int32_t piece : demands.also_scored) put(static_cast<std::size_t>(piece));
    row.asked = count - free;
    possibilities.resize(count);
  }

  void look_at_likeliest(std::span<const std::int32_t> tokens, int breadth) {
    const BestQuery query{breadth, padded(demands_, &Demands::barred, barred_),
                          padded(demands_, &Demands::also_scored, asked_)};
    state_.step(tokens, query, scores_);
    const auto best = static_cast<std::size_t>(breadth);
    const std::size_t asked = query.asked.size() / tokens.size();
    std::size_t r = 0;
    for (const SearchedSentence& s : sentences_)
      for (const HypothesisGroup& g : s.groups)
        for (std::size_t i = 0; i < g.live.size(); ++i, ++r)
          read(s, demands_[r], std::span(scores_.values).subspan(r * best, best),
               std::span(scores_.pieces).subspan(r * best, best),
               std::span(scores_.asked).subspan(r * asked, asked), rows_[r]);
  }

  // The continuations of one hypothesis, from the scores of its likeliest and of those that are
  // asked for.
  void read(const SearchedSentence& s, const Demands& demands, std::span<const float> scores,
            std::span<const std::int32_t> likeliest, std::span<const float> asked_scores,
            Continuations& row) const {
    row.pieces.clear();
    row.ends = false;
    possible(scores[0]);
    if (demands.forced < 0)
      for (std::size_t i = 0; i < static_cast<std::size_t>(selection_->breadth(s)); ++i)
        if (std::isfinite(scores[i]) && !contains(demands.also_scored, likeliest[i]))
          row.pieces.push_back({likeliest[i], scores[i]});
    for (std::size_t i = 0; i < demands.also_scored.size(); ++i)
      if (demands.also_scored[i] == eos_ && demands.forced < 0)
        row.ends = asked_scores[i] > scores[0];
      else if (std::isfinite(asked_scores[i]))
        row.pieces.push_back({demands.also_scored[i], asked_scores[i]});
  }

  // Takes a group, whose first row is `first`, one step further; sets `survivors_` to the row, in
  // the group, of the hypothesis that each that lives comes from.
  void advance(SearchedSentence& s, std::size_t g, std::size_t first) {
    HypothesisGroup& group = s.groups[g];
    const auto rows = std::span<const Continuations>(rows_).subspan(first, group.live.size());
    extensions_.clear();
    survivors_.clear();
    selection_->choose(s, g, rows, extensions_);
    const std::size_t ended = group.finished.size();
    const Outcome outcome = extend(s, group, rows, first);
    if (outcome != Outcome::goes_on) group.live.clear();
    if (options_.observer)
      options_.observer->step({s, g, std::span<const Demands>(demands_).subspan(first, rows.size()),
                               rows, extensions_, std::span(group.finished).subspan(ended),
                               outcome});
  }

  // Puts what was chosen in place of the group's hypotheses, and ends what has come to its end.
  Outcome extend(const SearchedSentence& s, HypothesisGroup& group,
                 std::span<const Continuations> rows, std::size_t first) {
    std::vector<LiveHypothesis> next;
    for (const Extension& c : extensions_) {
      LiveHypothesis live =
          extended(s, group.live[c.row], c, rows[c.row].ends, demands_[first + c.row].forced >= 0);
      if (s.request->attended && c.piece != eos_) {
        const auto found = attended_->attention(first + c.row);
        live.hypothesis.attention = std::make_shared<const AttentionPath>(
            AttentionPath{{found.begin(), found.end()}, std::move(live.hypothesis.attention)});
      }
      if (c.piece == eos_) {
        finish(s, group, std::move(live.hypothesis));
        continue;
      }
      next.push_back(std::move(live));
      survivors_.push_back(c.row);
    }
    if (next.empty() && group.finished.empty())
      finish(s, group, std::move(group.live[0].hypothesis));
    group.live = std::move(next);
    if (group.live.empty()) return Outcome::nothing;
    const auto length = static_cast<std::int64_t>(group.live[0].hypothesis.tokens.size());
    if (length < s.request->limit)
      return selection_->done(s, group) ? Outcome::done : Outcome::goes_on;
    for (LiveHypothesis& live : group.live) finish(s, group, std::move(live.hypothesis));
    return Outcome::limit;
  }

  LiveHypothesis extended(const SearchedSentence& s, const LiveHypothesis& from, const Extension& c,
                          bool ends, bool forced) const {
    LiveHypothesis live{from.hypothesis, {}, c.fulfilment, from.forced, from.over_from_now(ends)};
    Hypothesis& h = live.hypothesis;
    h.append(c.piece, c.log_probability, eos_);
    if (forced) h.forced = h.log_probability, live.forced = h.tokens.size();
    if (from.progress.empty()) return live;
    live.progress =
        c.piece == eos_ ? from.progress : s.constraints.advance(from.progress, h.tokens);
    h.imposed = s.constraints.sum(live.progress, h.log_probabilities, live.forced);
    h.met = c.fulfilment.met;
    h.late = c.late;
    return live;
  }

  void finish(const SearchedSentence& s, HypothesisGroup& group, Hypothesis h) const {
    h.finish(options_.penalty, s.request->source);
    group.finished.push_back(std::move(h));
  }

  State& state_;
  AttendedState* const attended_;  // null where no request asks for attention
  const std::int32_t bos_, eos_;
  const SearchOptions& options_;
  const std::unique_ptr<Selection> selection_;
  std::vector<SearchedSentence> sentences_;
  // The demands of constraints in a step, and the continuations, by row.
  std::vector<Demands> demands_;
  std::vector<Continuations> rows_;
  std::vector<std::int32_t> barred_, asked_;
  BestScores scores_;
  std::vector<float> all_;
  // The choices of the group at work.
  std::vector<Extension> extensions_;
  std::vector<std::size_t> survivors_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> search(State& state, std::span<const SearchRequest> requests,
                                            std::int32_t bos, std::int32_t eos,
                                            const SearchOptions& options) {
  return Search(state, requests, bos, eos, options).run();
}

}  // namespace tt
