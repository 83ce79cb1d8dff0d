// Search on a toy model of five words, against enumeration of all its sentences.
#include "decode/search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "decode/ensemble.h"
#include "decode/token_constraints.h"
#include "tests/catch.h"
#include "tests/toy_search.h"

namespace tt {
namespace {

// Goes on with word 0 six times and then ends, each with a probability of 0.9; before that the end
// is the second likeliest.
class LongState : public State {
 public:
  void restrict(std::vector<PieceList>) override {}
  void step(std::span<const std::int32_t> tokens, const BestQuery& query,
            BestScores& scores) override {
    std::vector<float> all;
    step(tokens, all);
    best_from(all, kWords, query, scores);
  }
  void step(std::span<const std::int32_t> tokens, std::vector<float>& all) override {
    all.clear();
    const bool ends = steps_++ == 6;
    for (std::size_t r = 0; r < tokens.size(); ++r)
      for (const float p : {ends ? 0.05f : 0.9f, 0.02f, ends ? 0.9f : 0.05f, 0.02f, 0.01f})
        all.push_back(std::log(p));
  }
  void reorder(std::span<const std::int32_t>) override {}

 private:
  int steps_ = 0;
};

TEST_CASE("a beam of poor sentences does not end the search for a better one") {
  for (const LengthPenalty kind :
       {LengthPenalty::paper, LengthPenalty::length, LengthPenalty::none}) {
    LongState state;
    SearchOptions options;
    options.beam = 2;
    options.penalty = {kind, 1};
    const auto found = search(state, within_limits({20}), kBos, kEos, options);
    CHECK(found[0][0].tokens == Words(6, 0));
    LongState again;
    options.stop_when_full = true;
    CHECK(search(again, within_limits({20}), kBos, kEos, options)[0][0].tokens.size() < 6);
  }
}

// A model that returns the same number for everything.
class ConstantState : public State {
 public:
  explicit ConstantState(float value) : value_(value) {}
  void restrict(std::vector<PieceList>) override {}
  void step(std::span<const std::int32_t> tokens, const BestQuery& query,
            BestScores& scores) override {
    const std::size_t n = tokens.size() * static_cast<std::size_t>(query.best);
    scores = {std::vector<float>(n, value_), std::vector<std::int32_t>(n, 4),
              std::vector<float>(query.asked.size(), value_)};
  }
  void step(std::span<const std::int32_t> tokens, std::vector<float>& all) override {
    all.assign(tokens.size() * kWords, value_);
  }
  void reorder(std::span<const std::int32_t>) override {}

