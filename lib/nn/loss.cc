#include "nn/loss.h"

#include <algorithm>
#include <cstring>

#include "nn/ops.h"

namespace tt {
namespace {

// Rows per chunk. Memory traffic per row is V for the logits and V D / chunk for adding to the table's gradient: a chunk of about
// D rows balances the two if the logits fit in the cache. On a GPU they do not, so chunks are as large as memory allows: logits of
// 4096 rows and 32,000 words are 500 MiB.
std::int64_t chunk_rows(const Backend& backend, std::int64_t d, std::int64_t v) {
  if (backend.is_host()) return std::clamp<std::int64_t>(d, 128, 512);
  constexpr std::int64_t kMost = std::int64_t{1} << 27;  // logits
  return std::clamp<std::int64_t>(kMost / v / 128 * 128, 128, 8192);
}

}  // namespace

void projected_loss(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float smoothing, float scale,
                    double* sums) {
  const std::int64_t n = x->rows, d = x->columns, v = table.rows, chunk = chunk_rows(tape.backend(), d, v);
  TT_CHECK(table.columns == d);
  const Backend& backend = tape.backend();
  const bool backward = tape.recording() && scale != 0;
  float* logits = tape.arena().take_array<float>(std::min(chunk, n) * v);
  bool accumulate = false;
  const bool rounds = backward && backend.rounds();
  const auto ceil8 = [](std::int64_t of) { return (of + 7) / 8 * 8; };
  auto* rounded = rounds ? tape.arena().take_array<Bfloat16>(std::min(chunk, n) * ceil8(v)) : nullptr;
  float* d_x = backward ? tape.gradient(x, accumulate) : nullptr;
  TT_CHECK(!accumulate);
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t rows = std::min(chunk, n - begin);
    const float* part = x->value + begin * d;
    const Bfloat16* rounded_part = rounds ? tape.rounded(x) + begin * ceil8(d) : nullptr;
    row_product(tape, rows, part, table, true, logits, rounded_part, bias);
    // The sums of a bias are of what has not been rounded.
    backend.cross_entropy({rows, v, targets + begin, smoothing, backward ? scale : 0, logits, sums, bias ? nullptr : rounded});
    if (!backward) continue;
    if (bias) {
      const bool add_bias = tape.gradients().accumulate(bias);
      backend.column_sums({rows, v, logits, add_bias, tape.gradients().of(bias)});
      if (rounded) backend.round({rows, v, logits, v, rounded});
    }
    backend.product(
        {false, false, rows, d, v, logits, v, tape.value(table), d, false, d_x + begin * d, d, rounded, tape.rounded(table)});
    const bool add = tape.gradients().accumulate(table);
    backend.product({true, false, v, d, rows, logits, v, part, d, add, tape.gradients().of(table), d, rounded, rounded_part});
  }
  tape.arena().give(logits);
  tape.arena().give(rounded);
}

Continuations projected_best(Tape& tape, Var x, Param table, Param bias, int best) {
  const std::int64_t n = x->rows, d = x->columns, v = table.rows, chunk = tape.backend().is_host() ? 128 : 1024;
  auto* values = tape.array<float>(2 * n * best);
  const Continuations found{n * best, values, reinterpret_cast<std::int32_t*>(values + n * best)};
  float* logits = tape.arena().take_array<float>(std::min(chunk, n) * v);
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t rows = std::min(chunk, n - begin);
    row_product(tape, rows, x->value + begin * d, table, true, logits, nullptr, bias);
    tape.backend().best_of({rows, v, logits, best, found.values + begin * best, found.pieces + begin * best});
  }
  tape.arena().give(logits);
  return found;
}

void download(Tape& tape, const Continuations& found, float* values, std::int32_t* pieces) {
  const auto n = static_cast<std::size_t>(found.size);
  const float* host = tape.download(found.values, 2 * found.size);
  std::memcpy(values, host, n * sizeof *values);
  std::memcpy(pieces, host + n, n * sizeof *pieces);
}

}  // namespace tt
