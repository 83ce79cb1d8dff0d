#include "rerank/utility.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "metrics/ngram_table.h"

namespace tt::rerank {
namespace {

using Numbers = std::vector<std::uint32_t>;

class NgramScorer final : public TextScorer {
 public:
  NgramScorer(const metrics::NgramMetric& metric, std::span<const std::string_view> texts) {
    table().read(metric, texts);
  }
  void refer_to(std::span<const std::uint32_t> references,
                std::span<const double> weights) override {
    table().refer_to(references, weights);
  }
  std::vector<double> score(std::span<const std::uint32_t> hypotheses) override {
    std::vector<double> scores;
    for (const std::uint32_t h : hypotheses) scores.push_back(table().score(h));
    return scores;
  }

 private:
  // Keeps its memory from one line to the next.
  static metrics::NgramTable& table() {
    thread_local metrics::NgramTable table;
    return table;
  }
};

class NgramUtility final : public Utility {
 public:
  NgramUtility(std::unique_ptr<metrics::NgramMetric> metric, const Expectation& expectation)
      : Utility(expectation), metric_(std::move(metric)) {}
  std::string name() const override { return metric_->name(); }

 protected:
  std::unique_ptr<TextScorer> read(std::string_view,
                                   std::span<const std::string_view> texts) const override {
    return std::make_unique<NgramScorer>(*metric_, texts);
  }

 private:
  std::unique_ptr<metrics::NgramMetric> metric_;
};

}  // namespace

std::vector<double> Utility::expected(const Evidence& evidence) const {
  TT_CHECK(!evidence.references.empty() && evidence.references.size() == evidence.weights.size());
  std::vector<std::string_view> texts;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  const auto number = [&](const std::vector<std::string_view>& all) {
    Numbers result;
    for (const std::string_view text : all) {
      const auto [place, added] = numbers.emplace(text, texts.size());
      if (added) texts.push_back(text);
      result.push_back(place->second);
    }
    return result;
  };
  Numbers hypotheses = number(evidence.hypotheses);
  const Numbers references = number(evidence.references);
  const auto scorer = read(evidence.source, texts);

  std::vector<std::size_t> scored(hypotheses.size());  // places of hypotheses
  std::iota(scored.begin(), scored.end(), 0);
  std::vector<double> utilities(scored.size(), 0);
  const bool prunes = expectation_.prune > 0 && expectation_.prune < scored.size();
  if (expectation_.aggregate || prunes) {
    scorer->refer_to(references, evidence.weights);
    utilities = scorer->score(hypotheses);
    if (expectation_.aggregate) return utilities;
    std::ranges::stable_sort(scored, std::greater(), [&](std::size_t h) { return utilities[h]; });
    scored.resize(expectation_.prune);
    utilities.assign(utilities.size(), std::numeric_limits<double>::quiet_NaN());
    Numbers kept;
    for (const std::size_t h : scored) utilities[h] = 0, kept.push_back(hypotheses[h]);
    hypotheses = kept;
  }
  for (std::size_t r = 0; r < references.size(); ++r) {
    const double whole = 1;
    scorer->refer_to({&references[r], 1}, {&whole, 1});
    const std::vector<double> scores = scorer->score(hypotheses);
    for (std::size_t i = 0; i < scores.size(); ++i)
      utilities[scored[i]] += evidence.weights[r] * scores[i];
  }
  return utilities;
}

std::unique_ptr<Utility> make_ngram_utility(std::unique_ptr<metrics::NgramMetric> metric,
                                            const Expectation& expectation) {
  return std::make_unique<NgramUtility>(std::move(metric), expectation);
}

}  // namespace tt::rerank
