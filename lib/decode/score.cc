// How likely translations are that are there already.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "decode/translator.h"

namespace tt {

namespace {

// log(e^a + e^b), not NaN where both are minus infinity.
double log_sum(double a, double b) {
  return a == b ? a + std::log(2.0) : std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

}  // namespace

std::vector<Translated> Translator::score(std::span<const Request> requests,
                                          std::span<Tape* const> tapes) const {
  std::vector<Translated> results(requests.size());
  std::vector<std::vector<std::int32_t>> sources(requests.size() * members_.size());
  const auto source = [&](std::size_t i, std::size_t m) -> std::vector<std::int32_t>& {
    return sources[i * members_.size() + m];
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Translation t;
    t.text = requests[i].target;
    target_.encode(t.text, t.target);
    const std::span<const LanguagePieces> around = languages(requests[i]);
    t.target.insert(t.target.begin(), around[0].first.begin(), around[0].first.end());
    t.target.push_back(target_.eos());
    const auto fits = [&](const std::vector<std::int32_t>& pieces) {
      return static_cast<std::int64_t>(pieces.size()) <= options_.longest + 1;
    };
    std::optional<Reason> longer;
    const auto history = std::ssize(around[0].history);
    if (!fits(t.target) || (places_ && history + std::ssize(t.target) > places_))
      longer = Reason::target_not_scored;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      members_[m].source->encode(requests[i].text, source(i, m));
      members_[m].end(source(i, m), around[m]);
      if (!fits(source(i, m))) longer = Reason::source_not_scored;
    }
    results[i].source = source(i, 0);
    results[i].best.push_back(std::move(t));
    if (!longer) order.push_back(i);
    else results[i].problems.push_back({*longer, {}, static_cast<std::uint64_t>(options_.longest)});
  }
  const auto rows = [&](std::size_t i) {
    return static_cast<std::int64_t>(results[i].source.size() + results[i].best[0].target.size());
  };
  std::ranges::stable_sort(order, [&](auto a, auto b) { return rows(a) > rows(b); });
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::int64_t tokens = 0;
    while (end < order.size() &&
           (end == begin || tokens + rows(order[end]) <= 2 * options_.batch_tokens))
      tokens += rows(order[end++]);
    std::vector<double> sum;  // over the members, of the probability of each token
    for (std::size_t m = 0; m < members_.size(); ++m) {
      Batch batch;
      for (std::size_t k = begin; k < end; ++k) {
        append(batch.source, source(order[k], m));
        const auto& history = languages(requests[order[k]])[0].history;
        const auto& target = results[order[k]].best[0].target;
        batch.target_out.tokens.insert(batch.target_out.tokens.end(), history.begin(),
                                       history.end());
        append(batch.target_out, target);
        batch.sentences.push_back(static_cast<std::int64_t>(order[k]));
      }
      batch.target_in = shifted(batch.target_out, target_.bos());
      tapes[m]->clear();
      const std::vector<float> scores = members_[m].model->token_scores(*tapes[m], batch);
      sum.resize(scores.size());
      for (std::size_t r = 0; r < scores.size(); ++r) {
        if (!(scores[r] <= 0.001f))
          throw Error(members_[m].model->name(), ": ", NotFinite().what());
        sum[r] = m == 0 ? static_cast<double>(scores[r])
                        : log_sum(sum[r], static_cast<double>(scores[r]));
      }
    }
    std::size_t row = 0;
    for (std::size_t k = begin; k < end; ++k) {
      Translation& t = results[order[k]].best[0];
      row += languages(requests[order[k]])[0].history.size();
      for (std::size_t i = 0; i < t.target.size(); ++i, ++row) {
        t.token_scores.push_back(
            static_cast<float>(sum[row] - std::log(static_cast<double>(members_.size()))));
        t.log_probability += static_cast<double>(t.token_scores.back());
      }
      t.score = t.log_probability /
                options_.search.penalty.of(static_cast<std::int64_t>(t.target.size()));
    }
  }
  for (Translated& result : results)
    if (!result.problems.empty()) result.best[0].score = result.best[0].log_probability = -INFINITY;
  return results;
}

}  // namespace tt
