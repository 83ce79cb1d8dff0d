// Search for sentences that have terms, on a toy model.
#include <algorithm>
#include <cmath>
#include <vector>

#include "decode/beam.h"
#include "tests/catch.h"
#include "tests/toy_search.h"

namespace tt {

TEST_CASE("a search finds the best of the sentences that have all terms") {
  SearchOptions options = wide();
  const Terms one({{{3, 3, 1}}}), either({{{4, 0}, {0, 4}}}), two({{{1, 0}}, {{0, 3}, {3}}});
  const std::vector<Sought> sought{{5, {}, one}, {5, {}, either}, {5, {}, two}, {5, {3}, one}, {5, {}, {}}};
  ToyState state(5, 0);
  const auto found = beam_search(state, sought, kBos, kEos, options);
  for (std::size_t s = 0; s < sought.size(); ++s) {
    INFO("sentence " << s);
    const Sought& what = sought[s];
    const auto has = [](const Words& words, const Words& phrase) {
      return std::search(words.begin(), words.end(), phrase.begin(), phrase.end()) != words.end();
    };
    const auto all = enumerate(toy(static_cast<std::int32_t>(s), 0), what.limit, options.penalty, [&](const Words& words, bool) {
      if (!what.prefix.empty() && (words.empty() || words[0] != what.prefix[0])) return false;
      if (s == 0 || s == 3) return has(words, {3, 3, 1});
      if (s == 1) return has(words, {4, 0}) || has(words, {0, 4});
      if (s == 4) return true;
      // The two must not overlap: 1 0 3 has both only because of its 3.
      return has(words, {1, 0}) && has(words, {3});
    });
    CHECK(found[s][0].tokens == all[0].tokens);
    CHECK(found[s][0].score == Approx(all[0].score));
    CHECK(found[s][0].met == what.terms.size());
  }
}

TEST_CASE("terms are met in a narrow beam too, and those that cannot be are counted") {
  SearchOptions options;
  options.beam = 2;
  options.narrow = GENERATE(false, true);
  for (std::int32_t word = 0; word < kWords; ++word) {
    if (word == kEos) continue;
    const std::vector<Sought> sought{{8, {}, Terms({{{word, word, 1}}, {{4}}})}, {2, {}, Terms({{{word, 3, 3, 1}}})}};
    ToyState state(2, 0);
    const auto found = beam_search(state, sought, kBos, kEos, options);
    CHECK(found[0][0].met == 2);
    CHECK(sought[0].terms.progress(found[0][0].tokens).met == 2);
    CHECK(found[1][0].met == 0);
  }
  const std::vector<Sought> many{{90, {}, Terms(std::vector<std::vector<Words>>(40, {{4}, {3, 3}}))}};  // more than widen a beam
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
  const std::vector<Sought> late{{40, {}, Terms({{Words{4}}})}};
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
  const std::vector<Sought> sought{{40, {}, Terms({{Words{4, 4, 4}}})}};
  ToyState state(1, model);
  CHECK(beam_search(state, sought, kBos, kEos, options)[0].size() >= 4);
}

}  // namespace tt
