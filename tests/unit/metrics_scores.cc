// Metrics against counting by hand and by brute force, and what a row, a corpus and a comparison
// must satisfy.
#include <map>
#include <random>

#include "base/error.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/compare.h"
#include "metrics/ngrams.h"
#include "metrics/pcg64.h"
#include "metrics/scoring.h"
#include "metrics/significance.h"
#include "metrics/ter.h"
#include "metrics/ter_edits.h"
#include "tests/catch.h"

namespace tt::metrics {

namespace {

using Numbers = std::vector<std::uint32_t>;

std::vector<std::int32_t> row_of(const Metric& metric, std::string_view hypothesis,
                                 std::vector<std::string_view> references) {
  std::vector<std::int32_t> row(metric.width());
  metric.segment(hypothesis, references, row);
  return row;
}

double score_of(const Metric& metric, std::string_view hypothesis,
                std::vector<std::string_view> references) {
  const auto row = row_of(metric, hypothesis, references);
  return metric.score({row.begin(), row.end()});
}

}  // namespace

TEST_CASE("n-gram matches agree with brute force", "[metrics]") {
  std::mt19937 random(1);
  NgramMatcher matcher;
  for (int round = 0; round < 2000; ++round) {
    // From few symbols, so that much repeats, to more than the direct table holds.
    const std::uint32_t symbols = round % 20 == 0 ? 3000 : 2 + random() % 6;
    const auto text = [&] {
      Numbers numbers(random() % (round % 20 == 0 ? 200 : 30));
      for (auto& number : numbers)
        number = symbols == 3000 && random() % 2 ? random() % 4 : random() % symbols;
      return numbers;
    };
    const Numbers hypothesis = text();
    std::vector<Numbers> references(1 + random() % 3);
    for (auto& reference : references) reference = random() % 3 ? text() : hypothesis;
    std::int32_t matches[6];
    matcher.match(hypothesis, references, symbols, matches);
    for (std::size_t n = 1; n <= 6; ++n) {
      const auto count = [&](const Numbers& numbers) {
        std::map<Numbers, int> counts;
        for (std::size_t i = 0; i + n <= numbers.size(); ++i)
          ++counts[Numbers(numbers.begin() + i, numbers.begin() + i + n)];
        return counts;
      };
      std::map<Numbers, int> most;
      for (const auto& reference : references) {
        for (const auto& [ngram, times] : count(reference))
          most[ngram] = std::max(most[ngram], times);
      }
      int expected = 0;
      for (const auto& [ngram, times] : count(hypothesis))
        expected += most.count(ngram) ? std::min(times, most[ngram]) : 0;
      REQUIRE(matches[n - 1] == expected);
    }
  }
}

TEST_CASE("strings are numbered by their first appearance", "[metrics]") {
  Numbering numbering;
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i)
    texts.push_back(std::string(static_cast<std::size_t>(i % 20), 'x') + std::to_string(i));
  for (int round = 0; round < 3; ++round) {
    numbering.clear();
    for (std::uint32_t i = 0; i < 1000; ++i) REQUIRE(numbering.number(texts[i]) == i);
    for (std::uint32_t i = 0; i < 1000; ++i) REQUIRE(numbering.number(texts[i]) == i);
  }
}

