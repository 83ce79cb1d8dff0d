#include "nn/loss.h"

#include <algorithm>
#include <cstring>

#include "nn/ops.h"

namespace tt {
namespace {

// Rows per chunk. Each chunk reads the table twice and adds to its gradient, V D each, whatever its rows; its logits pass through
// memory a few times per row, whether or not the third-level cache holds them. With 512 rows the first is little beside the
// products (with 128 they are 10 to 15 % slower at D 128). A GPU's products want more rows: as many as memory allows, in chunks
// of about the same size; logits of 3072 rows and 32,000 words are 375 MiB, half of that if they are narrow.
std::int64_t chunk_rows(const Backend& backend, std::int64_t n, std::int64_t v) {
  if (backend.is_host()) return 512;
  constexpr std::int64_t kMost = std::int64_t{3} << 25;  // logits
  const std::int64_t most = std::clamp<std::int64_t>(kMost / v, 128, 8192),
                     chunks = std::max<std::int64_t>(1, (n + most - 1) / most);
  return ((n + chunks - 1) / chunks + 127) / 128 * 128;
}

}  // namespace

void projected_loss(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float smoothing, float agreement,
                    float scale, double* sums) {
  const std::int64_t n = x->rows, d = x->columns, v = table.rows, chunk = chunk_rows(tape.backend(), n, v);
  // A chunk has the same rows of each view.
  const std::int64_t views = agreement > 0 ? 2 : 1, distinct = n / views, step = chunk / views;
  TT_CHECK(table.columns == d && distinct * views == n);
  const Backend& backend = tape.backend();
  const bool backward = tape.recording() && scale != 0;
  bool accumulate = false;
  const bool rounds = backward && backend.rounds(), narrow = rounds && !bias && views == 1 && tape.may_be_narrow(v);
  const auto ceil8 = [](std::int64_t of) { return (of + 7) / 8 * 8; };
  float* logits = narrow ? nullptr : tape.arena().take_array<float>(std::min(chunk, n) * v);
  auto* rounded = rounds ? tape.arena().take_array<Bfloat16>(std::min(chunk, n) * ceil8(v)) : nullptr;
  float* d_x = backward ? tape.gradient(x, accumulate) : nullptr;
  TT_CHECK(!accumulate);
  for (std::int64_t begin = 0; begin < distinct; begin += step) {
    const std::int64_t rows = std::min(step, distinct - begin), all = rows * views;
    const auto of_view = [&](std::int64_t view) { return begin + view * distinct; };  // its first row
    const auto rounded_rows = [&](std::int64_t first) { return rounds ? tape.rounded(x) + first * ceil8(d) : nullptr; };
    if (narrow) {
      Product p{false, true, rows, v, d, x->value + begin * d, d, tape.value(table), d, false, nullptr, v};
      p.rounded_a = rounded_rows(begin);
      p.rounded_b = tape.rounded(table);
      p.rounded_c = rounded;
      backend.product(p);
    } else {
      for (std::int64_t view = 0; view < views; ++view) {
        const std::int64_t first = of_view(view);
        row_product(tape, rows, x->value + first * d, table, true, logits + view * rows * v, rounded_rows(first), bias);
      }
    }
    // The sums of a bias are of what has not been rounded.
    const float gradient_scale = backward ? scale : 0;
    backend.cross_entropy(
        {all, v, targets + begin, smoothing, gradient_scale, logits, sums, bias ? nullptr : rounded, agreement});
    if (!backward) continue;
    if (bias) {
      const bool add_bias = tape.gradients().accumulate(bias);
      backend.column_sums({all, v, logits, add_bias, tape.gradients().of(bias)});
      if (rounded) backend.round({all, v, logits, v, rounded});
    }
    for (std::int64_t view = 0; view < views; ++view) {
      const std::int64_t first = of_view(view);
      const float *part = x->value + first * d, *d_logits = narrow ? nullptr : logits + view * rows * v;
      const Bfloat16* rounded_part = rounded ? rounded + view * rows * ceil8(v) : nullptr;
      backend.product({false, false, rows, d, v, d_logits, v, tape.value(table), d, false, d_x + first * d, d, rounded_part,
                       tape.rounded(table)});
      const bool add = tape.gradients().accumulate(table);
      backend.product(
          {true, false, v, d, rows, d_logits, v, part, d, add, tape.gradients().of(table), d, rounded_part, rounded_rows(first)});
    }
  }
  tape.arena().give(logits);
  tape.arena().give(rounded);
}

namespace {

constexpr std::int64_t kRows = 72, kStretch = 512;  // of logits at a time, on the host

// Columns of the logits of some rows.
struct Logits {
  std::int64_t first, rows;     // the rows
  std::int64_t begin, columns;  // the columns
  float* at;                    // [rows, columns]
};

// y [rows, end - begin] = columns [begin, end) of x table^T + bias.
void project_columns(Tape& tape, std::int64_t rows, const float* x, Param table, Param bias, std::int64_t begin, std::int64_t end,
                     float* y) {
  const std::int64_t k = table.columns, n = end - begin;
  const Backend& backend = tape.backend();
  if (const Int8Matrix* all = tape.int8(table)) {
    backend.int8_product({rows, columns_of(*all, begin, n), x, y});
  } else {
    // Panels begin at multiples of 32 columns, and so do stretches.
    if (const void* packed = tape.packed(table, true))
      backend.row_product({true, rows, n, k, x, nullptr, y, static_cast<const char*>(packed) + backend.packed_bytes(begin, k)});
    else backend.row_product({true, rows, n, k, x, tape.value(table) + begin * k, y});
  }
  if (bias) backend.add_bias({rows, n, tape.value(bias) + begin, y});
}

// Calls each(logits) for all of x table^T + bias: of each row the columns from left to right. On the host they come in stretches,
// each for a few rows after the other, so that both the logits and the stretch of the table stay in the second-level cache; with
// `whole`, and elsewhere, in one.
template <class Each>
void project(Tape& tape, Var x, Param table, Param bias, bool whole, const Each& each) {
  const bool host = tape.backend().is_host();
  const std::int64_t n = x->rows, d = x->columns, v = table.rows;
  const std::int64_t chunk = std::min<std::int64_t>(n, !host   ? 1024
                                                       : whole ? 128
                                                               : kRows),
                     stretch = whole || !host ? v : kStretch;
  TT_CHECK(table.columns == d && !tape.recording());
  float* logits = tape.arena().take_array<float>(chunk * std::min(stretch, v));
  for (std::int64_t begin = 0; begin < v; begin += stretch)
    for (std::int64_t first = 0; first < n; first += chunk) {
      const std::int64_t rows = std::min(chunk, n - first), end = std::min(v, begin + stretch);
      project_columns(tape, rows, x->value + first * d, table, bias, begin, end, logits);
      each(Logits{first, rows, begin, end - begin, logits});
    }
  tape.arena().give(logits);
}

// Answers what is asked of the logits in `here`, a part of those of rows of v.
void best_of(Tape& tape, const Logits& here, std::int64_t v, BestOf k) {
  k.n = here.rows, k.v = here.columns, k.logits = here.at, k.begin = here.begin, k.last = here.begin + here.columns == v;
  k.values += here.first * k.best, k.indices += here.first * k.best;
  k.barred_at += here.first * k.barred, k.asked_at += here.first * k.asked, k.asked_values += here.first * k.asked;
  k.sums += here.first * 2;
  tape.backend().best_of(k);
}

}  // namespace

void projected_best(Tape& tape, Var x, Param table, Param bias, const Question& question, Answer& answer) {
  const std::int64_t n = x->rows, best = question.best;
  const auto per_row = [n](std::span<const std::int32_t> list) {
    TT_CHECK(n > 0 && static_cast<std::int64_t>(list.size()) % n == 0);
    return static_cast<int>(static_cast<std::int64_t>(list.size()) / n);
  };
  const int barred = per_row(question.barred), asked = per_row(question.asked);
  // In one block, so that one copy brings all to the host.
  auto* const values = tape.array<float>(n * (2 * best + asked));
  auto* const pieces = reinterpret_cast<std::int32_t*>(values + n * best);
  float* const asked_values = values + 2 * n * best;
  const std::int32_t *barred_at = tape.upload(question.barred), *asked_at = tape.upload(question.asked);
  BestOf all{.best = question.best, .values = values, .indices = pieces, .barred = barred, .asked = asked};
  all.barred_at = barred_at, all.asked_at = asked_at, all.asked_values = asked_values, all.sums = tape.array<float>(2 * n);
  project(tape, x, table, bias, false, [&](const Logits& here) { best_of(tape, here, table.rows, all); });
  const float* host = tape.download(values, n * (2 * best + asked));
  answer.values.assign(host, host + n * best);
  answer.pieces.resize(answer.values.size());
  std::memcpy(answer.pieces.data(), host + n * best, answer.pieces.size() * sizeof(float));
  answer.asked.assign(host + 2 * n * best, host + n * (2 * best + asked));
}

void projected_distribution(Tape& tape, Var x, Param table, Param bias, std::vector<float>& all) {
  all.resize(static_cast<std::size_t>(x->rows * table.rows));
  project(tape, x, table, bias, true, [&](const Logits& here) {
    tape.backend().log_softmax({here.rows, table.rows, here.at});
    const std::int64_t size = here.rows * table.rows;
    tape.backend().download(all.data() + here.first * table.rows, here.at, static_cast<std::size_t>(size) * sizeof(float));
  });
}

void projected_scores(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float* values) {
  float* first = tape.array<float>(x->rows);
  auto* piece = tape.array<std::int32_t>(x->rows);
  BestOf all{.best = 1, .values = first, .indices = piece, .asked = 1, .asked_at = targets, .asked_values = values};
  all.sums = tape.array<float>(2 * x->rows);
  project(tape, x, table, bias, false, [&](const Logits& here) { best_of(tape, here, table.rows, all); });
}

}  // namespace tt