 private:
  float value_;
};

}  // namespace

TEST_CASE(
    "numbers that are not finite end the search, and a sentence that nothing may follow ends as it "
    "stands") {
  const auto limits = within_limits({5, 3});
  for (const float bad : {NAN, INFINITY}) {
    ConstantState state(bad);
    CHECK_THROWS_AS(search(state, limits, kBos, kEos, {}), NotFinite);
  }
  ConstantState nothing(-INFINITY);
  const auto found = search(nothing, limits, kBos, kEos, {});
  REQUIRE(found.size() == 2);
  for (const auto& sentence : found) {
    REQUIRE(sentence.size() == 1);
    CHECK(sentence[0].tokens.empty());
  }
}

TEST_CASE("a beam as wide as the tree finds the best of all sentences, and the next best") {
  const LengthPenalty kind =
      GENERATE(LengthPenalty::paper, LengthPenalty::length, LengthPenalty::none);
  const double alpha = GENERATE(0.0, 0.6, 1.0);
  const float eos_bias = GENERATE(-2.0f, 0.0f, 1.0f);
  SearchOptions options = wide();
  options.penalty = {kind, alpha};
  options.best = GENERATE(1, 20);
  const auto limits = within_limits({1, 3, 5, 4, 5, 2});
  ToyState state(static_cast<int>(limits.size()), eos_bias);
  const auto found = search(state, limits, kBos, kEos, options);
  for (std::size_t s = 0; s < limits.size(); ++s) {
    const auto all =
        enumerate(toy(static_cast<std::int32_t>(s), eos_bias), limits[s].limit, options.penalty);
    INFO("sentence " << s << ", alpha " << alpha << ", bias " << eos_bias);
    const std::size_t wanted = std::min(all.size(), static_cast<std::size_t>(options.best));
    REQUIRE(found[s].size() >= wanted);
    for (std::size_t i = 0; i < wanted; ++i) {
      CHECK(found[s][i].tokens == all[i].tokens);
      CHECK(found[s][i].score == Approx(all[i].score));
      double sum = 0;
      for (const float x : found[s][i].log_probabilities) sum += static_cast<double>(x);
      CHECK(sum == Approx(found[s][i].log_probability));
    }
  }
}

TEST_CASE("a whole translation as a prefix ends, however unlikely it is") {
  // Behind word 4, which costs 12 nats, the end has 0.9, and what may come instead 0.09; that goes
  // on for 9 words.
  const auto model = [](std::int32_t, const Words& prefix) {
    std::vector<float> p(kWords, 0.001f);
    if (prefix.empty()) p[0] = 0.9f, p[4] = 6e-6f;
    else if (prefix.size() == 1) p[kEos] = 0.9f, p[3] = 0.09f;
    else p[prefix.size() < 10 ? 3 : kEos] = 0.99f;
    for (float& x : p) x = std::log(x);
    return p;
  };
  for (const LengthPenalty kind : {LengthPenalty::paper, LengthPenalty::length}) {
    SearchOptions options;
    options.penalty = {kind, 1};
    ToyState state(1, model);
    const std::vector<SearchRequest> requests{with_prefix(20, {4})};
    const Hypothesis best = search(state, requests, kBos, kEos, options)[0][0];
    CHECK(best.tokens == Words{4});
    CHECK(best.log_probability == Approx(std::log(6e-6 * 0.9)));
    CHECK(best.score == Approx(std::log(0.9) / options.penalty.of(2)));
    ToyState again(1, model);
    options.sample.samples = 1, options.sample.top_k = 1;
    const Hypothesis drawn = search(again, requests, kBos, kEos, options)[0][0];
    CHECK(drawn.tokens == best.tokens);
    CHECK(drawn.score == Approx(best.score));
  }
}

TEST_CASE(
    "groups of a diverse search go apart, and without diversity each is a search of its own") {
  SearchOptions options;
  options.beam = 4;
  options.best = 2;
  options.groups = 2;
  const auto limits = within_limits({6, 6, 6, 6});
  ToyState same(4, 0), apart(4, 0), narrow(4, 0);
  const auto equal = search(same, limits, kBos, kEos, options);
  SearchOptions alone;
  alone.beam = 2;
  const auto one = search(narrow, limits, kBos, kEos, alone);
  options.diversity = 100;
  const auto different = search(apart, limits, kBos, kEos, options);
  for (std::size_t s = 0; s < 4; ++s) {
    CHECK(equal[s][0].tokens == one[s][0].tokens);
    std::set<std::int32_t> beginnings;
    for (const Hypothesis& h : different[s])
      beginnings.insert(h.tokens.empty() ? kEos : h.tokens[0]);
    CHECK(beginnings.size() >= 2);  // none of a group begins as one of the other does
  }
}

TEST_CASE("of an ensemble the member is named whose probability is not finite") {
  const bool last_alone = GENERATE(false, true);  // a piece that the others think unlikely
  for (const std::size_t bad : {0, 1, 2}) {
    std::vector<std::unique_ptr<State>> members;
    for (std::size_t m = 0; m < 3; ++m)
      members.push_back(std::make_unique<ToyState>(1, [=](auto sentence, const auto& prefix) {
        auto p = log_probabilities(sentence, prefix, m == bad && !last_alone ? std::nanf("") : 0);
        if (last_alone) p.back() = m == bad ? std::nanf("") : -50;
        return p;
      }));
    EnsembleState state(std::move(members));
    SearchOptions options;
    options.beam = 1;
    try {
      search(state, within_limits({5}), kBos, kEos, options);
      FAIL("nothing was thrown");
    } catch (const NotFinite& error) {
      CHECK(error.member == bad);
    }
  }
}

TEST_CASE("an ensemble searches the mean of its members' probabilities") {
  SearchOptions options = wide();
  const auto limits = within_limits({5, 4, 5});
  std::vector<std::unique_ptr<State>> members;
  members.push_back(std::make_unique<ToyState>(3, 0.0f));
  members.push_back(std::make_unique<ToyState>(3, 2.0f));
  members.push_back(std::make_unique<ToyState>(3, -3.0f));
  EnsembleState state(std::move(members));
  const bool constrained = GENERATE(false, true);
  if (constrained)
    options.constraints = {std::make_shared<MinimumLength>(1, kEos), std::make_shared<NoRepeat>(2),
                           std::make_shared<Forbidden>(Words{3})};
  const auto found = search(state, limits, kBos, kEos, options);
  for (std::size_t s = 0; s < limits.size(); ++s) {
    const auto sentence = static_cast<std::int32_t>(s);
    const auto mean = [&](const Words& prefix) {
      std::vector<float> p(kWords);
      for (const float bias : {0.0f, 2.0f, -3.0f}) {
        const auto one = log_probabilities(sentence, prefix, bias);
        for (std::size_t w = 0; w < kWords; ++w) p[w] += std::exp(one[w]) / 3;
      }
      for (float& x : p) x = std::log(x);
      return p;
    };
    const auto all =
        enumerate(mean, limits[s].limit, options.penalty, [&](const Words& words, bool ended) {
          if (!constrained) return true;
          if (ended && words.empty()) return false;
          for (std::size_t a = 0; a + 1 < words.size(); ++a)
            for (std::size_t b = a + 1; b + 1 < words.size(); ++b)
              if (words[a] == words[b] && words[a + 1] == words[b + 1]) return false;
          return std::find(words.begin(), words.end(), 3) == words.end();
        });
    CHECK(found[s][0].tokens == all[0].tokens);
    CHECK(found[s][0].score == Approx(all[0].score));
  }
}

TEST_CASE("a beam of one is greedy search") {
  SearchOptions options;
  options.beam = 1;
  ToyState state(4, 0);
  const auto limits = within_limits({6, 6, 6, 6});
  const auto found = search(state, limits, kBos, kEos, options);
  for (std::int32_t s = 0; s < 4; ++s) {
    Words greedy;
    for (bool ended = false; !ended && greedy.size() < 6;) {
      const auto p = log_probabilities(s, greedy, 0);
      const auto word = static_cast<std::int32_t>(std::max_element(p.begin(), p.end()) - p.begin());
      ended = word == kEos;
      if (!ended) greedy.push_back(word);
    }
    CHECK(found[static_cast<std::size_t>(s)][0].tokens == greedy);
  }
}

TEST_CASE("hypotheses come best first and no longer than the limit") {
  const SearchOptions options;
  const auto limits = within_limits({7, 1, 12});
  ToyState state(3, -3);
  const auto found = search(state, limits, kBos, kEos, options);
  for (std::size_t s = 0; s < limits.size(); ++s) {
    REQUIRE(!found[s].empty());
    for (std::size_t i = 0; i < found[s].size(); ++i) {
      CHECK(static_cast<std::int64_t>(found[s][i].tokens.size()) <= limits[s].limit);
      if (i > 0) CHECK(found[s][i - 1].score >= found[s][i].score);
    }
  }
}

TEST_CASE("search ends when nothing alive can overtake the best") {
  const SearchOptions options;
  ToyState state(1, 12);  // </s> is all but certain at once
  const auto found = search(state, within_limits({50}), kBos, kEos, options);
  CHECK(found[0][0].tokens.empty());
  CHECK(state.steps <= 2);
}

TEST_CASE("samples come as often as they are likely") {
  constexpr int kSamples = 20000;
  SearchOptions options;
  options.sample.samples = kSamples;
  options.penalty = {LengthPenalty::none, 0};
  ToyState state(1, 0);
  const auto found = search(state, within_limits({2}), kBos, kEos, options);
  REQUIRE(found[0].size() == kSamples);
  std::map<std::pair<Words, std::size_t>, int>
      counts;  // by words and steps: one that ends and one that is cut differ
  for (const Hypothesis& h : found[0]) ++counts[{h.tokens, h.log_probabilities.size()}];
  for (const Hypothesis& h : enumerate(toy(0, 0), 2, options.penalty)) {
    const double p = std::exp(h.log_probability), expected = kSamples * p;
    const double seen = counts[{h.tokens, h.log_probabilities.size()}];
    CHECK(std::abs(seen - expected) < 5 * std::sqrt(expected * (1 - p)) + 1);
  }
}

TEST_CASE("what may be drawn is chosen after the temperature: by top-k, then top-p, then epsilon") {
  // By their weights at a temperature of 2: 0.4, 0.3, 0.2, 0.08, 0.02.
  const std::vector<double> hot{0.08, 0.4, 0.02, 0.3, 0.2};
  const auto model = [&](std::int32_t, const Words&) {
    std::vector<float> p;
    double sum = 0;
    for (const double w : hot) sum += w * w;
    for (const double w : hot) p.push_back(static_cast<float>(std::log(w * w / sum)));
    return p;
  };
  SearchOptions all;
  SampleOptions& options = all.sample;
  options.temperature = 2;
  options.samples = 20000;
  std::vector<double> left = hot;
  const auto without = [&](std::initializer_list<std::size_t> pieces) {
    for (const std::size_t piece : pieces) left[piece] = 0;
  };
  SECTION("all") {}
  SECTION("top-k") { options.top_k = 3, without({0, 2}); }
  SECTION("top-p, which the likeliest at a temperature of 1 has alone: 0.16 of 0.2968") {
    options.top_p = 0.5, without({0, 2, 4});
  }
  SECTION("epsilon") { options.epsilon = 0.1, without({0, 2}); }
  SECTION("epsilon above all") { options.epsilon = 0.9, without({0, 2, 3, 4}); }
  SECTION("top-p of what top-k has left, 0.7 of 0.9") {
    options.top_k = 3, options.top_p = 0.75, without({0, 2, 4});
  }
  SECTION("epsilon of what top-k has left, 0.2 of 0.9") {
    options.top_k = 3, options.epsilon = 0.21, without({0, 2});
  }
  ToyState state(1, model);
  const auto found = search(state, within_limits({1}), kBos, kEos, all);
  std::vector<double> seen(kWords);
  for (const Hypothesis& h : found[0])
    ++seen[static_cast<std::size_t>(h.tokens.empty() ? kEos : h.tokens[0])];
  const double total = std::accumulate(left.begin(), left.end(), 0.0);
  for (std::size_t i = 0; i < kWords; ++i) {
    const double p = left[i] / total, expected = options.samples * p;
    CHECK(std::abs(seen[i] - expected) <= 5 * std::sqrt(expected * (1 - p)));
  }
}

TEST_CASE(
    "a sample depends on seed, number and its own number, and on the pieces that may be drawn") {
  SearchOptions all;
  SampleOptions& options = all.sample;
  options.samples = 3;
  const auto draw = [&](std::vector<std::uint64_t> numbers, int sentences) {
    ToyState state(sentences, -1);
    std::vector<SearchRequest> requests;
    for (const std::uint64_t number : numbers) requests.push_back({6, 1, number});
    return search(state, requests, kBos, kEos, all);
  };
  const auto two = draw({5, 9}, 2), one = draw({5}, 1);
  REQUIRE(two[0].size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(two[0][i].tokens == one[0][i].tokens);
  options.samples = 1;
  CHECK(draw({5}, 1)[0][0].tokens == one[0][0].tokens);
  options.samples = 200;
  const auto many = draw({5}, 1)[0];
  CHECK(std::set<Words>{many[0].tokens, many[1].tokens, many[2].tokens, many[3].tokens}.size() > 1);

  // The least of temperatures, the first piece alone, and the fewest pieces with a tiny probability
  // are all greedy search.
  SearchOptions greedy;
  greedy.beam = 1;
  ToyState state(1, -1);
  const Words best = search(state, within_limits({6}), kBos, kEos, greedy)[0][0].tokens;
  SampleOptions cold = options, first = options, certain = options;
  cold.temperature = 0.01, first.top_k = 1, certain.top_p = 0.001;
  for (const SampleOptions& each : {cold, first, certain}) {
    options = each;
    const auto drawn = draw({5}, 1);
    for (const Hypothesis& h : drawn[0]) CHECK(h.tokens == best);
  }
  options = {};
  options.samples = 300;
  options.top_k = 2;
  all.constraints = {std::make_shared<MinimumLength>(2, kEos), std::make_shared<NoRepeat>(1),
                     std::make_shared<Forbidden>(Words{4})};
  const auto drawn = draw({5}, 1);
  for (const Hypothesis& h : drawn[0]) {
    CHECK(h.tokens.size() >= 2);
    CHECK(std::set<std::int32_t>(h.tokens.begin(), h.tokens.end()).size() == h.tokens.size());
    CHECK(std::find(h.tokens.begin(), h.tokens.end(), 4) == h.tokens.end());
  }
}

TEST_CASE("a sample has the terms that are asked for, and is drawn as without where it had them") {
  SearchOptions all;
  SampleOptions& options = all.sample;
  options.samples = 500;
  const std::vector<std::vector<Words>> terms{{{4, 4, 1}}, {{3, 0}, {0, 3, 3}}};
  const auto draw = [&](const SearchRequest& request, float eos_bias) {
    ToyState state(1, eos_bias);
    return search(state, std::vector<SearchRequest>{request}, kBos, kEos, all)[0];
  };
  // Sentences that end soon, that do not end, and whose likeliest word alone may be drawn.
  for (const float eos_bias : {2.0f, -20.0f, 0.0f}) {
    options.top_k = eos_bias == 0 ? 1 : 0;
    const auto with = draw(with_terms(12, terms), eos_bias);
    const auto without = draw(within_limits({12})[0], eos_bias);
    REQUIRE(with.size() == 500);
    const Terms constraint(terms);
    std::size_t late = 0;
    for (std::size_t i = 0; i < with.size(); ++i) {
      CHECK(with[i].met == 2);
      CHECK(constraint.progress(with[i].tokens).met == 2);
      CHECK(with[i].tokens.size() <= 12);
      CHECK((with[i].late || with[i].tokens == without[i].tokens));
      late += with[i].late;
    }
    CHECK(late > 0);
  }
  // Its piece may be barred, and comes where the sentence ends.
  SearchRequest request = with_terms(12, {{{4, 4}}});
  request.constraints.push_back(std::make_shared<Forbidden>(Words{4}));
  for (const Hypothesis& h : draw(request, 1)) {
    REQUIRE(h.tokens.size() >= 2);
    CHECK(std::count(h.tokens.begin(), h.tokens.end(), 4) == 2);
    CHECK((h.met == 1 && h.late));
    CHECK((h.tokens.back() == 4 || h.tokens.size() == 12));
  }
}

TEST_CASE("the length penalty is that of Wu et al., a power of the length, or none") {
  CHECK(Penalty{LengthPenalty::paper, 0.6}.of(1) == 1.0);
  CHECK(Penalty{LengthPenalty::paper, 1}.of(13) == Approx(3.0));
  CHECK(Penalty{LengthPenalty::paper, 0}.of(100) == 1.0);
  CHECK(Penalty{LengthPenalty::length, 1}.of(7) == Approx(7.0));
  CHECK(Penalty{LengthPenalty::length, 0.5}.of(9) == Approx(3.0));
  CHECK(Penalty{LengthPenalty::none, 0.6}.of(9) == 1.0);
}

}  // namespace tt
