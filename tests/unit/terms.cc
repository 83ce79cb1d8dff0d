// Search for sentences that have terms, on a toy model.
#include <algorithm>
#include <cmath>
#include <vector>

#include "decode/beam.h"
#include "tests/catch.h"
#include "tests/toy_search.h"

namespace tt {

namespace {

// What a search for terms should find of all sentences, best first.
std::vector<Hypothesis> best_with_terms(std::int32_t sentence, const Sought& sought, const Penalty& penalty) {
  const Words& prefix = sought.prefix;
  auto all = enumerate(toy(sentence, 0), sought.limit, penalty, [&](const Words& words, bool) {
    return words.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), words.begin()) &&
           sought.terms.progress(words).met == sought.terms.size();
  });
  for (Hypothesis& h : all) {
    // The prefix does not count, and the words of terms do by the length of the source.
    for (std::size_t i = 0; i < prefix.size(); ++i) h.given += static_cast<double>(h.log_probabilities[i]);
    const Terms::Progress progress = sought.terms.progress(h.tokens);
    std::vector<char> of_terms(h.tokens.size() + 1);
    for (std::size_t t = 0; t < sought.terms.size(); ++t)
      std::fill_n(of_terms.begin() + static_cast<std::ptrdiff_t>(progress.ends[t] - progress.lengths[t]), progress.lengths[t], 1);
    for (std::size_t i = 0; i < h.tokens.size(); ++i)
      if (of_terms[i]) h.imposed += static_cast<double>(h.log_probabilities[i]);
    h.score = (h.log_probability - h.given - h.imposed) / penalty.of(static_cast<std::int64_t>(h.log_probabilities.size())) +
              h.imposed / penalty.of(sought.source);
    // Where it would have ended without the terms that are missing, it is late.
    for (std::size_t n = prefix.size(); n < h.tokens.size(); ++n) {
      const Words begin(h.tokens.begin(), h.tokens.begin() + static_cast<std::ptrdiff_t>(n));
      const auto p = log_probabilities(sentence, begin, 0);
      if (std::max_element(p.begin(), p.end()) - p.begin() == kEos && sought.terms.progress(begin).met < sought.terms.size())
        h.late = true;
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.late != b.late ? b.late : a.score > b.score; });
  return all;
}

}  // namespace

TEST_CASE("a search finds the best of the sentences that have all terms") {
  SearchOptions options = wide();
  options.penalty = {GENERATE(LengthPenalty::paper, LengthPenalty::length), 1};
  options.best = 4;
  const Terms one({{{3, 3, 1}}}), either({{{4, 0}, {0, 4}}}), two({{{1, 0}}, {{0, 3}, {3}}});
  const std::vector<Sought> sought{{5, {}, one, 4}, {5, {}, either, 9},  {5, {}, two, 1},    {5, {3}, one, 3},
                                   {5, {}, {}, 1},  {5, {1}, either, 2}, {5, {1, 0}, two, 5}};
  ToyState state(static_cast<int>(sought.size()), 0);
  const auto found = beam_search(state, sought, kBos, kEos, options);
  for (std::size_t s = 0; s < sought.size(); ++s) {
    INFO("sentence " << s);
    const auto all = best_with_terms(static_cast<std::int32_t>(s), sought[s], options.penalty);
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 4); ++i) {
      CHECK(found[s][i].tokens == all[i].tokens);
      CHECK(found[s][i].score == Approx(all[i].score));
      CHECK(found[s][i].late == all[i].late);
      CHECK(found[s][i].met == sought[s].terms.size());
    }
  }
}

