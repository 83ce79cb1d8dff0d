// The best continuations of each hypothesis: log-softmax and the few largest, in two passes over a row of logits.
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

}  // namespace

void CpuBackend::best_of(const BestOf& k) const {
  const std::int64_t v = k.v;
  const int best = k.best;
  float* values = k.values;
  std::int32_t* indices = k.indices;
  constexpr std::int64_t kStretch = 4 * kWidth;  // few blocks contain a candidate
  for (std::int64_t r = 0; r < k.n; ++r, values += best, indices += best) {
    const float* z = k.logits + r * v;
    Best kept{best, values, indices};
    for (std::int64_t c = 0; c < v; c += kStretch) {
      const bool whole = c + kStretch <= v;
      if (whole && kept.found == best &&
          !any(max(max(load(z + c), load(z + c + 8)), max(load(z + c + 16), load(z + c + 24))) > kept.least))
        continue;
      for (std::int64_t i = c; i < (whole ? c + kStretch : v); ++i) kept.offer(z[i], i);
    }
    const float peak = values[0];
    F8 mass = {};
    columns(v, [&](std::int64_t c, auto w) { mass += fill_after(vec::exp(load(z + c, w) - peak), w, 0); });
    const float log_sum = peak + std::log(sum(mass));
    for (int i = 0; i < kept.found; ++i) values[i] -= log_sum;
    for (int i = kept.found; i < best; ++i) values[i] = -INFINITY, indices[i] = 0;
  }
}

}  // namespace tt
