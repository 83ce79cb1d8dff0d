#include "nn/loss.h"

#include <algorithm>

#include "nn/ops.h"

namespace tt {
namespace {

// Rows per chunk. Each chunk reads the table twice and adds to its gradient, V D each, whatever its
// rows; its logits pass through memory a few times per row, whether or not the third-level cache
// holds them. With 512 rows the first is little beside the products (with 128 they are 10 to 15 %
// slower at D 128). A GPU's products want more rows: as many as memory allows, in chunks of about
// the same size; float32 logits of 3072 rows and 32,000 words are 375 MiB.
std::int64_t chunk_rows(const Backend& backend, std::int64_t n, std::int64_t v) {
  if (!backend.traits().queue) return 512;
  constexpr std::int64_t kMost = std::int64_t{3} << 25;  // logits
  const std::int64_t most = std::clamp<std::int64_t>(kMost / v, 128, 8192),
                     chunks = std::max<std::int64_t>(1, (n + most - 1) / most);
  return ((n + chunks - 1) / chunks + 127) / 128 * 128;
}

}  // namespace

void projected_loss(Tape& tape, Var x, const Projection& to, const LossInputs& in) {
  const Param table = to.table, bias = to.bias;
  const std::int64_t n = x->rows, d = x->columns, v = table.rows,
                     chunk = chunk_rows(tape.backend(), n, v);
  // A chunk has the same rows of each view.
  const std::int64_t views = in.agreement > 0 ? 2 : 1, distinct = n / views, step = chunk / views;
  TT_CHECK(table.columns == d && distinct * views == n);
  const Backend& backend = tape.backend();
  const bool backward = tape.recording() && in.scale != 0;
  // A bias is added to float32 alone, and its gradient is summed before it is rounded; two views
  // are compared in float32.
  const bool plain = backward && !bias && views == 1;
  Matrix logits =
             tape.take(std::min(chunk, n), v, plain ? tape.result_type(v) : ElementType::float32),
         factors = logits;
  const bool converts = backward && logits.type != tape.factor_type();
  if (converts) factors = tape.take(logits.rows, v, tape.factor_type());
  bool accumulate = false;
  const Matrix d_x = backward ? tape.gradient(x, accumulate) : Matrix();
  TT_CHECK(!accumulate);
  const ConstMatrix w = backward ? tape.params().factor(table) : ConstMatrix();
  for (std::int64_t begin = 0; begin < distinct; begin += step) {
    const std::int64_t rows = std::min(step, distinct - begin), all = rows * views;
    const auto of_view = [&](std::int64_t view) {
      return begin + view * distinct;
    };  // its first row
    for (std::int64_t view = 0; view < views; ++view)
      row_product(tape, tape.factor(x).rows_from(of_view(view), rows), table, true,
                  logits.rows_from(view * rows, rows), bias);
    const Matrix z = logits.rows_from(0, all), gradient = factors.rows_from(0, all);
    CrossEntropy entropy{in.targets + begin, in.smoothing, backward ? in.scale : 0, z, {}, in.sums,
                         in.agreement};
    if (backward) entropy.gradient = bias ? z : gradient;
    backend.cross_entropy(entropy);
    if (!backward) continue;
    if (bias) {
      const bool add_bias = tape.gradients().accumulate(bias);
      backend.column_sums({all, v, z.floats(), add_bias, tape.gradients().of(bias)});
      if (converts) backend.round({z, gradient});
    }
    for (std::int64_t view = 0; view < views; ++view) {
      const std::int64_t first = of_view(view);
      const ConstMatrix d_logits = gradient.rows_from(view * rows, rows);
      backend.product({false, false, d_logits, w, false, d_x.rows_from(first, rows)});
      const bool add = tape.gradients().accumulate(table);
      backend.product({true, false, d_logits, tape.factor(x).rows_from(first, rows), add,
                       tape.gradients().matrix(table)});
    }
  }
  if (converts) tape.give(factors);
  tape.give(logits);
}

}  // namespace tt
