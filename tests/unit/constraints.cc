// Search for sentences that keep constraints, on a toy model, against enumeration of all its
// sentences.
#include <algorithm>
#include <cmath>
#include <vector>

#include "decode/terms.h"
#include "decode/token_constraints.h"
#include "tests/catch.h"
#include "tests/toy_search.h"

namespace tt {

namespace {

struct Case {
  Words prefix;
  std::vector<std::vector<Words>> terms;
  std::size_t minimum = 0, no_repeat = 0;
  Words forbidden;
  std::int64_t limit = 5, source = 3;

  SearchRequest request() const {
    SearchRequest r{limit, source};
    if (!prefix.empty()) r.constraints.push_back(std::make_shared<Prefix>(prefix));
    if (!terms.empty()) r.constraints.push_back(std::make_shared<Terms>(terms));
    if (minimum > 0) r.constraints.push_back(std::make_shared<MinimumLength>(minimum, kEos));
    if (no_repeat > 0) r.constraints.push_back(std::make_shared<NoRepeat>(no_repeat));
    if (!forbidden.empty()) r.constraints.push_back(std::make_shared<Forbidden>(forbidden));
    return r;
  }

  // Whether a word may not follow, unless a prefix or a term asks for it.
  bool barred(const Words& words, std::int32_t next) const {
    if (next == kEos) return words.size() < minimum;
    if (std::find(forbidden.begin(), forbidden.end(), next) != forbidden.end()) return true;
    Words longer = words;
    longer.push_back(next);
    if (no_repeat == 0 || longer.size() < no_repeat) return false;
    const auto last = longer.end() - static_cast<std::ptrdiff_t>(no_repeat);
    return std::search(longer.begin(), longer.end(), last, longer.end()) != last;
  }
};

// The translations of all sentences that a search should find, best first.
std::vector<Hypothesis> enumerate(std::int32_t sentence, const Case& c, const Penalty& penalty) {
  const Terms terms(c.terms);
  const std::size_t all_terms = c.terms.size();
  const auto begin = [](const Words& words, std::size_t n) {
    return Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
  };
  const auto allowed = [&](const Words& words, bool ended) {
    for (std::size_t n = 0; n < words.size() + ended; ++n) {
      const Words before = begin(words, n);
      const std::int32_t next = n < words.size() ? words[n] : kEos;
      if (n < c.prefix.size()) {
        if (next != c.prefix[n]) return false;
        continue;
      }
      const Terms::Progress progress = terms.progress(before);
      if (next == kEos && progress.met < all_terms) return false;
      if (c.barred(before, next) && !progress.goes_on_with(next)) return false;
    }
    return true;
  };
  auto all = enumerate(toy(sentence, 0), c.limit, penalty, allowed, c.prefix.size());
  for (Hypothesis& h : all) {
    const Terms::Progress progress = terms.progress(h.tokens);
    h.met = progress.met;
    // The words of terms count by the length of the source, but not those of the prefix.
    for (std::size_t t = 0; t < all_terms; ++t)
      for (std::size_t i = progress.ends[t] - progress.lengths[t]; i < progress.ends[t]; ++i)
        if (i >= c.prefix.size()) h.imposed += static_cast<double>(h.log_probabilities[i]);
    const auto length = static_cast<std::int64_t>(h.log_probabilities.size());
    h.score = (h.log_probability - h.forced - h.imposed) / penalty.of(length) +
              h.imposed / penalty.of(c.source);
    // If it would have ended without the terms that are missing, it is late.
    for (std::size_t n = c.prefix.size(); n < h.tokens.size(); ++n) {
      const Words before = begin(h.tokens, n);
      if (terms.progress(before).met == all_terms || c.barred(before, kEos)) continue;
      const auto p = log_probabilities(sentence, before, 0);
      float most = -INFINITY;
      for (std::int32_t word = 0; word < kWords; ++word)
        if (word != kEos && !c.barred(before, word))
          most = std::max(most, p[static_cast<std::size_t>(word)]);
      if (p[kEos] > most && h.met == all_terms) h.late = true;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Hypothesis& a, const Hypothesis& b) {
    if (a.met != b.met) return a.met > b.met;
    return a.late != b.late ? b.late : a.score > b.score;
  });
  return all;
}

}  // namespace

TEST_CASE(
    "a search finds the best of the sentences that keep all constraints, however they are "
    "combined") {
  SearchOptions options = wide();
  options.penalty = {GENERATE(LengthPenalty::paper, LengthPenalty::length), 1};
  options.groups = GENERATE(1, 2);
  options.narrow_beam = GENERATE(false, true);
  options.best = 6;  // half of them of each of two groups, which find the same
  std::vector<Case> cases;
  for (const Words& prefix : {Words{}, Words{1}, Words{3, 0}})
    for (const auto& terms : std::vector<std::vector<std::vector<Words>>>{
             {}, {{{3, 3, 1}}}, {{{4, 0}, {0, 4}}}, {{{1, 0}}, {{0, 3}, {3}}}})
      for (const std::size_t minimum : {0, 3, 9})
        for (const std::size_t no_repeat : {0, 1, 2})
          for (const Words& forbidden : {Words{}, Words{4}})
            cases.push_back({prefix, terms, minimum, no_repeat, forbidden});
  std::vector<SearchRequest> requests;
  for (const Case& c : cases) requests.push_back(c.request());
  ToyState state(static_cast<int>(cases.size()), 0);
  const auto found = search(state, requests, kBos, kEos, options);
  for (std::size_t s = 0; s < cases.size(); ++s) {
    const Case& c = cases[s];
    INFO("sentence " << s << ": prefix " << c.prefix.size() << ", terms " << c.terms.size()
                     << ", minimum " << c.minimum << ", no repeat " << c.no_repeat << ", forbidden "
                     << c.forbidden.size());
    const auto all = enumerate(static_cast<std::int32_t>(s), c, options.penalty);
    std::size_t whole = 0;
    while (whole < std::min(all.size(), static_cast<std::size_t>(options.best / options.groups)) &&
           all[whole].met == c.terms.size())
      ++whole;
    REQUIRE(found[s].size() >= std::max<std::size_t>(whole, 1));
    for (std::size_t i = 0; i < whole; ++i) {
      CHECK(found[s][i].tokens == all[i].tokens);
      CHECK(found[s][i].score == Approx(all[i].score));
      CHECK(found[s][i].late == all[i].late);
      CHECK(found[s][i].met == all[i].met);
    }
  }
}

TEST_CASE(
    "a term stands in a sentence, not behind its end, and a longer sentence does not make it "
    "cheaper") {
  // Words 0 and 1 are a sentence. Word 4 costs 12 nats inside of it, and 9 behind its end, where 6
  // words follow at no cost.
  const auto model = [](std::int32_t, const Words& prefix) {
    std::vector<float> p(kWords, 1e-9f);
    const auto at = std::find(prefix.begin(), prefix.end(), 4) - prefix.begin();
    const std::size_t words = prefix.size() - (at < static_cast<std::ptrdiff_t>(prefix.size()));
    p[4] = words >= 2 ? 1.2e-4f : 6e-6f;
    p[words == 0 ? 0 : words == 1 ? 1 : static_cast<int>(kEos)] = 0.99f;
    if (at >= 2 && words >= 2 && prefix.size() > 2)
      p[kEos] = prefix.size() < 9 ? 1e-3f : 0.99f, p[3] = 0.99f;
    for (float& x : p) x = std::log(x);
    return p;
  };
  SearchOptions options;
  options.penalty = {GENERATE(LengthPenalty::paper, LengthPenalty::length, LengthPenalty::none), 1};
  options.beam = GENERATE(1, 2, 5);
  options.narrow_beam = GENERATE(false, true);
  ToyState state(1, model);
  SearchRequest request = with_terms(30, {{{4}}});
  request.source = 3;
  const auto found = search(state, std::vector<SearchRequest>{request}, kBos, kEos, options)[0];
  const Words& best = found[0].tokens;
  CHECK(best.size() == 3);
  CHECK(best.back() == 1);
  CHECK(std::count(best.begin(), best.end(), 4) == 1);
}

TEST_CASE("terms are met in a narrow beam too, and those that cannot be are counted") {
  SearchOptions options;
  options.beam = 2;
  options.narrow_beam = GENERATE(false, true);
  for (std::int32_t word = 0; word < kWords; ++word) {
    if (word == kEos) continue;
    const std::vector<SearchRequest> requests{with_terms(8, {{{word, word, 1}}, {{4}}}),
                                              with_terms(2, {{{word, 3, 3, 1}}})};
    ToyState state(2, 0);
    const auto found = search(state, requests, kBos, kEos, options);
    CHECK(found[0][0].met == 2);
    CHECK(Terms({{{word, word, 1}}, {{4}}}).progress(found[0][0].tokens).met == 2);
    CHECK(found[1][0].met == 0);
  }
  // More than widen a beam.
  const std::vector<SearchRequest> many{
      with_terms(90, std::vector<std::vector<Words>>(40, {{4}, {3, 3}}))};
  ToyState state(1, 0);
  CHECK(search(state, many, kBos, kEos, options)[0][0].met == 40);
  const Terms::Progress p = Terms({{{3, 3, 1}}, {{1, 0}}}).progress(Words{3, 3, 3, 1, 0, 1});
  CHECK(p.met == 1);
  CHECK(p.ends == std::vector<std::size_t>{4, 0});
  CHECK(p.next == Words{0, 1});
  CHECK(p.pieces == 4);
}

TEST_CASE(
    "a search for terms waits for the best place of one, but not for what would have ended without "
    "it") {
  // Word 0 six times; then the term, word 4, may come. Where it comes before, first of all at the
  // beginning, the sentence ends.
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
  const std::vector<SearchRequest> late{with_terms(40, {{{4}}})};
  for (const bool stop_when_full : {false, true}) {
    SearchOptions options;
    options.beam = 2;
    options.stop_when_full = stop_when_full;
    ToyState state(1, model);
    CHECK(search(state, late, kBos, kEos, options)[0][0].tokens == Words{0, 0, 0, 0, 0, 0, 4});
    CHECK(longest < 10);
  }
}

TEST_CASE("a list of sentences with terms has as many as are wanted") {
  // Before the term the end is the likeliest word, but the term has more pieces than the beam has
  // hypotheses.
  const auto model = [](std::int32_t, const Words& prefix) {
    const bool met = std::count(prefix.begin(), prefix.end(), 4) == 3;
    std::vector<float> p{0.1f, 0.1f, met ? 0.7f : 0.2f, 0.01f, 0.01f};
    for (float& x : p) x = std::log(x);
    return p;
  };
  SearchOptions options;
  options.beam = options.best = 4;
  const std::vector<SearchRequest> requests{with_terms(40, {{{4, 4, 4}}})};
  ToyState state(1, model);
  CHECK(search(state, requests, kBos, kEos, options)[0].size() >= 4);
}

}  // namespace tt
