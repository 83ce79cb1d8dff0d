// Simpler simple recurrent units: a thread scans one column of one sentence.
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void scan(Ssru k) {
  const std::int64_t i = element();
  if (i >= k.segments.count * k.d) return;
  const std::int64_t s = i / k.d, column = i % k.d;
  const Segment segment = k.segments.at[s];
  float last = k.c_before ? k.c_before.floats()[k.before[s] * k.d + column] : 0;
  for (std::int64_t r = segment.query_begin; r < segment.query_end; ++r) {
    float* gates = k.gates + r * 2 * k.d + column;
    const float f = 1.0f / (1.0f + expf(-gates[k.d]));
    last = gates[0] + f * (last - gates[0]);
    gates[k.d] = f;
    k.c[r * k.d + column] = last;
    k.h[r * k.d + column] = last <= 0 ? 0 : last;
  }
}

// As in cpu/ssru.cc.
__global__ void scan_backward(SsruBackward k) {
  const std::int64_t i = element();
  if (i >= k.segments.count * k.d) return;
  const std::int64_t column = i % k.d;
  const Segment segment = k.segments.at[i / k.d];
  float carried = 0;
  for (std::int64_t r = segment.query_end - 1; r >= segment.query_begin; --r) {
    const float* gates = k.gates + r * 2 * k.d + column;
    const float x = gates[0], f = gates[k.d], c = k.c[r * k.d + column];
    const float last = r > segment.query_begin ? k.c[(r - 1) * k.d + column] : 0;
    const float e = carried + (c <= 0 ? 0 : k.d_h[r * k.d + column]);
    float* d_gates = k.d_gates + r * 2 * k.d + column;
    d_gates[0] = e * (1 - f);
    d_gates[k.d] = e * (last - x) * f * (1 - f);
    carried = e * f;
  }
}

}  // namespace

void CudaBackend::ssru(const Ssru& k) const {
  launch_elements(*device_, k.segments.count * k.d, scan, k);
}
void CudaBackend::ssru_backward(const SsruBackward& k) const {
  launch_elements(*device_, k.segments.count * k.d, scan_backward, k);
}

}  // namespace tt
