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

// Reads a request; returns why it is too long to be scored, if it is.
std::optional<Reason> Translator::read_scored(const Request& request, PartPieces& sources,
                                              Translation& t) const {
  const auto pieces = languages(request);
  t.text = request.target;
  target_.encode(t.text, t.target);
  t.target.insert(t.target.begin(), pieces[0].first.begin(), pieces[0].first.end());
  t.target.push_back(target_.eos());
  const auto fits = [&](const std::vector<std::int32_t>& side) {
    return std::ssize(side) <= options_.longest + 1;
  };
  std::optional<Reason> longer;
  if (!fits(t.target) ||
      (places_ && std::ssize(pieces[0].history) + std::ssize(t.target) > places_))
    longer = Reason::target_not_scored;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    members_[m].source->encode(request.text, sources.emplace_back());
    members_[m].end(sources[m], pieces[m]);
    if (!fits(sources[m])) longer = Reason::source_not_scored;
  }
  return longer;
}

// The log-probability of each token of a batch, which each member reads in its own pieces, by the
// mean of the members' probabilities.
std::vector<double> Translator::token_scores(std::span<Batch> batches,
                                             std::span<Tape* const> tapes) const {
  std::vector<double> sum;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    batches[m].target_in = shifted(batches[m].target_out, target_.bos());
    tapes[m]->clear();
    const std::vector<float> scores = members_[m].model->token_scores(*tapes[m], batches[m]);
    sum.resize(scores.size());
    for (std::size_t r = 0; r < scores.size(); ++r) {
      if (!(scores[r] <= 0.001f)) throw Error(members_[m].model->name(), ": ", NotFinite().what());
      const auto score = static_cast<double>(scores[r]);
      sum[r] = m == 0 ? score : log_sum(sum[r], score);
    }
  }
  for (double& each : sum) each -= std::log(static_cast<double>(members_.size()));
  return sum;
}

std::vector<Translated> Translator::score(std::span<const Request> requests,
                                          std::span<Tape* const> tapes) const {
  std::vector<Translated> results(requests.size());
  std::vector<PartPieces> sources(requests.size());
  std::vector<std::size_t> rows(requests.size());  // 0: not scored
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Translation& t = results[i].best.emplace_back();
    const std::optional<Reason> longer = read_scored(requests[i], sources[i], t);
    results[i].source = sources[i][0];
    if (!longer) {
      rows[i] = results[i].source.size() + t.target.size();
      continue;
    }
    results[i].problems.push_back({*longer, {}, static_cast<std::uint64_t>(options_.longest)});
    t.score = t.log_probability = -INFINITY;
  }
  const auto most = static_cast<std::size_t>(2 * options_.batch_tokens);
  for (const auto& numbers : batches_by_length(rows, most)) {
    std::vector<Batch> batches(members_.size());
    for (std::size_t m = 0; m < members_.size(); ++m)
      for (const std::size_t i : numbers)
        append_pair(batches[m], sources[i][m], languages(requests[i])[0], results[i].best[0].target,
                    i);
    const std::vector<double> scores = token_scores(batches, tapes);
    auto row = scores.begin();
    for (const std::size_t i : numbers) {
      Translation& t = results[i].best[0];
      row += std::ssize(languages(requests[i])[0].history);
      t.token_scores.assign(row, row + std::ssize(t.target));
      row += std::ssize(t.target);
      for (const float score : t.token_scores) t.log_probability += static_cast<double>(score);
      t.score = t.log_probability / options_.search.penalty.of(std::ssize(t.target));
    }
  }
  return results;
}

}  // namespace tt
