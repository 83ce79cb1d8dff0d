#include "nn/loss.h"

#include <algorithm>

#include "nn/ops.h"

namespace tt {
namespace {

// Rows per chunk. Per row the logits cost memory traffic in proportion to V, and adding to the table's gradient costs V D / chunk: a
// chunk of about D rows balances the two.
std::int64_t chunk_rows(std::int64_t d) { return std::clamp<std::int64_t>(d, 128, 512); }

}  // namespace

LossSums projected_loss(Tape& tape, Var x, Param table, std::span<const std::int32_t> targets, float smoothing, float scale) {
  const std::int64_t n = x->rows, d = x->columns, v = table.rows, chunk = chunk_rows(d);
  TT_CHECK(table.columns == d && static_cast<std::int64_t>(targets.size()) == n);
  const Backend& backend = tape.backend();
  const bool backward = tape.recording() && scale != 0;
  float* logits = tape.arena().take_array<float>(std::min(chunk, n) * v);
  bool accumulate = false;
  float* d_x = backward ? tape.gradient(x, accumulate) : nullptr;
  TT_CHECK(!accumulate);
  double sums[2] = {};
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t rows = std::min(chunk, n - begin);
    const float* part = x->value + begin * d;
    row_product(tape, rows, v, d, part, tape.value(table), true, logits);
    backend.cross_entropy(rows, v, targets.data() + begin, smoothing, backward ? scale : 0, logits, sums);
    if (!backward) continue;
    backend.product(false, false, rows, d, v, 1, logits, v, tape.value(table), d, false, d_x + begin * d, d);
    backend.product(true, false, v, d, rows, 1, logits, v, part, d, tape.gradients().accumulate(table),
                    tape.gradients().of(table), d);
  }
  tape.arena().give(logits);
  return {sums[0], sums[1], n};
}

void projected_best(Tape& tape, Var x, Param table, int best, float* values, std::int32_t* pieces) {
  const std::int64_t n = x->rows, d = x->columns, v = table.rows, chunk = 128;
  float* logits = tape.arena().take_array<float>(std::min(chunk, n) * v);
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t rows = std::min(chunk, n - begin);
    row_product(tape, rows, v, d, x->value + begin * d, tape.value(table), true, logits);
    tape.backend().best_of(rows, v, logits, best, values + begin * best, pieces + begin * best);
  }
  tape.arena().give(logits);
}

}  // namespace tt
