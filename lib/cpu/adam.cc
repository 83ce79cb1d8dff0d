// The update of the parameters (section 5.3): gradients of all shards in a fixed tree, then Adam or
// its schedule-free form, each in one pass.
#include <algorithm>
#include <cmath>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

// In blocks that fit the cache: neighbours first, then pairs of pairs; the order depends only on
// the number of shards.
void CpuBackend::reduce(const Reduce& k) const {
  constexpr std::int64_t kBlock = 2048;
  static_assert(Reduce::kChunk % kBlock == 0);
  for (std::int64_t begin = k.begin; begin < k.end; begin += kBlock) {
    double& squares = k.squares[begin / Reduce::kChunk];
    if (begin % Reduce::kChunk == 0) squares = 0;
    const std::int64_t n = std::min(kBlock, k.end - begin);
    for (int stride = 1; stride < k.shards; stride *= 2)
      for (int s = 0; s + stride < k.shards; s += 2 * stride) {
        float *to = k.gradients[s] + begin, *from = k.gradients[s + stride] + begin;
        columns(n, [&](std::int64_t c, auto w) {
          store(to + c, load(to + c, w) + load(from + c, w), w);
        });
      }
    const float* g = k.gradients[0] + begin;
    double lanes[4] = {};
    std::int64_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (int lane = 0; lane < 4; ++lane)
        lanes[lane] += static_cast<double>(g[i + lane]) * static_cast<double>(g[i + lane]);
    for (; i < n; ++i) lanes[0] += static_cast<double>(g[i]) * static_cast<double>(g[i]);
    squares += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }
}

void CpuBackend::adam(const Adam& k) const {
  const float b1 = k.beta1, b2 = k.beta2, c1 = 1 / k.correction1, c2 = 1 / k.correction2;
  float *parameters = k.parameters, *m = k.m, *v = k.v;
  for (std::int64_t i = 0; i < k.size; ++i) {
    const float g = k.gradient[i] * k.gradient_scale;
    m[i] = b1 * m[i] + (1 - b1) * g;
    v[i] = b2 * v[i] + (1 - b2) * g * g;
    const float mean = k.nesterov ? b1 * m[i] + (1 - b1) * g : m[i];
    parameters[i] -=
        k.rate * (mean * c1 / (std::sqrt(v[i] * c2) + k.epsilon) + k.weight_decay * parameters[i]);
  }
  if (k.copy) round({float32(parameters, 1, k.size), k.copy});
}

void CpuBackend::schedule_free(const ScheduleFree& k) const {
  const float b1 = k.beta1, b2 = k.beta2, c2 = 1 / k.correction2;
  float *y = k.y, *z = k.z, *v = k.v, *x = k.x;
  for (std::int64_t i = 0; i < k.size; ++i) {
    const float g = k.gradient[i] * k.gradient_scale;
    v[i] = b2 * v[i] + (1 - b2) * g * g;
    z[i] -= k.rate * (g / (std::sqrt(v[i] * c2) + k.epsilon) + k.weight_decay * y[i]);
    x[i] += k.weight * (z[i] - x[i]);
    y[i] = z[i] + b1 * (x[i] - z[i]);  // as moving_average() computes it
  }
  if (k.copy) round({float32(y, 1, k.size), k.copy});
}

void CpuBackend::moving_average(const MovingAverage& k) const {
  if (k.weight == 1) std::copy_n(k.x, k.size, k.average);
  else
    for (std::int64_t i = 0; i < k.size; ++i) k.average[i] += k.weight * (k.x[i] - k.average[i]);
}

}  // namespace tt
