// The update of the parameters (section 5.3): gradients of all shards in a fixed tree, then Adam, each in one pass.
#include <algorithm>
#include <cmath>

#include "cpu/cpu.h"

namespace tt {

// In blocks that stay in the cache: neighbours first, then pairs of pairs; the order depends on the number of shards alone.
double CpuBackend::reduce(std::span<float* const> gradients, std::int64_t size) const {
  constexpr std::int64_t kBlock = 2048;
  double squares = 0;
  for (std::int64_t begin = 0; begin < size; begin += kBlock) {
    const std::int64_t n = std::min(kBlock, size - begin);
    for (std::size_t stride = 1; stride < gradients.size(); stride *= 2)
      for (std::size_t s = 0; s + stride < gradients.size(); s += 2 * stride)
        add(n, gradients[s + stride] + begin, gradients[s] + begin);
    const float* g = gradients[0] + begin;
    double lanes[4] = {};
    std::int64_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (int lane = 0; lane < 4; ++lane) lanes[lane] += static_cast<double>(g[i + lane]) * static_cast<double>(g[i + lane]);
    for (; i < n; ++i) lanes[0] += static_cast<double>(g[i]) * static_cast<double>(g[i]);
    squares += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }
  return squares;
}

void CpuBackend::adam(const AdamStep& step, std::int64_t size, const float* gradient, float* parameters, float* m,
                      float* v) const {
  const float b1 = step.beta1, b2 = step.beta2, c1 = 1 / step.correction1, c2 = 1 / step.correction2;
  for (std::int64_t i = 0; i < size; ++i) {
    const float g = gradient[i] * step.gradient_scale;
    m[i] = b1 * m[i] + (1 - b1) * g;
    v[i] = b2 * v[i] + (1 - b2) * g * g;
    parameters[i] -= step.rate * (m[i] * c1 / (std::sqrt(v[i] * c2) + step.epsilon) + step.weight_decay * parameters[i]);
  }
}

}  // namespace tt
