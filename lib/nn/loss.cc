#include "nn/loss.h"

#include <algorithm>
#include <cstring>

#include "nn/ops.h"

namespace tt {
namespace {

// Rows per chunk. Memory traffic per row is V for the logits and V D / chunk for adding to the table's gradient: a chunk of about
// D rows balances the two if the logits fit in the cache. On a GPU they do not, so chunks are as large as memory allows: logits
// of 4096 rows and 32,000 words are 500 MiB.
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

namespace {

// Calls each(begin, rows, logits) for one chunk of rows after the other.
template <class Each>
void project(Tape& tape, Var x, Param table, Param bias, const Each& each) {
  const std::int64_t n = x->rows, d = x->columns, chunk = tape.backend().is_host() ? 128 : 1024;
  TT_CHECK(table.columns == d);
  float* logits = tape.arena().take_array<float>(std::min(chunk, n) * table.rows);
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t rows = std::min(chunk, n - begin);
    row_product(tape, rows, x->value + begin * d, table, true, logits, nullptr, bias);
    each(begin, rows, logits);
  }
  tape.arena().give(logits);
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
  project(tape, x, table, bias, [&](std::int64_t begin, std::int64_t rows, float* logits) {
    BestOf k{rows, table.rows, logits, question.best, values + begin * best, pieces + begin * best};
    k.barred = barred, k.barred_at = barred_at + begin * barred;
    k.asked = asked, k.asked_at = asked_at + begin * asked, k.asked_values = asked_values + begin * asked;
    tape.backend().best_of(k);
  });
  const float* host = tape.download(values, n * (2 * best + asked));
  answer.values.assign(host, host + n * best);
  answer.pieces.resize(answer.values.size());
  std::memcpy(answer.pieces.data(), host + n * best, answer.pieces.size() * sizeof(float));
  answer.asked.assign(host + 2 * n * best, host + n * (2 * best + asked));
}

void projected_distribution(Tape& tape, Var x, Param table, Param bias, std::vector<float>& all) {
  all.resize(static_cast<std::size_t>(x->rows * table.rows));
  project(tape, x, table, bias, [&](std::int64_t begin, std::int64_t rows, float* logits) {
    tape.backend().log_softmax({rows, table.rows, logits});
    const std::int64_t size = rows * table.rows;
    tape.backend().download(all.data() + begin * table.rows, logits, static_cast<std::size_t>(size) * sizeof(float));
  });
}

void projected_scores(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float* values) {
  float* first = tape.array<float>(x->rows);
  auto* piece = tape.array<std::int32_t>(x->rows);
  project(tape, x, table, bias, [&](std::int64_t begin, std::int64_t rows, float* logits) {
    BestOf k{rows, table.rows, logits, 1, first + begin, piece + begin};
    k.asked = 1, k.asked_at = targets + begin, k.asked_values = values + begin;
    tape.backend().best_of(k);
  });
}

}  // namespace tt