TEST_CASE("a term stands in a sentence, not behind its end, and a longer sentence does not make it cheaper") {
  // Words 0 and 1 are a sentence. Word 4 costs 12 nats inside of it, and 9 behind its end, where 6 words follow at no cost.
  const auto model = [](std::int32_t, const Words& prefix) {
    std::vector<float> p(kWords, 1e-9f);
    const auto at = std::find(prefix.begin(), prefix.end(), 4) - prefix.begin();
    const std::size_t words = prefix.size() - (at < static_cast<std::ptrdiff_t>(prefix.size()));
    p[4] = words >= 2 ? 1.2e-4f : 6e-6f;
    p[words == 0 ? 0 : words == 1 ? 1 : static_cast<int>(kEos)] = 0.99f;
    if (at >= 2 && words >= 2 && prefix.size() > 2) p[kEos] = prefix.size() < 9 ? 1e-3f : 0.99f, p[3] = 0.99f;
    for (float& x : p) x = std::log(x);
    return p;
  };
  SearchOptions options;
  options.penalty = {GENERATE(LengthPenalty::paper, LengthPenalty::length, LengthPenalty::none), 1};
  options.beam = GENERATE(1, 2, 5);
  options.narrow = GENERATE(false, true);
  ToyState state(1, model);
  const auto found = beam_search(state, std::vector<Sought>{{30, {}, Terms({{Words{4}}}), 3}}, kBos, kEos, options)[0];
  const Words& best = found[0].tokens;
  CHECK(best.size() == 3);
  CHECK(best.back() == 1);
  CHECK(std::count(best.begin(), best.end(), 4) == 1);
}

TEST_CASE("terms are met in a narrow beam too, and those that cannot be are counted") {
  SearchOptions options;
  options.beam = 2;
  options.narrow = GENERATE(false, true);
  for (std::int32_t word = 0; word < kWords; ++word) {
    if (word == kEos) continue;
    const std::vector<Sought> sought{{8, {}, Terms({{{word, word, 1}}, {{4}}}), 1}, {2, {}, Terms({{{word, 3, 3, 1}}}), 1}};
    ToyState state(2, 0);
    const auto found = beam_search(state, sought, kBos, kEos, options);
    CHECK(found[0][0].met == 2);
    CHECK(sought[0].terms.progress(found[0][0].tokens).met == 2);
    CHECK(found[1][0].met == 0);
  }
  const std::vector<Sought> many{
      {90, {}, Terms(std::vector<std::vector<Words>>(40, {{4}, {3, 3}})), 1}};  // more than widen a beam
  ToyState state(1, 0);
  CHECK(beam_search(state, many, kBos, kEos, options)[0][0].met == 40);
  const Terms::Progress p = Terms({{{3, 3, 1}}, {{1, 0}}}).progress(Words{3, 3, 3, 1, 0, 1});
  CHECK(p.met == 1);
  CHECK(p.ends == std::vector<std::size_t>{4, 0});
  CHECK(p.next == Words{0, 1});
  CHECK(p.pieces == 4);
}

TEST_CASE("a search for terms waits for the best place of one, but not for what would have ended without it") {
  // Word 0 six times; then the term, word 4, may come. Where it comes before, first of all at the beginning, the sentence ends.
  std::size_t longest = 0;
  const auto model = [&](std::int32_t, const Words& prefix) {
    longest = std::max(longest, prefix.size());
    std::vector<float> p(kWords, 0.01f);
    const bool met = std::count(prefix.begin(), prefix.end(), 4) > 0;
    if (met) p[kEos] = 0.9f;
    else if (prefix.size() <= 6) p[0] = 0.9f;
    else p[kEos] = 0.49f, p[0] = 0.48f;
    p[4] = prefix.size() == 6 ? 0.05f : prefix.empty() ? 1e-4f : 1e-6f;
    for (float& x : p) x = std::log(x);
    return p;
  };
  const std::vector<Sought> late{{40, {}, Terms({{Words{4}}}), 1}};
  for (const bool stop_when_full : {false, true}) {
    SearchOptions options;
    options.beam = 2;
    options.stop_when_full = stop_when_full;
    ToyState state(1, model);
    CHECK(beam_search(state, late, kBos, kEos, options)[0][0].tokens == Words{0, 0, 0, 0, 0, 0, 4});
    CHECK(longest < 10);
  }
}

TEST_CASE("a list of sentences with terms has as many as are wanted") {
  // Before the term the end is the likeliest word, but the term has more pieces than the beam has hypotheses.
  const auto model = [](std::int32_t, const Words& prefix) {
    const bool met = std::count(prefix.begin(), prefix.end(), 4) == 3;
    std::vector<float> p{0.1f, 0.1f, met ? 0.7f : 0.2f, 0.01f, 0.01f};
    for (float& x : p) x = std::log(x);
    return p;
  };
  SearchOptions options;
  options.beam = options.best = 4;
  const std::vector<Sought> sought{{40, {}, Terms({{Words{4, 4, 4}}}), 1}};
  ToyState state(1, model);
  CHECK(beam_search(state, sought, kBos, kEos, options)[0].size() >= 4);
}

}  // namespace tt
