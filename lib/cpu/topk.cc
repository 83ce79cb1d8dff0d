// The best continuations of each hypothesis: log-softmax and the few largest, in two visits to a row of logits.
#include <cmath>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

void CpuBackend::best_of(std::int64_t n, std::int64_t v, const float* logits, int best, float* values, std::int32_t* indices) const {
  for (std::int64_t r = 0; r < n; ++r, values += best, indices += best) {
    const float* z = logits + r * v;
    int found = 0;
    float least = -INFINITY;  // the smallest value kept, once `best` are kept
    const auto offer = [&](float x, std::int64_t c) {
      int at = found < best ? found++ : best - 1;
      for (; at > 0 && values[at - 1] < x; --at) values[at] = values[at - 1], indices[at] = indices[at - 1];
      values[at] = x;
      indices[at] = static_cast<std::int32_t>(c);
      if (found == best) least = values[best - 1];
    };
    columns(v, [&](std::int64_t c, auto w) {
      const F8 x = fill_after(load(z + c, w), w, -INFINITY);
      const I8 above = x > least;
      std::int64_t any[4];
      std::memcpy(any, &above, sizeof any);
      if (found == best && !(any[0] | any[1] | any[2] | any[3])) return;
      for (int lane = 0; lane < 8 && c + lane < v; ++lane)
        if (found < best || x[lane] > least) offer(x[lane], c + lane);
    });
    const float peak = values[0];
    F8 mass = {};
    columns(v, [&](std::int64_t c, auto w) { mass += fill_after(vec::exp(load(z + c, w) - peak), w, 0); });
    const float log_sum = peak + std::log(sum(mass));
    for (int i = 0; i < found; ++i) values[i] -= log_sum;
    for (int i = found; i < best; ++i) values[i] = -INFINITY, indices[i] = 0;
  }
}

}  // namespace tt
