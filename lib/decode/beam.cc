#include "decode/beam.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace tt {

SearchOptions search_options(const Config& config) {
  SearchOptions options;
  options.beam = config.beam;
  options.penalty = {config.length_penalty, config.alpha};
  options.length_factor = config.length_factor;
  options.extra_length = config.extra_length;
  options.narrow = config.narrow_beam;
  options.stop_when_full = config.stop_when_full;
  options.forbid_unknown = config.forbid_unknown;
  return options;
}

void Hypothesis::append(std::int32_t piece, float found, std::int32_t eos) {
  if (piece != eos) tokens.push_back(piece);
  log_probabilities.push_back(found);
  log_probability += static_cast<double>(found);
}

double Hypothesis::score_at(std::int64_t length, const Penalty& penalty, std::int64_t source) const {
  return (log_probability - given - imposed) / penalty.of(length) + imposed / penalty.of(source);
}

void Hypothesis::finish(const Penalty& penalty, std::int64_t source) {
  score = score_at(std::max<std::int64_t>(1, static_cast<std::int64_t>(log_probabilities.size())), penalty, source);
}

std::span<const std::int32_t> RaggedRows::padded() {
  width_ = 0;
  for (const auto& row : rows_) width_ = std::max(width_, row.size());
  flat_.assign(width_ * rows_.size(), -1);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    std::copy(rows_[r].begin(), rows_[r].end(), flat_.begin() + static_cast<std::ptrdiff_t>(r * width_));
  return flat_;
}

namespace {

constexpr int kMostTermPieces = 24;  // more of them do not widen a beam
constexpr int kNever = std::numeric_limits<int>::max();

// Hypotheses that compete with each other.
struct Group {
  std::vector<Hypothesis> live{Hypothesis{}}, finished;
  // Of those that live, where there are terms.
  std::vector<Terms::Progress> progress;
  std::vector<char> over;      // whether it would have ended, if it might: what follows is there for the terms alone
  std::vector<int> over_with;  // the pieces of terms that it had when that was first so
};

struct Sentence {
  const Sought* sought;
  std::vector<Group> groups;
  int width;   // hypotheses of a group
  int ranks;   // that keep one each, where there are terms
  int enough;  // finished hypotheses of a group
};

// A continuation of one row; equal values are ordered by row and rank, so that the order is always the same.
struct Candidate {
  double value;             // what it is chosen by
  float found;              // the log-probability of the piece
  std::int32_t row, piece;  // row counted inside the group
  std::size_t met = 0;      // terms, and their pieces
  int pieces = 0;
  bool late = false;
};

class Search {
 public:
  Search(State& state, std::span<const Sought> sought, std::int32_t bos, std::int32_t eos, const SearchOptions& options)
      : state_(state), bos_(bos), eos_(eos), options_(options) {
    TT_CHECK(options.beam >= 1 && options.groups >= 1 && options.beam % options.groups == 0);
    for (const Sought& s : sought) {
      TT_CHECK(s.limit >= 1 && static_cast<std::int64_t>(s.prefix.size()) <= s.limit);
      const int ranks = s.terms.empty() ? 0 : std::min(s.terms.pieces(), kMostTermPieces) + 1;
      const int width = std::max(options.beam / options.groups, ranks + 1);
      Group group;
      if (!s.terms.empty())
        group.progress.push_back(s.terms.progress({})), group.over.push_back(0), group.over_with.push_back(kNever);
      const std::vector<Group> groups(static_cast<std::size_t>(options.groups), group);
      // Those that have all terms are the best of a beam as wide as the other ranks leave it.
      const int wanted = (options.best + options.groups - 1) / options.groups;
      sentences_.push_back({&s, groups, width, ranks, std::max(wanted, width - std::max(0, ranks - 1))});
    }
  }