TEST_CASE("BLEU's row holds lengths and counts", "[metrics]") {
  const Bleu bleu(BleuOptions{});
  // Lengths of hypothesis and reference; matches of 1 to 4 words; n-grams of 1 to 4 words.
  CHECK(row_of(bleu, "the the the cat", {"the cat", "a the b the"}) ==
        std::vector<std::int32_t>{4, 4, 3, 1, 0, 0, 4, 3, 2, 1});
  CHECK(row_of(bleu, "a b c", {"a b", "a b c d"})[1] == 2);  // the shorter of two equally near
  CHECK(row_of(bleu, "", {"a"}) == std::vector<std::int32_t>{0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("BLEU's smoothings", "[metrics]") {
  const auto score = [](const std::string& smoothing, bool effective = false) {
    BleuOptions options;
    set_smoothing(smoothing, options);
    options.effective_order = effective;
    return score_of(Bleu(options), "a b x", {"a b c"});  // 2/3, 1/2, 0/1
  };
  const auto mean = [](double product, double order) { return 100 * std::pow(product, 1 / order); };
  CHECK(score("none") == Approx(0).margin(1e-9));
  CHECK(score("exp") == 0);  // there is no 4-gram
  CHECK(score("exp", true) == Approx(mean(2.0 / 3 * 1 / 2 * 1 / 2, 3)));
  CHECK(score("floor", true) == Approx(mean(2.0 / 3 * 1 / 2 * 0.1, 3)));
  CHECK(score("floor:0.5", true) == Approx(mean(2.0 / 3 * 1 / 2 * 0.5, 3)));
  CHECK(score("add-k", true) == Approx(mean(2.0 / 3 * 2 / 3 * 1 / 2 * 1 / 1, 4)));
  BleuOptions options;
  for (const char* wrong :
       {"", "linear", "exp:1", "floor:", "floor:x", "floor:-1", "floor:1x", "add-k:inf"}) {
    INFO(wrong);
    CHECK_THROWS_AS(set_smoothing(wrong, options), Error);
  }
  set_smoothing("add-k:2", options);
  CHECK(smoothing_name(options) == "add-k[2.00]");
}

TEST_CASE("corpus_bleu takes one reference per line", "[metrics]") {
  const std::vector<std::string> texts = {"The quick brown fox jumps.",
                                          "Over the lazy dog it goes."};
  CHECK(corpus_bleu(texts, texts) == Approx(100));
  CHECK_THROWS_AS(corpus_bleu(texts, std::vector<std::string>(1)), Error);
  CHECK_THROWS_AS(corpus_bleu({}, {}), Error);
  BleuOptions options;
  options.max_order = 0;
  CHECK_THROWS_AS(corpus_bleu(texts, texts, options), Error);
}

TEST_CASE("the paper's metric splits compounds and says so", "[metrics]") {
  BleuOptions options;
  options.tokenize = "none";
  options.split_compounds = true;
  const Bleu bleu(options);
  CHECK(bleu.tokens("ein Drei-Wege-Ventil") == std::vector<std::string>{"ein", "Drei",
                                                                        "##AT##-##AT##", "Wege",
                                                                        "##AT##-##AT##", "Ventil"});
  CHECK(!bleu.comparable());
  CHECK(bleu.name() != "BLEU");
}

TEST_CASE("words that no edit touches are kept, wherever a block could be shifted") {
  const auto kept = [](std::string_view hypothesis, std::string_view reference) {
    std::string marks;
    for (const bool word : kept_words(hypothesis, reference)) marks += word ? '+' : '-';
    return marks;
  };
  CHECK(kept("a b c d", "a x c d e") == "+-++");
  CHECK(kept("b a", "a b") == "--");
  CHECK(kept("A dog. ", " A  dog") == "+-");
  CHECK(kept("猫がいる", "犬がいる") == "-+++");
  CHECK(kept("a b", "") == "--");
  CHECK(kept("", "a").empty());
}

TEST_CASE("chrF takes the best reference", "[metrics]") {
  const Chrf chrf(ChrfOptions{.char_order = 2});
  CHECK(row_of(chrf, "a b", {"xy", "ab"}) == std::vector<std::int32_t>{2, 2, 2, 1, 1, 1});
  CHECK(row_of(chrf, "ab", {"c"}) ==
        std::vector<std::int32_t>{2, 1, 0, 0, 0, 0});  // no count where the reference has no n-gram
  CHECK(row_of(Chrf(ChrfOptions{.char_order = 1}), "ab", {"xx", "yyy"}) ==
        std::vector<std::int32_t>{2, 2, 0});  // the first of equals
  CHECK(Chrf(ChrfOptions{.word_order = 2}).name() == "chrF2++");
  CHECK(Chrf(ChrfOptions{.beta = 0.5}).name() == "chrF0.5");
  CHECK_THROWS_AS(Chrf(ChrfOptions{.char_order = 0}), Error);
}

TEST_CASE("TER counts shifts, and averages references exactly", "[metrics]") {
  TerEdits edits;
  CHECK(edits.count(Numbers{4, 5, 6, 7, 8, 1, 2, 3}, Numbers{1, 2, 3, 4, 5, 6, 7, 8}) == 1);
  CHECK(edits.count(Numbers{1, 2}, Numbers{}) == 2);
  CHECK(edits.count(Numbers{}, Numbers{1, 2, 3}) == 3);
  CHECK(edits.count(Numbers{1, 9, 3}, Numbers{1, 2, 3, 4}) == 2);
  // Found at random; what sacreBLEU counts. The first moves a block to a place within itself.
  CHECK(edits.count(Numbers{1, 2, 3, 2, 1}, Numbers{3, 1, 1, 2, 2}) == 3);
  CHECK(edits.count(Numbers{2, 4, 4, 2, 5, 1, 1, 1, 4, 2, 2, 4, 1, 3},
                    Numbers{2, 4, 2, 2, 1, 4, 1, 2, 4, 5, 5, 2}) == 7);
  CHECK(edits.count(Numbers{2, 1, 1, 4, 4, 2, 3, 2, 3, 1, 3, 4, 1, 3},
                    Numbers{4, 3, 1, 5, 1, 3, 2, 5, 3, 1, 3, 2}) == 8);
  const Ter ter(TerOptions{});
  CHECK(row_of(ter, "a b c", {"a b", "a b c d", "a"}) ==
        std::vector<std::int32_t>{1, 2, kTerUnit / 3});
  // References pass the rules twice, the hypothesis once: ". .1" against ". . 1".
  CHECK(row_of(Ter(TerOptions{.normalized = true}), "..1", {"..1"}) ==
        std::vector<std::int32_t>{2, 3, 0});
  CHECK(score_of(ter, "a", {""}) == 100);
  CHECK(score_of(ter, "", {""}) == 0);
  CHECK_THROWS_AS(score_of(ter, "a", std::vector<std::string_view>(23, "a")), Error);
}

TEST_CASE("TER of very long lines ends", "[metrics]") {
  Numbers hypothesis(20000), reference(15000);
  for (std::size_t i = 0; i < hypothesis.size(); ++i)
    hypothesis[i] = static_cast<std::uint32_t>(i % 977);
  for (std::size_t i = 0; i < reference.size(); ++i)
    reference[i] = static_cast<std::uint32_t>(i % 983);
  const std::int32_t edits = TerEdits().count(hypothesis, reference);
  CHECK(edits >= 5000);
  CHECK(edits <= 20000);
}

TEST_CASE("the draws are NumPy's", "[metrics]") {
  // python -c 'import numpy as n; r = n.random.default_rng(12345); print(r.choice(1000, 8));
  // print(r.integers(2, size=12, dtype=bool) * 1)'
  Pcg64 random(12345);
  std::vector<std::uint32_t> drawn(8);
  for (auto& draw : drawn) draw = random.below(1000);
  CHECK(drawn == std::vector<std::uint32_t>{699, 227, 788, 316, 204, 797, 642, 676});
  std::vector<int> coins(12);
  for (auto& coin : coins) coin = random.coin();
  CHECK(coins == std::vector<int>{1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1});
  // With seed 2**40 + 1 and choice(3_000_000_000, 4) draws are rejected.
  Pcg64 other((1ull << 40) + 1);
  std::vector<std::uint32_t> large(4);
  for (auto& draw : large) draw = other.below(3000000000u);
  CHECK(large == std::vector<std::uint32_t>{112794691, 51699043, 1993440927, 719330519});
}

TEST_CASE("resampling does not depend on threads, and finds no difference where there is none",
          "[metrics]") {
  const Bleu bleu(BleuOptions{});
  SystemRows rows(3);
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    for (std::size_t s = 0; s < 3; ++s) {
      const std::string hypothesis = s < 2          ? "the cat sat on the mat"
                                     : random() % 2 ? "a cat sat on the mat"
                                                    : "mat";
      const auto row =
          row_of(bleu, hypothesis, {i % 2 ? "the cat sat on a mat" : "the cat is on the mat"});
      rows[s].insert(rows[s].end(), row.begin(), row.end());
    }
  }
  ThreadPool one(1), four(4);
  for (const bool paired : {false, true}) {
    const auto a = bootstrap(bleu, rows, paired, 300, 7, one),
               b = bootstrap(bleu, rows, paired, 300, 7, four);
    for (std::size_t s = 0; s < 3; ++s) {
      CHECK(*a[s].mean == *b[s].mean);
      CHECK(*a[s].interval == *b[s].interval);
      CHECK(a[s].p_value == b[s].p_value);
    }
  }
  const auto a = randomization(bleu, rows, 300, 7, one),
             b = randomization(bleu, rows, 300, 7, four);
  for (std::size_t s = 1; s < 3; ++s) CHECK(*a[s].p_value == *b[s].p_value);
  CHECK(*a[2].p_value == Approx(1.0 / 301));
  CHECK(*bootstrap(bleu, rows, true, 300, 7, one)[2].p_value == Approx(1.0 / 301));
}

TEST_CASE("systems that differ in few segments are compared by all exchanges", "[metrics]") {
  const Ter ter(TerOptions{});
  ThreadPool pool(1);
  for (std::size_t n : {0, 1, 2, 3, 4, 5, 6, 12, 13}) {
    SystemRows rows(2);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t s = 0; s < 2; ++s) {
        const auto row = row_of(ter, s == 1 && i < n ? "a b c" : "a b x", {"a b c"});
        rows[s].insert(rows[s].end(), row.begin(), row.end());
      }
    }
    for (const bool by_bootstrap : {false, true}) {
      INFO(n << " of 40 differ");
      const Estimate estimate = (by_bootstrap ? bootstrap(ter, rows, true, 1000, 1, pool)
                                              : randomization(ter, rows, 1000, 1, pool))[1];
      CHECK(estimate.differing == n);
      CHECK(estimate.exact_p_value.has_value() == (n <= kEnumerated));
      if (estimate.exact_p_value)
        CHECK(*estimate.exact_p_value == Approx(n == 0 ? 1 : std::ldexp(2, -static_cast<int>(n))));
      CHECK(estimate.significant == (n >= 6));
      if (!by_bootstrap) CHECK(*estimate.p_value == Approx(1.0 / 1001));  // as sacreBLEU counts
    }
  }
}

