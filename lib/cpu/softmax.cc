// Label-smoothed cross-entropy over the vocabulary, forward and backward in one pass over each row of logits (section 5.4).
#include <cmath>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

// With z the logits, L = log sum exp z and q the smoothed target:
//   -sum q log p = L - (1 - smoothing) z[target] - smoothing / V sum z,   d z = p - q.
void CpuBackend::cross_entropy(const CrossEntropy& k) const {
  const std::int64_t v = k.v;
  const float smoothing = k.smoothing, gradient_scale = k.gradient_scale;
  const bool backward = gradient_scale != 0;
  for (std::int64_t r = 0; r < k.n; ++r) {
    float* z = k.logits + r * v;
    F8 top = splat(-INFINITY), total = {};
    columns(v, [&](std::int64_t c, auto w) {
      const F8 x = load(z + c, w);
      total += x;
      top = max(top, fill_after(x, w, -INFINITY));
    });
    const float peak = largest(top), gold = z[k.targets[r]];
    F8 mass = {};
    columns(v, [&](std::int64_t c, auto w) {
      const F8 e = vec::exp(load(z + c, w) - peak);
      mass += fill_after(e, w, 0);
      if (backward) store(z + c, e, w);
    });
    const float normaliser = sum(mass);
    const double log_sum = static_cast<double>(peak) + std::log(static_cast<double>(normaliser));
    k.sums[0] += log_sum - (1.0 - smoothing) * gold - static_cast<double>(smoothing) / static_cast<double>(v) * sum(total);
    k.sums[1] += log_sum - gold;
    if (!backward) continue;
    const F8 factor = splat(gradient_scale / normaliser), shift = splat(gradient_scale * smoothing / static_cast<float>(v));
    columns(v, [&](std::int64_t c, auto w) { store(z + c, load(z + c, w) * factor - shift, w); });
    z[k.targets[r]] -= gradient_scale * (1 - smoothing);
  }
  if (k.rounded && backward) round({k.n, v, k.logits, v, k.rounded});
}

}  // namespace tt
