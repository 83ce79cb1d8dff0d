// Scores of many texts against many, against the metrics' own; and against the mean of references,
// counted by brute force.
#include <map>
#include <random>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ngram_table.h"
#include "tests/catch.h"

namespace tt::metrics {

namespace {

// Texts of few words, so that much is shared; some are empty, and one comes twice.
std::vector<std::string> made_up_texts(std::mt19937& random, std::size_t count) {
  const char* const words[] = {"a", "dog", "Dog", "runs", "ü€", "😀", "--", "a-b", ".", "cats"};
  std::vector<std::string> texts;
  for (std::size_t t = 0; t < count; ++t) {
    std::string& text = texts.emplace_back();
    for (std::size_t i = random() % 9; i > 0; --i)
      text += (text.empty() ? "" : random() % 8 ? " " : "  ") + std::string(words[random() % 10]);
  }
  texts.push_back(texts[0]);
  return texts;
}

double sentence_score(const Metric& metric, std::string_view hypothesis,
                      std::string_view reference) {
  std::vector<std::int32_t> row(metric.width());
  metric.segment(hypothesis, {&reference, 1}, row);
  return metric.score({row.begin(), row.end()});
}

std::vector<std::unique_ptr<NgramMetric>> metrics_of_all_kinds() {
  std::vector<std::unique_ptr<NgramMetric>> all;
  for (const int words : {0, 2})
    for (const bool eps : {false, true})
      all.push_back(std::make_unique<Chrf>(ChrfOptions{
          .word_order = words, .lowercase = eps, .whitespace = words == 0, .eps_smoothing = eps}));
  all.push_back(std::make_unique<Chrf>(ChrfOptions{.char_order = 0, .word_order = 1}));
  for (const bool effective : {false, true}) {
    BleuOptions options;
    options.effective_order = options.lowercase = effective;
    all.push_back(std::make_unique<Bleu>(options));
  }
  return all;
}

}  // namespace

TEST_CASE("a table of n-grams gives the scores of sentences, to the bit", "[metrics]") {
  std::mt19937 random(1);
  NgramTable table;
  for (const auto& metric : metrics_of_all_kinds()) {
    for (int round = 0; round < 20; ++round) {
      const std::vector<std::string> texts = made_up_texts(random, 1 + random() % 7);
      const std::vector<std::string_view> views(texts.begin(), texts.end());
      table.read(*metric, views);
      for (std::uint32_t r = 0; r < views.size(); ++r) {
        const double whole = 1;
        table.refer_to({&r, 1}, {&whole, 1});
        for (std::uint32_t h = 0; h < views.size(); ++h)
          CHECK(table.score(h) == sentence_score(*metric, views[h], views[r]));
      }
    }
  }
}

TEST_CASE("the mean of references has the mean counts of their n-grams", "[metrics]") {
  // Characters and their pairs, with weights that no sum of powers of two gives.
  const Chrf chrf({.char_order = 2});
  const std::vector<std::string_view> texts = {"abab", "abc", "", "aab", "xyz"};
  const std::vector<double> weights = {0.5, 0.3, 0.1, 0.1};
  NgramTable table;
  table.read(chrf, texts);
  const std::vector<std::uint32_t> references = {0, 1, 2, 4};
  table.refer_to(references, weights);
  for (std::uint32_t h = 0; h < texts.size(); ++h) {
    std::vector<NgramOverlap> orders;
    for (std::size_t n = 1; n <= 2; ++n) {
      const auto counts_of = [&](std::string_view text, double weight,
                                 std::map<std::string_view, double>& counts) {
        double all = 0;
        for (std::size_t i = 0; i + n <= text.size(); ++i)
          counts[text.substr(i, n)] += weight, all += weight;
        return all;
      };
      std::map<std::string_view, double> mean, own;
      NgramOverlap& order = orders.emplace_back();
      for (std::size_t r = 0; r < references.size(); ++r)
        order.reference += counts_of(texts[references[r]], weights[r], mean);
      order.hypothesis = counts_of(texts[h], 1, own);
      for (const auto& [ngram, count] : own) order.common += std::min(count, mean[ngram]);
    }
    CHECK(table.score(h) == Approx(chrf.overlap_score(orders)).epsilon(1e-12));
  }
  // By hand, "aab": 3 characters and 2 pairs; of the mean's 2 + 0.9 + 0.3 characters a has 1.3 and
  // b has 1.3, of its 1.5 + 0.6 + 0.2 pairs ab has 1.3 and aa has none.
  const double precision = (2.3 / 3 + 1.0 / 2) / 2, recall = (2.3 / 3.2 + 1.0 / 2.3) / 2;
  CHECK(table.score(3) == Approx(500 * precision * recall / (4 * precision + recall)));
}

}  // namespace tt::metrics
