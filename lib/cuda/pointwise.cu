// Elementwise kernels: residual sums with dropout, and the FFN's activation.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"

namespace tt {

using namespace gpu;

namespace {

constexpr float kGelu = 0.7978845608f;  // sqrt(2 / pi)

// As in cpu/pointwise.cc: e^(-2a) instead of tanh a, to avoid cancellation where the unit is nearly off.
__device__ float gelu_odds(float x) {
  const float odds = expf(-2 * kGelu * (x + 0.044715f * x * x * x));
  return odds < 1e19f ? odds : 1e19f + 0 * x;  // its square must be finite; NaN is kept
}
__device__ float gelu(float x) { return x / (1.0f + gelu_odds(x)); }
__device__ float gelu_slope(float x) {
  const float odds = gelu_odds(x), on = 1.0f / (1.0f + odds);
  return on + x * on * (odds * on) * (2 * kGelu) * (1.0f + 3 * 0.044715f * x * x);
}

__device__ float gate_of(Activation kind) { return kind == Activation::swish ? 1 : 1.702f; }
__device__ float activated(Activation kind, float x) {
  if (kind == Activation::gelu) return gelu(x);
  if (kind == Activation::gelu_erf) return x * 0.5f * erfcf(-0.70710678f * x);
  return kind == Activation::tanh ? tanhf(x) : x / (1.0f + expf(-gate_of(kind) * x));
}
__device__ float slope(Activation kind, float x) {
  if (kind == Activation::gelu) return gelu_slope(x);
  if (kind == Activation::gelu_erf) return 0.5f * erfcf(-0.70710678f * x) + x * 0.3989422804f * expf(-0.5f * x * x);
  if (kind == Activation::tanh) return 1 - tanhf(x) * tanhf(x);
  const float b = gate_of(kind), on = 1.0f / (1.0f + expf(-b * x));
  return on + b * x * on * (1.0f - on);
}

__global__ void add_dropped(AddDropout k) {
  const std::int64_t r = warp_row();
  if (r >= k.n) return;
  dropped_columns(k.dropout, r, k.d, lane(), kWarp,
                  [&](std::int64_t c, float factor) { k.y[r * k.d + c] = k.a[r * k.d + c] + k.b[r * k.d + c] * factor; });
}

__global__ void drop_gradient(DropoutBackward k) {
  const std::int64_t r = warp_row();
  if (r >= k.n) return;
  dropped_columns(k.dropout, r, k.d, lane(), kWarp,
                  [&](std::int64_t c, float factor) { k.d_b[r * k.d + c] = k.d_y[r * k.d + c] * factor; });
}

__global__ void add_elements(Add k) {
  const std::int64_t i = element();
  if (i < k.size) k.y[i] += k.x[i];
}

__global__ void activate_rows(Activate k) {
  const std::int64_t r = warp_row();
  if (r >= k.n) return;
  dropped_columns(k.dropout, r, k.d, lane(), kWarp, [&](std::int64_t c, float factor) {
    const std::int64_t i = r * k.d + c;
    const float sum = k.x[i] + k.bias[c];
    const float active = k.kind == Activation::relu ? (sum <= 0 ? 0 : sum) : activated(k.kind, sum);
    if (k.kind != Activation::relu) k.x[i] = sum;
    if (k.y) k.y[i] = active * factor;
    put_rounded(k.rounded, r, c, k.d, active * factor);
  });
}

__global__ void activate_rows_backward(ActivateBackward k) {
  const std::int64_t r = warp_row();
  if (r >= k.n) return;
  dropped_columns(k.dropout, r, k.d, lane(), kWarp, [&](std::int64_t c, float factor) {
    const std::int64_t i = r * k.d + c;
    const float d_x = k.d_y[i] * factor * slope(k.kind, k.x[i]);
    k.d_x[i] = d_x;
    put_rounded(k.rounded, r, c, k.d, d_x);
  });
}

// ReLU: y is positive exactly where the unit was active and kept, so neither x nor the mask is needed again, and each element is
// written where it is added to the gradient of the bias.
struct ReluGradient {
  ActivateBackward k;
  float scale;
  __device__ float operator()(std::int64_t r, std::int64_t c) const {
    const std::int64_t i = r * k.d + c;
    const float y = k.y ? k.y[i] : widen(k.rounded_y[r * ceil8(k.d) + c]);
    const float d_x = y <= 0 ? 0 : k.d_y[i] * scale;
    if (k.rounded) put_rounded(k.rounded, r, c, k.d, d_x);
    else k.d_x[i] = d_x;
    return d_x;
  }
};

struct Matrix {
  const float* x;
  std::int64_t d;
  __device__ float operator()(std::int64_t r, std::int64_t c) const { return x[r * d + c]; }
};

__global__ void zero_elements(Zero k) {
  const std::int64_t i = element();
  if (i < k.rows * k.columns) k.x[i / k.columns * k.ld + i % k.columns] = 0;
}

}  // namespace

void CudaBackend::add_dropout(const AddDropout& k) const { launch_rows(*device_, k.n, add_dropped, k); }
void CudaBackend::dropout_backward(const DropoutBackward& k) const { launch_rows(*device_, k.n, drop_gradient, k); }
void CudaBackend::add(const Add& k) const { launch_elements(*device_, k.size, add_elements, k); }
void CudaBackend::activate(const Activate& k) const { launch_rows(*device_, k.n, activate_rows, k); }

void CudaBackend::activate_backward(const ActivateBackward& k) const {
  const Columns bias{k.accumulate_bias, k.d_bias};
  if (k.kind == Activation::relu) return sum_columns(*device_, ReluGradient{k, 1 / (1 - k.dropout.rate)}, k.n, k.d, bias);
  launch_rows(*device_, k.n, activate_rows_backward, k);
  sum_columns(*device_, Matrix{k.d_x, k.d}, k.n, k.d, bias);
}

void CudaBackend::zero(const Zero& k) const { launch_elements(*device_, k.rows * k.columns, zero_elements, k); }

}  // namespace tt