  std::vector<std::vector<Hypothesis>> run() {
    std::vector<std::int32_t> tokens(sentences_.size() * static_cast<std::size_t>(options_.groups), bos_), parents;
    if (options_.groups > 1) {
      for (std::size_t r = 0; r < tokens.size(); ++r)
        parents.push_back(static_cast<std::int32_t>(r / static_cast<std::size_t>(options_.groups)));
      state_.reorder(parents);
    }
    while (!tokens.empty()) {
      ask(tokens);
      tokens.clear();
      parents.clear();
      std::int32_t row = 0;  // the first of the group
      for (Sentence& s : sentences_) {
        chosen_.clear();
        for (Group& g : s.groups) {
          if (g.live.empty()) continue;
          const auto rows = static_cast<std::int32_t>(g.live.size());
          mine_.clear();
          collect(s, g, row);
          ended_ = 0;
          advance(s, g);
          if (s.groups.size() > 1) chosen_[eos_] += ended_;
          for (std::size_t i = 0; i < mine_.size(); ++i) {
            parents.push_back(row + mine_[i]);
            tokens.push_back(g.live[i].tokens.back());
            if (s.groups.size() > 1) ++chosen_[tokens.back()];
          }
          row += rows;
        }
      }
      if (!tokens.empty()) state_.reorder(parents);
    }
    std::vector<std::vector<Hypothesis>> results;
    for (Sentence& s : sentences_) results.push_back(ranked(s));
    return results;
  }

 private:
  // The piece that must come next, or -1.
  static std::int32_t forced(const Sentence& s, const Hypothesis& h) {
    return h.tokens.size() < s.sought->prefix.size() ? s.sought->prefix[h.tokens.size()] : -1;
  }

  // How many of each row are looked at: a beam and </s>, but more where their order is not the one they are chosen in.
  static int continuations(const Sentence& s) {
    return s.sought->terms.empty() && s.groups.size() == 1 ? s.width + 1 : 2 * s.width;
  }

  void ask(std::span<const std::int32_t> tokens) {
    barred_.clear();
    asked_.clear();
    int best = 1;
    for (const Sentence& s : sentences_)
      for (const Group& g : s.groups)
        for (std::size_t i = 0; i < g.live.size(); ++i) {
          const Hypothesis& h = g.live[i];
          best = std::max(best, continuations(s));
          auto &barred = barred_.add(), &asked = asked_.add();
          if (const std::int32_t piece = forced(s, h); piece >= 0) {
            asked.push_back(piece);
            continue;
          }
          options_.rules.bar(h.tokens, eos_, barred);
          if (s.sought->terms.empty()) continue;
          asked = g.progress[i].next;
          if (g.progress[i].met == s.sought->terms.size()) continue;
          barred.push_back(eos_);
          asked.push_back(eos_);  // only to know
        }
    best_ = static_cast<std::size_t>(best);
    state_.step(tokens, {best, barred_.padded(), asked_.padded()}, answer_);
    for (std::size_t r = 0; r < tokens.size(); ++r)  // minus infinity is no continuation; anything else is a failure
      if (const float first = answer_.values[r * best_]; std::isnan(first) || first == INFINITY) throw NotFinite();
  }

  // The candidates of a group, whose first row is `first`, by their values.
  void collect(const Sentence& s, const Group& g, std::int32_t first) {
    candidates_.clear();
    ends_ = g.over;
    const auto most = static_cast<std::size_t>(continuations(s));
    for (std::size_t r = 0; r < g.live.size(); ++r) {
      const Hypothesis& h = g.live[r];
      const std::size_t row = static_cast<std::size_t>(first) + r;
      const auto asked = asked_.row(row);
      const auto put = [&](float found, std::int32_t piece) {
        double value = h.log_probability + static_cast<double>(found);
        if (!chosen_.empty())
          if (const auto before = chosen_.find(piece); before != chosen_.end()) value -= options_.diversity * before->second;
        candidates_.push_back({value, found, static_cast<std::int32_t>(r), piece});
      };
      if (forced(s, h) < 0)
        for (std::size_t i = 0; i < most; ++i) {
          const std::int32_t piece = answer_.pieces[row * best_ + i];
          if (std::find(asked.begin(), asked.end(), piece) == asked.end()) put(answer_.values[row * best_ + i], piece);
        }
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const float found = answer_.asked[row * asked_.width() + i];
        if (asked[i] != eos_) put(found, asked[i]);
        else if (found > answer_.values[row * best_] && static_cast<int>(h.tokens.size()) >= options_.rules.minimum) ends_[r] = 1;
      }
    }
    std::erase_if(candidates_, [](const Candidate& c) { return !std::isfinite(c.value); });
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
    if (s.sought->terms.empty()) return;
    for (Candidate& c : candidates_) {
      const auto row = static_cast<std::size_t>(c.row);
      const Terms::Progress& before = g.progress[row];
      c.met = before.met;
      c.pieces = before.pieces;
      if (c.piece == eos_) continue;
      c.pieces -= before.begun;
      if (!before.goes_on_with(c.piece) && !before.just_met(g.live[row].tokens.size())) continue;
      longer_ = g.live[row].tokens;
      longer_.push_back(c.piece);
      const Terms::Progress progress = s.sought->terms.progress(before, longer_);
      c.met = progress.met;
      c.pieces = progress.pieces;
    }
    for (Candidate& c : candidates_) c.late = c.pieces > over_with(g, static_cast<std::size_t>(c.row));
    std::stable_partition(candidates_.begin(), candidates_.end(), [](const Candidate& c) { return !c.late; });
  }

