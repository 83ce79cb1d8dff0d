// One step of all LSTM cells, and the selection of rows for such steps. The products of a step are
// in gemm.
#include <cstring>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

void CpuBackend::gather(const Gather& k) const {
  const std::int64_t d = k.y.columns;
  for (std::int64_t r = 0; r < k.y.rows; ++r) {
    const std::int64_t from = k.rows ? k.rows[r] : r;
    float* y = k.y.floats() + r * k.y.stride;
    if (from < 0) {
      if (!k.accumulate) std::memset(y, 0, static_cast<std::size_t>(d) * sizeof(float));
      continue;
    }
    const float* x = k.x.floats() + from * k.x.stride;
    if (k.accumulate)
      columns(d, [&](std::int64_t c, auto w) { store(y + c, load(y + c, w) + load(x + c, w), w); });
    else std::memcpy(y, x, static_cast<std::size_t>(d) * sizeof(float));
  }
}

void CpuBackend::lstm(const Lstm& k) const {
  const std::int64_t d = k.d;
  for (std::int64_t r = 0; r < k.n; ++r) {
    float* gates = k.gates + r * 4 * d;
    const float* recurrent = k.recurrent ? k.recurrent + r * 4 * d : nullptr;
    columns(d, [&](std::int64_t column, auto w) {
      const auto sum = [&](int gate) {
        const Floats a = load(gates + gate * d + column, w);
        return recurrent ? a + load(recurrent + gate * d + column, w) : a;
      };
      const Floats i = logistic(sum(0)), f = logistic(sum(1)), g = vec::tanh(sum(2)),
                   o = logistic(sum(3));
      store(gates + column, i, w);
      store(gates + d + column, f, w);
      store(gates + 2 * d + column, g, w);
      store(gates + 3 * d + column, o, w);
      const Floats before = k.c_before ? load(k.c_before + r * d + column, w) : splat(0);
      const Floats c = multiply_add(f, before, i * g);
      store(k.c + r * d + column, c, w);
      store(k.h + r * d + column, o * vec::tanh(c), w);
    });
  }
}

void CpuBackend::lstm_backward(const LstmBackward& k) const {
  const std::int64_t d = k.d;
  for (std::int64_t r = 0; r < k.n; ++r) {
    const float* gates = k.gates + r * 4 * d;
    float* d_gates = k.d_gates + r * 4 * d;
    columns(d, [&](std::int64_t column, auto w) {
      const std::int64_t at = r * d + column;
      const Floats i = load(gates + column, w), f = load(gates + d + column, w),
                   g = load(gates + 2 * d + column, w), o = load(gates + 3 * d + column, w);
      const Floats before = k.c_before ? load(k.c_before + at, w) : splat(0),
                   t = vec::tanh(load(k.c + at, w));
      const Floats d_h = k.d_h ? load(k.d_h + at, w) : splat(0),
                   d_c = k.d_c ? load(k.d_c + at, w) : splat(0);
      const Floats e = d_c + d_h * o * (1.0f - t * t);
      if (k.d_c_before)
        store(k.d_c_before + at, k.accumulate ? load(k.d_c_before + at, w) + e * f : e * f, w);
      store(d_gates + column, e * g * i * (1.0f - i), w);
      store(d_gates + d + column, e * before * f * (1.0f - f), w);
      store(d_gates + 2 * d + column, e * i * (1.0f - g * g), w);
      store(d_gates + 3 * d + column, d_h * t * o * (1.0f - o), w);
    });
  }
}

}  // namespace tt
