#include "decode/beam.h"

#include <algorithm>
#include <cmath>

namespace tt {

double length_penalty(std::int64_t length, double alpha) { return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha); }

namespace {

struct Sentence {
  std::int64_t limit;
  std::vector<Hypothesis> live, finished;
  bool done = false;
};

// A continuation of one row; equal log-probabilities are ordered by row and rank, so that the order is always the same.
struct Candidate {
  double log_probability;
  std::int32_t row, piece;  // row relative to the sentence
};

bool likelier(const Candidate& a, const Candidate& b) { return a.log_probability > b.log_probability; }

class Search {
 public:
  Search(std::int32_t eos, const SearchOptions& options) : eos_(eos), options_(options) {}

  void finish(Sentence& s, Hypothesis h, bool ended) const {
    h.score = h.log_probability / length_penalty(static_cast<std::int64_t>(h.tokens.size()) + ended, options_.alpha);
    s.finished.push_back(std::move(h));
  }

  // Extends the hypotheses of a sentence by their best continuations; `parents` gets the row of each survivor.
  void advance(Sentence& s, const std::vector<Candidate>& candidates, std::vector<std::int32_t>& parents) const {
    std::vector<Hypothesis> next;
    const auto beam = static_cast<std::size_t>(options_.beam);
    for (std::size_t rank = 0; rank < candidates.size() && next.size() < beam; ++rank) {
      const Candidate& c = candidates[rank];
      if (!std::isfinite(c.log_probability)) break;
      Hypothesis h = s.live[static_cast<std::size_t>(c.row)];
      h.log_probability = c.log_probability;
      if (c.piece == eos_) {
        if (rank < beam) finish(s, std::move(h), true);
      } else {
        h.tokens.push_back(c.piece);
        next.push_back(std::move(h));
        parents.push_back(c.row);
      }
    }
    if (next.empty() && s.finished.empty()) finish(s, std::move(s.live[0]), false);  // no continuation: it ends as it is
    s.live = std::move(next);
    if (!s.live.empty() && static_cast<std::int64_t>(s.live[0].tokens.size()) >= s.limit) {
      for (Hypothesis& h : s.live) finish(s, std::move(h), false);
      s.live.clear();
    }
    s.done = s.live.empty() || s.finished.size() >= beam || !can_improve(s);
    if (s.done) s.live.clear(), parents.clear();
  }

 private:
  bool can_improve(const Sentence& s) const {
    if (s.finished.empty()) return true;
    double best = s.finished[0].score;
    for (const Hypothesis& h : s.finished) best = std::max(best, h.score);
    // The most that a live hypothesis can reach: its probability as it is, over the largest penalty (the smallest for alpha < 0).
    const double longest = length_penalty(s.limit + 1, options_.alpha);
    const double now = length_penalty(static_cast<std::int64_t>(s.live[0].tokens.size()) + 1, options_.alpha);
    return s.live[0].log_probability / std::max(longest, now) > best;
  }

  std::int32_t eos_;
  const SearchOptions& options_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(State& state, std::span<const std::int64_t> limits, std::int32_t bos,
                                                 std::int32_t eos, const SearchOptions& options) {
  TT_CHECK(options.beam >= 1);
  const Search search(eos, options);
  const int best = 2 * options.beam;
  std::vector<Sentence> sentences;
  for (const std::int64_t limit : limits) {
    TT_CHECK(limit >= 1);
    sentences.push_back({limit, {Hypothesis{}}, {}});
  }
  std::vector<std::int32_t> tokens(sentences.size(), bos), parents, mine, pieces;
  std::vector<float> values;
  std::vector<Candidate> candidates;
  while (!tokens.empty()) {
    values.resize(tokens.size() * static_cast<std::size_t>(best));
    pieces.resize(values.size());
    state.step(tokens, best, values.data(), pieces.data());
    for (std::size_t r = 0; r < tokens.size();
         ++r)  // minus infinity means no continuation; other non-finite values are a failure
      if (const float first = values[r * static_cast<std::size_t>(best)]; std::isnan(first) || first == INFINITY)
        throw NotFinite();
    tokens.clear();
    parents.clear();
    std::int32_t first = 0;  // the first row of the sentence
    for (Sentence& s : sentences) {
      if (s.done) continue;
      const auto rows = static_cast<std::int32_t>(s.live.size());
      candidates.clear();
      for (std::int32_t r = 0; r < rows; ++r)
        for (int i = 0; i < best; ++i) {
          const std::size_t at =
              static_cast<std::size_t>(first + r) * static_cast<std::size_t>(best) + static_cast<std::size_t>(i);
          candidates.push_back(
              {s.live[static_cast<std::size_t>(r)].log_probability + static_cast<double>(values[at]), r, pieces[at]});
        }
      std::stable_sort(candidates.begin(), candidates.end(), likelier);
      if (candidates.size() > static_cast<std::size_t>(best)) candidates.resize(static_cast<std::size_t>(best));
      mine.clear();
      search.advance(s, candidates, mine);
      for (std::size_t i = 0; i < mine.size(); ++i) {
        parents.push_back(first + mine[i]);
        tokens.push_back(s.live[i].tokens.back());
      }
      first += rows;
    }
    if (!tokens.empty()) state.reorder(parents);
  }
  std::vector<std::vector<Hypothesis>> results;
  for (Sentence& s : sentences) {
    std::stable_sort(s.finished.begin(), s.finished.end(),
                     [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
    results.push_back(std::move(s.finished));
  }
  return results;
}

}  // namespace tt
