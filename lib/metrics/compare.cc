#include "metrics/compare.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kGroups = 7;  // by length

// By the size of the difference; among equal ones the earlier segment counts as larger.
bool larger(const SentenceDifference& a, const SentenceDifference& b) {
  const double x = std::abs(a.first - a.second), y = std::abs(b.first - b.second);
  return x != y ? x > y : a.segment < b.segment;
}

}  // namespace

Comparison::Comparison(const Metrics& metrics, const BleuOptions& words, std::size_t top,
                       std::size_t step)
    : metrics_(metrics), words_(words), top_(top), step_(step),
      ngrams_(static_cast<std::size_t>(words.max_order)) {
  TT_CHECK(!metrics.empty());
  if (const auto* bleu = dynamic_cast<const Bleu*>(metrics[0].get())) {
    BleuOptions options = bleu->options();
    options.effective_order = true;
    sentence_ = std::make_unique<Bleu>(options);
  }
  TT_CHECK(step > 0);
  for (std::size_t g = 0; g < kGroups; ++g) {
    LengthGroup group{g == 0 ? 0 : g * step + 1, g + 1 < kGroups ? (g + 1) * step : 0, 0, {}};
    for (const auto& metric : metrics) group.totals.emplace_back(2, Totals(metric->width(), 0));
    lengths_.push_back(std::move(group));
  }
}

void Comparison::add(const ScoringBlock& block) {
  TT_CHECK(block.hypotheses.size() == 2);
  for (std::size_t i = 0; i < block.size; ++i) {
    const auto& references = block.references[i];
    const auto reference =
        std::find_if(references.begin(), references.end(), [](auto text) { return !text.empty(); });
    const std::size_t length = reference == references.end() ? 0 : words_.tokens(*reference).size();
    LengthGroup& chosen = lengths_[length == 0 ? 0 : std::min((length - 1) / step_, kGroups - 1)];
    ++chosen.segments;
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      const std::size_t width = metrics_[m]->width();
      for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t k = 0; k < width; ++k)
          chosen.totals[m][s][k] += block.rows[m][s][i * width + k];
      }
    }
    add_ngrams(block, i);
    add_sentence(block, i);
  }
}

std::vector<Comparison::NgramCounts> Comparison::count_ngrams(std::string_view text) const {
  const auto tokens = words_.tokens(text);
  std::vector<NgramCounts> counts(ngrams_.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string ngram;
    for (std::size_t n = 0; n < counts.size() && i + n < tokens.size(); ++n) {
      ngram += (n ? " " : "") + tokens[i + n];
      ++counts[n][ngram];
    }
  }
  return counts;
}

void Comparison::add_ngrams(const ScoringBlock& block, std::size_t i) {
  std::vector<NgramCounts> references(ngrams_.size());
  for (const std::string_view reference : block.references[i]) {
    const auto counts = count_ngrams(reference);
    for (std::size_t n = 0; n < counts.size(); ++n) {
      for (const auto& [ngram, count] : counts[n])
        references[n][ngram] = std::max(references[n][ngram], count);
    }
  }
  for (std::size_t s = 0; s < 2; ++s) {
    const auto counts = count_ngrams(block.hypotheses[s][i]);
    for (std::size_t n = 0; n < counts.size(); ++n) {
      for (const auto& [ngram, count] : counts[n]) {
        const auto found = references[n].find(ngram);
        if (found == references[n].end()) continue;
        Matches& matches = ngrams_[n][ngram];
        (s == 0 ? matches.first : matches.second) += std::min(count, found->second);
      }
    }
  }
}

void Comparison::add_sentence(const ScoringBlock& block, std::size_t i) {
  const Metric& metric = sentence_ ? *sentence_ : *metrics_[0];
  const auto score = [&](std::size_t s) {
    const std::span<const std::int32_t> rows(block.rows[0][s]);
    return metric.score(sum_rows(rows.subspan(i * metric.width(), metric.width()), metric.width()));
  };
  SentenceDifference difference{block.first + i + 1, score(0), score(1), {}, {}, {}};
  if (difference.first == difference.second || top_ == 0) return;
  auto& heap = sentences_[(difference.first > difference.second) == metric.lower_is_better()];
  if (heap.size() == top_ && !larger(difference, heap.front())) return;
  difference.first_text = block.hypotheses[0][i], difference.second_text = block.hypotheses[1][i];
  difference.references.assign(block.references[i].begin(), block.references[i].end());
  heap.push_back(std::move(difference));
  std::push_heap(heap.begin(), heap.end(), larger);  // the smallest is at the front
  if (heap.size() <= top_) return;
  std::pop_heap(heap.begin(), heap.end(), larger);
  heap.pop_back();
}

std::vector<LengthGroup> Comparison::lengths() const {
  std::vector<LengthGroup> groups = lengths_;
  std::erase_if(groups, [](const LengthGroup& group) { return group.segments == 0; });
  return groups;
}

std::vector<NgramDifference> Comparison::ngrams(int order, bool of_first) const {
  TT_CHECK(order >= 1 && static_cast<std::size_t>(order) <= ngrams_.size());
  std::vector<NgramDifference> all;
  for (const auto& [ngram, matches] : ngrams_[static_cast<std::size_t>(order) - 1]) {
    if (of_first ? matches.first > matches.second : matches.second > matches.first)
      all.push_back({ngram, matches.first, matches.second});
  }
  const auto more = [](const NgramDifference& a, const NgramDifference& b) {
    const auto x = std::abs(a.first - a.second), y = std::abs(b.first - b.second);
    if (x != y) return x > y;
    const auto p = a.first + a.second,
               q = b.first + b.second;  // for equal differences, the rarer n-gram is more telling
    return p != q ? p < q : a.ngram < b.ngram;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(top_, all.size()));
  std::partial_sort(all.begin(), all.begin() + kept, all.end(), more);
  all.resize(static_cast<std::size_t>(kept));
  return all;
}

std::vector<SentenceDifference> Comparison::sentences(bool of_first) const {
  auto sorted = sentences_[of_first ? 0 : 1];
  std::sort(sorted.begin(), sorted.end(), larger);
  return sorted;
}

}  // namespace tt::metrics
