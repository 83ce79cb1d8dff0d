#include "metrics/ngram_table.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace tt::metrics {

void NgramTable::read(const NgramMetric& metric, std::span<const std::string_view> texts) {
  metric_ = &metric;
  const std::vector<std::size_t> orders = metric.orders();
  const std::size_t kinds = orders.size();
  slots_ = 0;
  for (const std::size_t highest : orders) slots_ += highest;
  if (sequences_.size() < texts.size() * kinds) sequences_.resize(texts.size() * kinds);
  if (entries_.size() < texts.size() * slots_) entries_.resize(texts.size() * slots_);
  if (positions_.size() < texts.size()) positions_.resize(texts.size());
  totals_.assign(texts.size() * slots_, 0), own_ = totals_;
  weights_.assign(texts.size(), 0);
  references_.clear();
  reference_.assign(slots_, 0), overlaps_.resize(slots_);
  numbering_.clear();
  for (std::size_t t = 0; t < texts.size(); ++t)
    metric.number(texts[t], numbering_, {&sequences_[t * kinds], kinds});

  numbered_ = 0;
  std::size_t slot = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    std::uint32_t symbols = 0;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const std::vector<std::uint32_t>& sequence = sequences_[t * kinds + kind];
      positions_[t].begin(sequence);
      for (const std::uint32_t symbol : sequence) symbols = std::max(symbols, symbol + 1);
    }
    std::uint32_t numbers = symbols;  // of the n-grams of the previous order
    for (std::size_t order = 1; order <= orders[kind]; ++order, ++slot)
      count_order(order, slot, symbols, numbers);
  }
  referred_.assign(numbered_, 0);
}

void NgramTable::count_order(std::size_t order, std::size_t slot, std::uint32_t symbols,
                             std::uint32_t& numbers) {
  const std::size_t texts = weights_.size();
  if (order > 1) {
    std::size_t most = 0;
    for (std::size_t t = 0; t < texts; ++t) most += positions_[t].at.size();
    pairs_.clear(numbers, symbols, most);
    for (std::size_t t = 0; t < texts; ++t)
      positions_[t].extend(order,
                           [&](std::uint32_t a, std::uint32_t b) { return pairs_.number(a, b); });
    numbers = pairs_.size();
  }
  counts_.assign(numbers, 0), texts_with_.assign(numbers, 0), last_text_.assign(numbers, 0);
  for (std::size_t t = 0; t < texts; ++t)
    for (const std::uint32_t ngram : positions_[t].ngram)
      if (last_text_[ngram] != t + 1) {
        last_text_[ngram] = static_cast<std::uint32_t>(t + 1);
        ++texts_with_[ngram];
      }
  for (std::size_t t = 0; t < texts; ++t) {
    NgramPositions& positions = positions_[t];
    positions.keep_if([&](std::uint32_t ngram) { return texts_with_[ngram] > 1; });
    const std::size_t length = positions.text.size(), place = t * slots_ + slot;
    totals_[place] = length < order ? 0 : static_cast<double>(length - order + 1);
    own_[place] = totals_[place] - static_cast<double>(positions.ngram.size());
    std::vector<Entry>& entries = entries_[place];
    entries.clear();
    for (const std::uint32_t ngram : positions.ngram)
      if (counts_[ngram]++ == 0) entries.push_back({ngram, 0});
    for (Entry& entry : entries) {
      entry.count = static_cast<float>(std::exchange(counts_[entry.ngram], 0));
      entry.ngram += numbered_;
    }
  }
  numbered_ += numbers;
}

void NgramTable::refer_to(std::span<const std::uint32_t> references,
                          std::span<const double> weights) {
  for (const std::uint32_t text : references_) {
    weights_[text] = 0;
    for (std::size_t slot = 0; slot < slots_; ++slot)
      for (const Entry& entry : entries_[text * slots_ + slot]) referred_[entry.ngram] = 0;
  }
  references_.assign(references.begin(), references.end());
  reference_.assign(slots_, 0);
  for (std::size_t r = 0; r < references.size(); ++r) {
    const std::uint32_t text = references[r];
    TT_CHECK(text < weights_.size() && weights[r] <= 1);
    weights_[text] += weights[r];
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      reference_[slot] += weights[r] * totals_[text * slots_ + slot];
      for (const Entry& entry : entries_[text * slots_ + slot])
        referred_[entry.ngram] += weights[r] * static_cast<double>(entry.count);
    }
  }
}

double NgramTable::score(std::uint32_t hypothesis) {
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    const std::size_t place = hypothesis * slots_ + slot;
    double common = weights_[hypothesis] * own_[place];
    for (const Entry& entry : entries_[place])
      common += std::min(static_cast<double>(entry.count), referred_[entry.ngram]);
    overlaps_[slot] = {totals_[place], reference_[slot], common};
  }
  return metric_->overlap_score(overlaps_);
}

}  // namespace tt::metrics