  int over_with(const Group& g, std::size_t row) const {
    return ends_[row] ? std::min(g.over_with[row], g.progress[row].pieces) : g.over_with[row];
  }

  // Extends the hypotheses of a group by the best candidates; mine_ gets, per survivor, its row.
  void advance(const Sentence& s, Group& g) {
    std::size_t width = static_cast<std::size_t>(s.width);
    if (options_.narrow) {
      width -= std::min(width, g.finished.size());
      if (s.ranks == 0) candidates_.resize(std::min(candidates_.size(), width));  // with terms, each rank takes its own
    }
    std::vector<Hypothesis> next;
    std::vector<Terms::Progress> progress;
    std::vector<char> over;
    std::vector<int> over_with_;
    std::vector<char> taken(candidates_.size());
    std::map<int, std::size_t> ranks;                  // of those with so many pieces of terms
    std::map<int, std::size_t, std::greater<>> first;  // the best of them, where it goes on
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& c = candidates_[i];
      const std::size_t rank = ranks[c.pieces]++;
      if (c.piece != eos_ && rank == 0) first[c.pieces] = i;
      if (c.piece == eos_ && rank < width) finish(s, g, extended(s, g, c)), ++ended_;
    }
    // The first of each rank, of those with the most pieces if there are too many, then the others of the first of these ranks,
    // then the best of all that are left.
    int ranked = s.ranks;
    for (const auto& [pieces, i] : first)
      if (ranked-- > 0) taken[i] = 1;
    std::size_t room = width - std::min(width, static_cast<std::size_t>(std::count(taken.begin(), taken.end(), 1)));
    const auto fill = [&](int least) {
      for (std::size_t i = 0; i < candidates_.size() && room > 0; ++i)
        if (!taken[i] && candidates_[i].piece != eos_ && candidates_[i].pieces >= least) taken[i] = 1, --room;
    };
    if (!first.empty()) fill(first.begin()->first);
    fill(0);
    for (std::size_t i = 0; i < candidates_.size() && next.size() < width; ++i)
      if (taken[i]) {
        next.push_back(extended(s, g, candidates_[i]));
        mine_.push_back(candidates_[i].row);
        if (g.progress.empty()) continue;
        const auto row = static_cast<std::size_t>(candidates_[i].row);
        progress.push_back(s.sought->terms.progress(g.progress[row], next.back().tokens));
        over.push_back(ends_[row]);
        over_with_.push_back(over_with(g, row));
      }
    if (next.empty() && g.finished.empty()) finish(s, g, std::move(g.live[0]));  // nothing may follow: it ends as it stands
    g.live = std::move(next);
    g.progress = std::move(progress);
    g.over = std::move(over);
    g.over_with = std::move(over_with_);
    if (!g.live.empty() && static_cast<std::int64_t>(g.live[0].tokens.size()) >= s.sought->limit) {
      for (Hypothesis& h : g.live) finish(s, g, std::move(h));
      g.live.clear();
    }
    const bool enough = g.finished.size() >= static_cast<std::size_t>(s.enough);
    const bool full_is_enough = options_.stop_when_full && s.ranks == 0;
    if (g.live.empty() || (enough && (full_is_enough || !leads(s, g))) || !can_improve(s, g)) g.live.clear(), mine_.clear();
  }

  Hypothesis extended(const Sentence& s, const Group& g, const Candidate& c) const {
    Hypothesis h = g.live[static_cast<std::size_t>(c.row)];
    if (forced(s, h) >= 0) h.given += static_cast<double>(c.found);
    h.append(c.piece, c.found, eos_);
    h.met = c.met;
    h.late = c.late;
    if (!s.sought->terms.empty())
      h.imposed = s.sought->terms.sum(s.sought->terms.progress(g.progress[static_cast<std::size_t>(c.row)], h.tokens),
                                      h.log_probabilities);
    return h;
  }

  void finish(const Sentence& s, Group& g, Hypothesis h) const {
    h.finish(options_.penalty, s.sought->source);
    g.finished.push_back(std::move(h));
  }

  // Whether what lives would come first if it ended now. What lacks terms counts until it would have ended without them, what is
  // late does not.
  bool leads(const Sentence& s, const Group& g) const {
    double most = -INFINITY, best = -INFINITY;
    for (std::size_t i = 0; i < g.live.size(); ++i)
      if (g.progress.empty() || (!g.live[i].late && (!g.over[i] || g.progress[i].met == s.sought->terms.size())))
        most = std::max(most, score_at(s, g.live[i], static_cast<std::int64_t>(g.live[i].tokens.size()) + 1));
    for (const Hypothesis& h : g.finished) best = std::max(best, h.score);
    return most > best;
  }

  // Whether what lives could still come before the last of those that are wanted.
  bool can_improve(const Sentence& s, const Group& g) {
    const std::size_t wanted = static_cast<std::size_t>((options_.best + options_.groups - 1) / options_.groups);
    if (g.finished.size() < wanted) return true;
    scores_.clear();
    for (const Hypothesis& h : g.finished) scores_.push_back(h.score);
    std::nth_element(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(wanted) - 1, scores_.end(), std::greater<>());
    double most = -INFINITY;
    // The most that a live hypothesis can reach: its probability as it is, over the largest penalty.
    for (const Hypothesis& h : g.live) most = std::max(most, score_at(s, h, s.sought->limit + 1));
    return most > scores_[wanted - 1];
  }

  double score_at(const Sentence& s, const Hypothesis& h, std::int64_t length) const {
    return h.score_at(length, options_.penalty, s.sought->source);
  }

  // The finished hypotheses of all groups, each once.
  static std::vector<Hypothesis> ranked(Sentence& s) {
    std::vector<Hypothesis> all;
    for (Group& g : s.groups)
      for (Hypothesis& h : g.finished)
        if (s.groups.size() == 1 ||
            std::none_of(all.begin(), all.end(), [&](const Hypothesis& before) { return before.tokens == h.tokens; }))
          all.push_back(std::move(h));
    std::stable_sort(all.begin(), all.end(), [](const Hypothesis& a, const Hypothesis& b) {
      if (a.met != b.met) return a.met > b.met;
      return a.late != b.late ? b.late : a.score > b.score;
    });
    return all;
  }

  State& state_;
  const std::int32_t bos_, eos_;
  const SearchOptions& options_;
  std::vector<Sentence> sentences_;
  RaggedRows barred_, asked_;
  Answer answer_;
  std::size_t best_ = 1;
  // Of the sentence or group at work.
  std::vector<Candidate> candidates_;
  std::map<std::int32_t, int> chosen_;  // how many hypotheses of earlier groups went on with a piece, or ended with </s>
  int ended_ = 0;
  std::vector<std::int32_t> mine_, longer_;
  std::vector<char> ends_;  // what is over behind each row
  std::vector<double> scores_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(State& state, std::span<const Sought> sentences, std::int32_t bos,
                                                 std::int32_t eos, const SearchOptions& options) {
  return Search(state, sentences, bos, eos, options).run();
}

}  // namespace tt
