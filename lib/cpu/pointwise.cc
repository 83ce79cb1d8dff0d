// Kernels that treat every element by itself: residual sums with dropout, and the FFN's activation.
#include <cmath>
#include <cstring>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

constexpr float kGelu = 0.7978845608f;  // sqrt(2 / pi)

// GELU in its tanh form (Hendrycks and Gimpel 2016): x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). With the logistic function in place
// of tanh, (1 + tanh a) / 2 = 1 / (1 + e^(-2a)), nothing cancels where the unit is nearly off.
F8 gelu_odds(F8 x) { return vec::exp(-2 * kGelu * (x + 0.044715f * x * x * x)); }
F8 gelu(F8 x) { return x / (1.0f + gelu_odds(x)); }
F8 gelu_slope(F8 x) {
  const F8 odds = gelu_odds(x), on = 1.0f / (1.0f + odds);
  return on + x * on * (odds * on) * (2 * kGelu) * (1.0f + 3 * 0.044715f * x * x);
}

}  // namespace

void CpuBackend::add_dropout(std::int64_t n, std::int64_t d, const float* a, const float* b, const Dropout& dropout,
                             float* y) const {
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) {
        store(y + r * d + c, load(a + r * d + c, w) + load(b + r * d + c, w) * mask.factor(c), w);
      });
    }
  });
}

void CpuBackend::dropout_backward(std::int64_t n, std::int64_t d, const float* d_y, const Dropout& dropout, float* d_b) const {
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) { store(d_b + r * d + c, load(d_y + r * d + c, w) * mask.factor(c), w); });
    }
  });
}

void CpuBackend::add(std::int64_t size, const float* x, float* y) const {
  columns(size, [&](std::int64_t c, auto w) { store(y + c, load(y + c, w) + load(x + c, w), w); });
}

void CpuBackend::activation(Activation kind, std::int64_t n, std::int64_t d, const float* bias, float* x, const Dropout& dropout,
                            float* y) const {
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(dropout, row_element(r, d));
      float *in = x + r * d, *out = y + r * d;
      if (kind == Activation::relu) {
        columns(d, [&](std::int64_t c, auto w) {
          store(out + c, max(load(in + c, w) + load(bias + c, w), splat(0)) * mask.factor(c), w);
        });
      } else {
        columns(d, [&](std::int64_t c, auto w) {
          const F8 sum = load(in + c, w) + load(bias + c, w);
          store(in + c, sum, w);
          store(out + c, gelu(sum) * mask.factor(c), w);
        });
      }
    }
  });
}

// ReLU: y is positive exactly where the unit was active and kept, so that neither x nor the mask is needed again.
void CpuBackend::activation_backward(Activation kind, std::int64_t n, std::int64_t d, const float* x, const float* y,
                                     const float* d_y, const Dropout& dropout, float* d_x, bool accumulate_bias,
                                     float* d_bias) const {
  if (!accumulate_bias) zero(d, d_bias);
  const F8 scale = splat(1 / (1 - dropout.rate));
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(dropout, row_element(r, d));
      const float *grad = d_y + r * d, *out = y + r * d;
      columns(d, [&](std::int64_t c, auto w) {
        F8 g = load(grad + c, w);
        if (kind == Activation::relu) g = zero_where(load(out + c, w) <= 0.0f, g * scale);
        else g = g * mask.factor(c) * gelu_slope(load(x + r * d + c, w));
        store(d_x + r * d + c, g, w);
        store(d_bias + c, load(d_bias + c, w) + g, w);
      });
    }
  });
}

void CpuBackend::zero(std::int64_t size, float* x) const { std::memset(x, 0, static_cast<std::size_t>(size) * sizeof(float)); }

}  // namespace tt
