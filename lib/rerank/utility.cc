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

class NgramUtility final : public Utility {
 public:
  NgramUtility(std::unique_ptr<metrics::NgramMetric> metric, const Expectation& expectation)
      : metric_(std::move(metric)), expectation_(expectation) {}

  std::string name() const override { return metric_->name(); }

  std::vector<double> expected(const Evidence& evidence) const override {
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
    const Numbers hypotheses = number(evidence.hypotheses),
                  references = number(evidence.references);
    thread_local metrics::NgramTable table;
    table.read(*metric_, texts);

    std::vector<double> utilities(hypotheses.size(), 0);
    std::vector<std::size_t> scored(hypotheses.size());
    std::iota(scored.begin(), scored.end(), 0);
    const bool prunes = expectation_.prune > 0 && expectation_.prune < scored.size();
    if (expectation_.aggregate || prunes) {
      table.refer_to(references, evidence.weights);
      for (const std::size_t h : scored) utilities[h] = table.score(hypotheses[h]);
      if (expectation_.aggregate) return utilities;
      std::ranges::stable_sort(scored, std::greater(), [&](std::size_t h) { return utilities[h]; });
      scored.resize(expectation_.prune);
      utilities.assign(hypotheses.size(), std::numeric_limits<double>::quiet_NaN());
      for (const std::size_t h : scored) utilities[h] = 0;
    }
    for (std::size_t r = 0; r < references.size(); ++r) {
      const double whole = 1;
      table.refer_to({&references[r], 1}, {&whole, 1});
      for (const std::size_t h : scored)
        utilities[h] += evidence.weights[r] * table.score(hypotheses[h]);
    }
    return utilities;
  }

 private:
  std::unique_ptr<metrics::NgramMetric> metric_;
  Expectation expectation_;
};

}  // namespace

std::unique_ptr<Utility> make_ngram_utility(std::unique_ptr<metrics::NgramMetric> metric,
                                            const Expectation& expectation) {
  return std::make_unique<NgramUtility>(std::move(metric), expectation);
}

}  // namespace tt::rerank
