// Simpler simple recurrent units: a scan along each sentence, all columns side by side.
#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

void CpuBackend::ssru(const Ssru& k) const {
  const std::int64_t d = k.d;
  for (std::int64_t s = 0; s < k.segments.count; ++s) {
    const Segment& segment = k.segments.at[s];
    const float* before = k.c_before ? k.c_before.floats() + k.before[s] * d : nullptr;
    for (std::int64_t r = segment.query_begin; r < segment.query_end; ++r) {
      float *gates = k.gates + r * 2 * d, *c = k.c + r * d, *h = k.h + r * d;
      columns(d, [&](std::int64_t column, auto w) {
        const Floats x = load(gates + column, w), f = logistic(load(gates + d + column, w));
        const Floats last = before ? load(before + column, w) : splat(0),
                     cell = multiply_add(f, last - x, x);
        store(gates + d + column, f, w);
        store(c + column, cell, w);
        store(h + column, max(cell, splat(0)), w);
      });
      before = c;
    }
  }
}

// With e the gradient of c, which comes from h and from the next row:  d_x = e (1 - f),  d_f = e
// (c_before - x) f (1 - f).
void CpuBackend::ssru_backward(const SsruBackward& k) const {
  const std::int64_t d = k.d;
  for (std::int64_t s = 0; s < k.segments.count; ++s) {
    const Segment& segment = k.segments.at[s];
    for (std::int64_t column = 0; column < d; column += kWidth) {
      Floats carried = {};
      const auto step = [&](std::int64_t r, auto w) {
        const float* gates = k.gates + r * 2 * d + column;
        const Floats x = load(gates, w), f = load(gates + d, w), c = load(k.c + r * d + column, w);
        const Floats last =
            r > segment.query_begin ? load(k.c + (r - 1) * d + column, w) : splat(0);
        const Floats e = carried + zero_where(c <= 0.0f, load(k.d_h + r * d + column, w));
        store(k.d_gates + r * 2 * d + column, e * (1.0f - f), w);
        store(k.d_gates + r * 2 * d + d + column, e * (last - x) * f * (1.0f - f), w);
        carried = e * f;
      };
      for (std::int64_t r = segment.query_end; r-- > segment.query_begin;)
        if (column + kWidth <= d) step(r, Full{});
        else step(r, Tail{d - column});
    }
  }
}

}  // namespace tt
