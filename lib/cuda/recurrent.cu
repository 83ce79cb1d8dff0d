// Kernels of recurrent models: chosen rows, and cells with long short-term memory; a thread for
// each element.
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void gather_elements(Gather k) {
  const std::int64_t i = element();
  const std::int64_t d = k.y.columns;
  if (i >= k.y.rows * d) return;
  const std::int64_t r = i / d, c = i % d, from = k.rows ? k.rows[r] : r;
  const float x = from < 0 ? 0 : k.x.floats()[from * k.x.stride + c];
  float& y = k.y.floats()[r * k.y.stride + c];
  y = k.accumulate ? y + x : x;
}

__device__ float logistic(float x) { return 1 / (1 + expf(-x)); }

__global__ void step_cells(Lstm k) {
  const std::int64_t at = element();
  if (at >= k.n * k.d) return;
  const std::int64_t r = at / k.d, u = at % k.d;
  float sums[4];
  for (int gate = 0; gate < 4; ++gate) {
    const std::int64_t x = (r * 4 + gate) * k.d + u;
    sums[gate] = k.gates[x] + (k.recurrent ? k.recurrent[x] : 0);
    sums[gate] = gate == 2 ? tanhf(sums[gate]) : logistic(sums[gate]);
    k.gates[x] = sums[gate];
  }
  const float c = sums[1] * (k.c_before ? k.c_before[at] : 0) + sums[0] * sums[2];
  k.c[at] = c;
  k.h[at] = sums[3] * tanhf(c);
}

__global__ void step_cells_backward(LstmBackward k) {
  const std::int64_t at = element();
  if (at >= k.n * k.d) return;
  const std::int64_t r = at / k.d, u = at % k.d;
  const auto gate = [&](int number) { return (r * 4 + number) * k.d + u; };
  const float i = k.gates[gate(0)], f = k.gates[gate(1)], g = k.gates[gate(2)],
              o = k.gates[gate(3)];
  const float t = tanhf(k.c[at]), d_h = k.d_h ? k.d_h[at] : 0;
  const float e = (k.d_c ? k.d_c[at] : 0) + d_h * o * (1 - t * t);
  k.d_gates[gate(0)] = e * g * i * (1 - i);
  k.d_gates[gate(1)] = e * (k.c_before ? k.c_before[at] : 0) * f * (1 - f);
  k.d_gates[gate(2)] = e * i * (1 - g * g);
  k.d_gates[gate(3)] = d_h * t * o * (1 - o);
  if (k.d_c_before) k.d_c_before[at] = k.accumulate ? k.d_c_before[at] + e * f : e * f;
}

}  // namespace

void CudaBackend::gather(const Gather& k) const {
  launch_elements(*device_, k.y.rows * k.y.columns, gather_elements, k);
}
void CudaBackend::lstm(const Lstm& k) const { launch_elements(*device_, k.n * k.d, step_cells, k); }
void CudaBackend::lstm_backward(const LstmBackward& k) const {
  launch_elements(*device_, k.n * k.d, step_cells_backward, k);
}

}  // namespace tt
