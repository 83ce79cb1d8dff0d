// Label-smoothed cross-entropy over the vocabulary, forward and backward in one pass over each row
// of logits (section 5.4).
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cpu/rows.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

// The sums over a row of logits.
struct Row {
  float normaliser;  // of the powers
  double log_sum;    // log sum e^z
};

// Adds the cross-entropy of a row to the sums, and writes powers that are proportional to e^z to
// `to`, which may be z, unless it is null.
//   -sum q log p = L - (1 - smoothing) z[target] - smoothing / V sum z,   with L the log_sum and q
//   the smoothed target.
Row enter(const CrossEntropy& k, const float* z, std::int32_t target, float* to) {
  Floats top = splat(-INFINITY), total = {};
  columns(k.logits.columns, [&](std::int64_t c, auto w) {
    const Floats x = load(z + c, w);
    total += x;
    top = max(top, fill_after(x, w, -INFINITY));
  });
  const float base = base_of(largest(top)), gold = z[target];
  Floats mass = {};
  powers(z, k.logits.columns, base, [&](std::int64_t c, Floats power, auto w) {
    mass += fill_after(power, w, 0);
    if (to) store(to + c, power, w);
  });
  const float normaliser = sum(mass);
  const double log_all = log_sum(base, normaliser);
  k.sums[0] +=
      log_all - (1.0 - k.smoothing) * gold -
      static_cast<double>(k.smoothing) / static_cast<double>(k.logits.columns) * sum(total);
  k.sums[1] += log_all - gold;
  return {normaliser, log_all};
}

// d z = p - q.
void one_view(const CrossEntropy& k, std::int64_t r, float* z) {
  const bool backward = k.gradient_scale != 0;
  const Row row = enter(k, z, k.targets[r], backward ? z : nullptr);
  if (!backward) return;
  const Floats factor = splat(k.gradient_scale / row.normaliser),
               shift = splat(k.gradient_scale * k.smoothing / static_cast<float>(k.logits.columns));
  columns(k.logits.columns,
          [&](std::int64_t c, auto w) { store(z + c, load(z + c, w) * factor - shift, w); });
  z[k.targets[r]] -= k.gradient_scale * (1 - k.smoothing);
}

// With d = log p - log p':
//   KL(p || p') = sum p d,   d z = p - q + a / 2 (p (d - KL(p || p')) + p - p'),
//   and the other way round.
void two_views(const CrossEntropy& k, std::int64_t r) {
  static thread_local std::vector<float> room;
  const auto v = static_cast<std::size_t>(k.logits.columns);
  if (room.size() < 2 * v) room.resize(2 * v);
  float *p = room.data(), *other = p + v, *z = k.logits.floats() + r * k.logits.columns,
        *z_other = z + k.logits.rows / 2 * k.logits.columns;
  const Row row = enter(k, z, k.targets[r], p), row_other = enter(k, z_other, k.targets[r], other);
  const float inverse = 1 / row.normaliser, inverse_other = 1 / row_other.normaliser;
  const auto shift = static_cast<float>(row_other.log_sum - row.log_sum);
  Floats there = {}, back = {};
  columns(k.logits.columns, [&](std::int64_t c, auto w) {
    const Floats a = load(p + c, w) * inverse, b = load(other + c, w) * inverse_other,
                 d = load(z + c, w) - load(z_other + c, w) + shift;
    there += a * d;
    back -= b * d;
    store(p + c, a, w);
    store(other + c, b, w);
    store(z + c, d, w);
  });
  const float kl = sum(there), kl_back = sum(back), half = k.agreement / 2;
  k.sums[0] += half * (static_cast<double>(kl) + static_cast<double>(kl_back));
  if (k.gradient_scale == 0) return;
  const Floats spread = splat(k.smoothing / static_cast<float>(k.logits.columns));
  columns(k.logits.columns, [&](std::int64_t c, auto w) {
    const Floats a = load(p + c, w), b = load(other + c, w), d = load(z + c, w);
    store(z + c, (a - spread + (a * (d - kl) + a - b) * half) * k.gradient_scale, w);
    store(z_other + c, (b - spread + (b - a - b * (d + kl_back)) * half) * k.gradient_scale, w);
  });
  for (float* row_of : {z, z_other}) row_of[k.targets[r]] -= k.gradient_scale * (1 - k.smoothing);
}

}  // namespace

void CpuBackend::cross_entropy(const CrossEntropy& k) const {
  RowReader logits(k.logits);
  RowWriter gradient(k.gradient_scale == 0 ? Matrix() : k.gradient);
  const auto put = [&](std::int64_t r, const float* z) {
    if (float* to = gradient.row(r); to && to != z) std::copy_n(z, k.logits.columns, to);
    gradient.put(r);
  };
  if (k.agreement > 0) {
    TT_CHECK(k.logits.type == ElementType::float32);
    for (std::int64_t r = 0; r < k.logits.rows / 2; ++r) two_views(k, r);
    for (std::int64_t r = 0; r < k.logits.rows; ++r) put(r, logits.row(r));
  } else {
    for (std::int64_t r = 0; r < k.logits.rows; ++r) {
      auto* z = const_cast<float*>(logits.row(r));  // which may hold anything afterwards
      one_view(k, r, z);
      put(r, z);
    }
  }
}

}  // namespace tt
