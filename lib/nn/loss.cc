#include "nn/loss.h"

#include <algorithm>
#include <cstring>

#include "nn/ops.h"
#include "tensor/panels.h"

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

namespace {

constexpr std::int64_t kRows = 72, kStretch = 512;  // of logits at a time, on the host

// Columns of the logits of some rows.
struct Logits {
  std::int64_t first, rows;     // the rows
  std::int64_t begin, columns;  // the columns
  float* at;                    // [rows, columns]
};

// y = columns [begin, begin + y.columns) of x table^T + bias. Panels begin at multiples of 32
// columns, and so do stretches.
void project_columns(Tape& tape, const ConstMatrix& x, const Projection& to, std::int64_t begin,
                     const Matrix& y) {
  const Backend& backend = tape.backend();
  if (const ConstMatrix all = tape.params().int8(to.table)) {
    backend.int8_product({x, int8_columns_of(all, begin, y.columns), y});
  } else {
    backend.row_product(
        {true, x, table_rows(tape.params().weights(to.table, true), begin, y.columns), y});
  }
  if (to.bias) backend.add_bias({y.rows, y.columns, tape.value(to.bias) + begin, y.floats()});
}

// Calls each(logits) for all of x's: of each row the columns from left to right. Where each thread
// computes by itself they come in stretches, each for a few rows after the other, so that both the
// logits and the stretch of the table stay in the second-level cache; with `whole`, and elsewhere,
// in one.
template <class Each>
void project(Tape& tape, Var x, const Projection& to, bool whole, const Each& each) {
  const bool queue = tape.backend().traits().queue;
  const std::int64_t n = x->rows, v = to.table.rows;
  const std::int64_t chunk = std::min<std::int64_t>(n, queue   ? 1024
                                                       : whole ? 128
                                                               : kRows),
                     stretch = whole || queue ? v : kStretch;
  TT_CHECK(to.table.columns == x->columns && !tape.recording());
  float* logits = tape.arena().take_array<float>(chunk * std::min(stretch, v));
  for (std::int64_t begin = 0; begin < v; begin += stretch)
    for (std::int64_t first = 0; first < n; first += chunk) {
      const std::int64_t rows = std::min(chunk, n - first), columns = std::min(stretch, v - begin);
      project_columns(tape, x->value.rows_from(first, rows), to, begin,
                      float32(logits, rows, columns));
      each(Logits{first, rows, begin, columns, logits});
    }
  tape.arena().give(logits);
}

// Answers what is asked of the logits in `here`, a part of those of rows of v.
void best_of(Tape& tape, const Logits& here, std::int64_t v, BestOf k) {
  k.n = here.rows, k.v = here.columns, k.logits = here.at, k.begin = here.begin,
  k.last = here.begin + here.columns == v;
  k.values += here.first * k.best, k.indices += here.first * k.best;
  k.barred_at += here.first * k.barred, k.asked_at += here.first * k.asked,
      k.asked_values += here.first * k.asked;
  k.sums += here.first * 2;
  tape.backend().best_of(k);
}

}  // namespace

void projected_best(Tape& tape, Var x, const Projection& to, const BestQuery& query,
                    BestScores& scores) {
  const std::int64_t n = x->rows, best = query.best;
  const auto per_row = [n](std::span<const std::int32_t> list) {
    TT_CHECK(n > 0 && static_cast<std::int64_t>(list.size()) % n == 0);
    return static_cast<int>(static_cast<std::int64_t>(list.size()) / n);
  };
  const int barred = per_row(query.barred), asked = per_row(query.asked);
  // In one block, so that one copy brings all to the host.
  auto* const values = tape.array<float>(n * (2 * best + asked));
  auto* const pieces = reinterpret_cast<std::int32_t*>(values + n * best);
  float* const asked_values = values + 2 * n * best;
  const std::int32_t *barred_at = tape.upload(query.barred), *asked_at = tape.upload(query.asked);
  BestOf all{
      .best = query.best, .values = values, .indices = pieces, .barred = barred, .asked = asked};
  all.barred_at = barred_at, all.asked_at = asked_at, all.asked_values = asked_values,
  all.sums = tape.array<float>(2 * n);
  project(tape, x, to, false, [&](const Logits& here) { best_of(tape, here, to.table.rows, all); });
  const float* host = tape.download(values, n * (2 * best + asked));
  scores.values.assign(host, host + n * best);
  scores.pieces.resize(scores.values.size());
  std::memcpy(scores.pieces.data(), host + n * best, scores.pieces.size() * sizeof(float));
  scores.asked.assign(host + 2 * n * best, host + n * (2 * best + asked));
}

void projected_distribution(Tape& tape, Var x, const Projection& to, std::vector<float>& all) {
  all.resize(static_cast<std::size_t>(x->rows * to.table.rows));
  project(tape, x, to, true, [&](const Logits& here) {
    tape.backend().log_softmax({here.rows, to.table.rows, here.at});
    const std::int64_t size = here.rows * to.table.rows;
    tape.backend().download(all.data() + here.first * to.table.rows, here.at,
                            static_cast<std::size_t>(size) * sizeof(float));
  });
}

void projected_scores(Tape& tape, Var x, const Projection& to, const std::int32_t* targets,
                      float* values) {
  float* first = tape.array<float>(x->rows);
  auto* piece = tape.array<std::int32_t>(x->rows);
  BestOf all{.best = 1,
             .values = first,
             .indices = piece,
             .asked = 1,
             .asked_at = targets,
             .asked_values = values};
  all.sums = tape.array<float>(2 * x->rows);
  project(tape, x, to, false, [&](const Logits& here) { best_of(tape, here, to.table.rows, all); });
}

}  // namespace tt
