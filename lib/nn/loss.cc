#include "nn/loss.h"

#include <algorithm>

#include "nn/ops.h"

namespace tt {
namespace {

// Rows per chunk. Memory traffic per row is V for the logits and V D / chunk for adding to the table's gradient: a chunk of about
// D rows balances the two.
std::int64_t chunk_rows(std::int64_t d) { return std::clamp<std::int64_t>(d, 128, 512); }

}  // namespace

void projected_loss(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float smoothing, float scale,
                    double* sums) {
  const std::int64_t n = x->rows, d = x->columns, v = table.rows, chunk = chunk_rows(d);
  TT_CHECK(table.columns == d);
  const Backend& backend = tape.backend();
  const bool backward = tape.recording() && scale != 0;
  float* logits = tape.arena().take_array<float>(std::min(chunk, n) * v);
  bool accumulate = false;
  float* d_x = backward ? tape.gradient(x, accumulate) : nullptr;
  TT_CHECK(!accumulate);
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t rows = std::min(chunk, n - begin);
    const float* part = x->value + begin * d;
    row_product(tape, rows, part, table, true, logits);
    if (bias) backend.add_bias({rows, v, tape.value(bias), logits});
    backend.cross_entropy({rows, v, targets + begin, smoothing, backward ? scale : 0, logits, sums});
    if (!backward) continue;
    backend.product({false, false, rows, d, v, logits, v, tape.value(table), d, false, d_x + begin * d, d});
    if (bias) {
      const bool add_bias = tape.gradients().accumulate(bias);
      backend.column_sums({rows, v, logits, add_bias, tape.gradients().of(bias)});
    }
    const bool add = tape.gradients().accumulate(table);
    backend.product({true, false, v, d, rows, logits, v, part, d, add, tape.gradients().of(table), d});
  }
  tape.arena().give(logits);
}

Continuations projected_best(Tape& tape, Var x, Param table, Param bias, int best) {
  const std::int64_t n = x->rows, d = x->columns, v = table.rows, chunk = 128;
  const Continuations found{tape.array<float>(n * best), tape.array<std::int32_t>(n * best)};
  float* logits = tape.arena().take_array<float>(std::min(chunk, n) * v);
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t rows = std::min(chunk, n - begin);
    row_product(tape, rows, x->value + begin * d, table, true, logits);
    if (bias) tape.backend().add_bias({rows, v, tape.value(bias), logits});
    tape.backend().best_of({rows, v, logits, best, found.values + begin * best, found.pieces + begin * best});
  }
  tape.arena().give(logits);
  return found;
}

}  // namespace tt