TEST_CASE("a comparison finds the differences", "[metrics]") {
  ScoringBlock block;
  block.size = 3;
  const std::vector<std::string> references = {"a b c d e", "f g h i j", "k l m n o"};
  block.hypotheses = {{"a b c d e", "x g h i x", "k l m n o"},
                      {"a b c x x", "f g h i j", "k l m n o"}};
  for (const auto& reference : references) block.references.push_back({reference});
  Metrics metrics;
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{}));
  const std::size_t width = metrics[0]->width();
  block.rows.assign(
      1, std::vector<std::vector<std::int32_t>>(2, std::vector<std::int32_t>(3 * width)));
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t i = 0; i < 3; ++i)
      metrics[0]->segment(block.hypotheses[s][i], block.references[i],
                          Row(block.rows[0][s]).subspan(i * width, width));
  }
  Comparison comparison(metrics, BleuOptions{}, 1);
  comparison.add(block);
  const auto lengths = comparison.lengths();
  REQUIRE(lengths.size() == 1);
  CHECK(lengths[0].segments == 3);
  const auto first = comparison.ngrams(2, true), second = comparison.ngrams(2, false);
  REQUIRE(first.size() == 1);
  CHECK(first[0].ngram == "c d");
  CHECK(first[0].first == 1);
  CHECK(first[0].second == 0);
  REQUIRE(second.size() == 1);
  CHECK(second[0].ngram == "f g");
  REQUIRE(comparison.sentences(true).size() == 1);
  CHECK(comparison.sentences(true)[0].segment == 1);
  CHECK(comparison.sentences(false)[0].segment == 2);
  CHECK(comparison.sentences(false)[0].second == Approx(100));
}

}  // namespace tt::metrics
