#include "trace/forward.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text/batch.h"
#include "trace/recorder.h"

namespace tt {
namespace {

constexpr std::size_t kBest = 10;  // pieces of a position

// The likeliest pieces of softmax(logits).
TraceBest best_of(std::span<const float> logits, const Subword* pieces) {
  const float most = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float x : logits) sum += std::exp(static_cast<double>(x) - static_cast<double>(most));
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t n = std::min(kBest, order.size());
  const auto of = [&](std::int32_t piece) { return logits[static_cast<std::size_t>(piece)]; };
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(n),
                            [&](auto a, auto b) { return of(a) != of(b) ? of(a) > of(b) : a < b; });
  TraceBest best;
  for (const float x : logits)
    best.mean += static_cast<double>(x - most) / static_cast<double>(logits.size());
  best.mean -= std::log(sum);
  for (std::size_t i = 0; i < n; ++i) {
    best.pieces.push_back(pieces ? pieces->piece(order[i]) : std::to_string(order[i]));
    best.logits.push_back(of(order[i]));
    best.log_probabilities.push_back(
        static_cast<float>(static_cast<double>(of(order[i]) - most) - std::log(sum)));
  }
  return best;
}

}  // namespace

void read_once(const Model& model, const Backend& backend, std::span<const std::int32_t> source,
               std::span<const std::int32_t> target, std::int32_t bos, const Subword* pieces,
               Trace& trace) {
  Batch batch;
  append(batch.source, source);
  append(batch.target_out, target);
  batch.target_in = shifted(batch.target_out, bos);
  batch.sentences = {0};
  trace.summarised = std::max(source.size(), target.size()) > kLongestTraced;
  const Recorder recorder(backend, model.params(), trace.summarised);
  Tape tape(recorder, model.params());
  trace.log_probabilities = model.token_scores(tape, batch);
  trace.matrices = recorder.matrices();
  for (const auto& row : recorder.logits()) trace.best.push_back(best_of(row, pieces));
}

void take_pieces(const Subword& source_pieces, std::span<const std::int32_t> source,
                 const Subword& target_pieces, std::span<const std::int32_t> target, Trace& trace) {
  for (const std::int32_t piece : source) trace.source.push_back(source_pieces.piece(piece));
  for (const std::int32_t piece : target) trace.target.push_back(target_pieces.piece(piece));
  trace.input = trace.target;
  trace.input.pop_back();
  trace.input.insert(trace.input.begin(), trace.config.start == StartSymbol::zero
                                              ? "0"
                                              : target_pieces.piece(target_pieces.bos()));
}

}  // namespace tt
