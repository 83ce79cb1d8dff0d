// The best continuations of each hypothesis: log-softmax and the few largest, in two visits to a row of logits; and log-softmax
// of all.
#include <cmath>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

// The `best` largest values so far, descending, in the caller's memory; ties go to the first one seen.
struct Best {
  int best;
  float* values;
  std::int32_t* indices;
  int found = 0;
  float least = -INFINITY;  // the value to exceed, once `best` are kept

  void offer(float x, std::int64_t index) {
    if (found == best && !(x > least)) return;
    int at = found < best ? found++ : best - 1;
    for (; at > 0 && values[at - 1] < x; --at) values[at] = values[at - 1], indices[at] = indices[at - 1];
    values[at] = x;
    indices[at] = static_cast<std::int32_t>(index);
    if (found == best) least = values[best - 1];
  }
};

// The best of a row z of v, as far as there are so many; returns their number.
int find_best(const float* z, std::int64_t v, Best kept) {
  constexpr std::int64_t kStretch = 4 * kWidth;  // few of them hold anything worth a look
  for (std::int64_t c = 0; c < v; c += kStretch) {
    const bool whole = c + kStretch <= v;
    if (whole && kept.found == kept.best &&
        !any(max(max(load(z + c), load(z + c + 8)), max(load(z + c + 16), load(z + c + 24))) > kept.least))
      continue;
    for (std::int64_t i = c; i < (whole ? c + kStretch : v); ++i) kept.offer(z[i], i);
  }
  return kept.found;
}

float largest_of(const float* z, std::int64_t v) {
  F8 top = splat(-INFINITY);
  columns(v, [&](std::int64_t c, auto w) { top = max(top, fill_after(load(z + c, w), w, -INFINITY)); });
  return largest(top);
}

// log sum exp of a row whose largest is `peak`.
float log_sum_of(const float* z, std::int64_t v, float peak) {
  F8 mass = {};
  columns(v, [&](std::int64_t c, auto w) { mass += fill_after(vec::exp(load(z + c, w) - peak), w, 0); });
  return peak + std::log(sum(mass));
}

}  // namespace

void CpuBackend::best_of(const BestOf& k) const {
  const std::int64_t v = k.v;
  for (std::int64_t r = 0; r < k.n; ++r) {
    float *z = k.logits + r * v, *values = k.values + r * k.best;
    std::int32_t* indices = k.indices + r * k.best;
    int found = 0;
    // The largest is the first of the best, unless that is barred.
    if (k.barred == 0) found = find_best(z, v, {k.best, values, indices});
    const float log_sum = log_sum_of(z, v, k.barred == 0 ? values[0] : largest_of(z, v));
    for (int i = 0; i < k.asked; ++i) {
      const std::int32_t at = k.asked_at[r * k.asked + i];
      k.asked_values[r * k.asked + i] = at >= 0 ? z[at] - log_sum : -INFINITY;
    }
    if (k.barred > 0) {
      for (int i = 0; i < k.barred; ++i)
        if (const std::int32_t at = k.barred_at[r * k.barred + i]; at >= 0) z[at] = -INFINITY;
      found = find_best(z, v, {k.best, values, indices});
    }
    for (int i = 0; i < found; ++i) {
      if (values[i] == -INFINITY) indices[i] = 0;
      values[i] -= log_sum;
    }
    for (int i = found; i < k.best; ++i) values[i] = -INFINITY, indices[i] = 0;
  }
}

void CpuBackend::log_softmax(const LogSoftmax& k) const {
  for (std::int64_t r = 0; r < k.n; ++r) {
    float* z = k.logits + r * k.v;
    const float log_sum = log_sum_of(z, k.v, largest_of(z, k.v));
    columns(k.v, [&](std::int64_t c, auto w) { store(z + c, load(z + c, w) - log_sum, w); });
  }
}

}  // namespace tt
