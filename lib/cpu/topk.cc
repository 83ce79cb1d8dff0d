// The best continuations of each hypothesis: log-softmax and the few largest, in two visits to a
// row of logits, or to a stretch of it that is in the cache; and log-softmax of all.
#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

// The `best` largest values so far, descending, in the caller's memory, at first minus infinity;
// ties go to the first one seen.
struct Best {
  int best;
  float* values;
  std::int32_t* indices;

  float least() const { return values[best - 1]; }
  void offer(float x, std::int64_t index) {
    if (!(x > least())) return;
    int at = best - 1;
    for (; at > 0 && values[at - 1] < x; --at)
      values[at] = values[at - 1], indices[at] = indices[at - 1];
    values[at] = x;
    indices[at] = static_cast<std::int32_t>(index);
  }
};

// Offers v logits, the first of which has the index `begin`; returns the largest.
float find_best(const float* z, std::int64_t v, std::int64_t begin, Best kept) {
  constexpr std::int64_t kStretch = 4 * kWidth;  // few of them hold anything worth a look
  Floats top = splat(-INFINITY);
  const auto look = [&](std::int64_t c, Floats x) {
    for (unsigned at = lanes_above(x, kept.least()); at != 0; at &= at - 1) {
      const int lane = __builtin_ctz(at);
      kept.offer(x[lane], begin + c + lane);
    }
  };
  std::int64_t c = 0;
  for (; c + kStretch <= v; c += kStretch) {
    Floats x[4];
    for (int i = 0; i < 4; ++i) x[i] = load(z + c + i * kWidth);
    const Floats here = max(max(x[0], x[1]), max(x[2], x[3]));
    top = max(top, here);
    if (lanes_above(here, kept.least()) == 0) continue;
    for (int i = 0; i < 4; ++i) look(c + i * kWidth, x[i]);
  }
  columns(v - c, [&](std::int64_t i, auto w) {
    const Floats x = fill_after(load(z + c + i, w), w, -INFINITY);
    top = max(top, x);
    look(c + i, x);
  });
  return largest(top);
}

float largest_of(const float* z, std::int64_t v) {
  Floats top = splat(-INFINITY);
  columns(
      v, [&](std::int64_t c, auto w) { top = max(top, fill_after(load(z + c, w), w, -INFINITY)); });
  return largest(top);
}

// The sum of powers of a row.
float mass_of(const float* z, std::int64_t v, float base) {
  Floats mass = {};
  powers(z, v, base, [&](std::int64_t, Floats power, auto w) { mass += fill_after(power, w, 0); });
  return sum(mass);
}

}  // namespace

void CpuBackend::best_of(const BestOf& k) const {
  const std::int64_t v = k.v, end = k.begin + v;
  std::vector<float> hidden(static_cast<std::size_t>(k.barred));
  for (std::int64_t r = 0; r < k.n; ++r) {
    float *z = k.logits + r * v, *values = k.values + r * k.best,
          *asked = k.asked_values + r * k.asked;
    std::int32_t* indices = k.indices + r * k.best;
    const std::int32_t *asked_at = k.asked_at + r * k.asked,
                       *barred_at = k.barred_at + r * k.barred;
    const auto here = [&](std::int32_t at) { return at >= k.begin && at < end; };
    float base = -INFINITY, mass = 0;
    if (k.begin > 0) {
      base = k.sums[2 * r], mass = k.sums[2 * r + 1];
    } else {
      std::fill_n(values, k.best, -INFINITY);
      std::fill_n(indices, k.best, 0);
      std::fill_n(asked, k.asked, -INFINITY);
    }
    for (int i = 0; i < k.asked; ++i)
      if (here(asked_at[i])) asked[i] = z[asked_at[i] - k.begin];
    float top = -INFINITY;
    for (int i = 0; i < k.barred; ++i) {
      if (!here(barred_at[i])) continue;
      float& at = z[barred_at[i] - k.begin];
      hidden[static_cast<std::size_t>(i)] = at;
      top = std::max(top, at);
      at = -INFINITY;
    }
    top = std::max(top, find_best(z, v, k.begin, {k.best, values, indices}));
    for (int i = k.barred; i-- > 0;)
      if (here(barred_at[i])) z[barred_at[i] - k.begin] = hidden[static_cast<std::size_t>(i)];
    // The sum so far is brought to the larger base. Of numbers that all are minus infinity there
    // is nothing to sum.
    const float higher = std::max(base, base_of(top));
    if (higher != -INFINITY)
      mass = (base < higher ? mass * std::exp2(base - higher) : mass) + mass_of(z, v, higher);
    base = higher;
    if (!k.last) {
      k.sums[2 * r] = base, k.sums[2 * r + 1] = mass;
      continue;
    }
    const auto log_all = static_cast<float>(log_sum(base, mass));
    for (int i = 0; i < k.best; ++i) values[i] -= log_all;
    for (int i = 0; i < k.asked; ++i)
      if (asked_at[i] >= 0) asked[i] -= log_all;
  }
}

void CpuBackend::log_softmax(const LogSoftmax& k) const {
  for (std::int64_t r = 0; r < k.n; ++r) {
    float* z = k.logits + r * k.v;
    const float base = base_of(largest_of(z, k.v));
    const auto all = static_cast<float>(log_sum(base, mass_of(z, k.v, base)));
    columns(k.v, [&](std::int64_t c, auto w) { store(z + c, load(z + c, w) - all, w); });
  }
}

}  // namespace tt
