// Elementwise kernels: residual sums with dropout, and the FFN's activation.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"
#include "cuda/spans.h"

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
TT_CALLED __device__ float activated(Activation kind, float x) {
  if (kind == Activation::gelu) return gelu(x);
  if (kind == Activation::gelu_erf) return x * 0.5f * erfcf(-0.70710678f * x);
  return kind == Activation::tanh ? tanhf(x) : x / (1.0f + expf(-gate_of(kind) * x));
}
TT_CALLED __device__ float slope(Activation kind, float x) {
  if (kind == Activation::gelu) return gelu_slope(x);
  if (kind == Activation::gelu_erf) return 0.5f * erfcf(-0.70710678f * x) + x * 0.3989422804f * expf(-0.5f * x * x);
  if (kind == Activation::tanh) return 1 - tanhf(x) * tanhf(x);
  const float b = gate_of(kind), on = 1.0f / (1.0f + expf(-b * x));
  return on + b * x * on * (1.0f - on);
}

__global__ void add_dropped(AddDropout k) {
  const SpansOfWarp spans = spans_of_warp(k.d);
  if (spans.r >= k.n) return;
  Values a[kSpans], b[kSpans];
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const Span span(spans.r, k.n, spans.first + u, k.d);
    a[u] = span.load(k.a);
    b[u] = span.load(k.b);
  }
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const Span span(spans.r, k.n, spans.first + u, k.d);
    span.dropped(k.dropout, [&](int i, int e, float factor) { a[u].at[i].at[e] += b[u].at[i].at[e] * factor; });
    span.store(a[u], k.y);
  }
}

__global__ void drop_gradient(DropoutBackward k) {
  const SpansOfWarp spans = spans_of_warp(k.d);
  if (spans.r >= k.n) return;
  for (int u = 0; u < kSpans; ++u) {
    const Span span(spans.r, k.n, spans.first + u, k.d);
    Values d = span.load(k.d_y);
    span.dropped(k.dropout, [&](int i, int e, float factor) { d.at[i].at[e] *= factor; });
    span.store(d, k.d_b);
  }
}

__global__ void add_elements(Add k) {
  const std::int64_t i = element();
  if (i < k.size) k.y[i] += k.x[i];
}

__global__ void activate_rows(Activate k) {
  const SpansOfWarp spans = spans_of_warp(k.d);
  if (spans.r >= k.n) return;
  Values x[kSpans], bias[kSpans];
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const Span span(spans.r, k.n, spans.first + u, k.d);
    x[u] = span.load(k.x);
    bias[u] = span.load_row(k.bias);
  }
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const Span span(spans.r, k.n, spans.first + u, k.d);
    each_value([&](int i, int e) { x[u].at[i].at[e] += bias[u].at[i].at[e]; });
    if (k.kind != Activation::relu) span.store(x[u], k.x);
    span.dropped(k.dropout, [&](int i, int e, float factor) {
      float& sum = x[u].at[i].at[e];
      sum = (k.kind == Activation::relu ? (sum <= 0 ? 0 : sum) : activated(k.kind, sum)) * factor;
    });
    if (k.y) span.store(x[u], k.y);
    span.round(x[u], k.rounded);
  }
}

__global__ void activate_rows_backward(ActivateBackward k) {
  const SpansOfWarp spans = spans_of_warp(k.d);
  if (spans.r >= k.n) return;
  for (int u = 0; u < kSpans; ++u) {
    const Span span(spans.r, k.n, spans.first + u, k.d);
    Values d = span.load(k.d_y);
    const Values x = span.load(k.x);
    span.dropped(k.dropout, [&](int i, int e, float factor) {
      d.at[i].at[e] = span.here(i, e) ? d.at[i].at[e] * factor * slope(k.kind, x.at[i].at[e]) : 0;
    });
    span.store(d, k.d_x);
    span.round(d, k.rounded);
  }
}

// ReLU: y is positive exactly where the unit was active and kept, so neither x nor the mask is needed again. partial [stretches,
// d]: what a block has of the gradient of the bias.
__global__ void relu_rows_backward(ActivateBackward k, float* partial) {
  const std::int64_t begin = blockIdx.x * kRowsOfStretch, end = begin + kRowsOfStretch < k.n ? begin + kRowsOfStretch : k.n;
  const float scale = 1 / (1 - k.dropout.rate);
  const auto span = [&](std::int64_t r, int u) { return Span(r, k.n, blockIdx.y * kSpans + u, k.d); };
  Values d_bias[kSpans] = {};
  for (std::int64_t r = begin + threadIdx.x / kWarp; r < end; r += kRowsOfBlock) {
    Values y[kSpans], d[kSpans];
    TT_UNROLL
    for (int u = 0; u < kSpans; ++u) {
      y[u] = k.y ? span(r, u).load(k.y) : span(r, u).load_rounded(k.rounded_y);
      d[u] = span(r, u).load(k.d_y);
    }
    TT_UNROLL
    for (int u = 0; u < kSpans; ++u) {
      each_value([&](int i, int e) {
        float& d_x = d[u].at[i].at[e];
        d_x = y[u].at[i].at[e] <= 0 ? 0 : d_x * scale;
        d_bias[u].at[i].at[e] += d_x;
      });
      if (k.rounded) span(r, u).round(d[u], k.rounded);
      else span(r, u).store(d[u], k.d_x);
    }
  }
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u)
    sum_over_warps<float>(partial + blockIdx.x * k.d, blockIdx.y * kSpans + u, k.d,
                          [&](int i, int e) { return d_bias[u].at[i].at[e]; });
}

__global__ void zero_elements(Zero k) {
  const std::int64_t i = element();
  if (i < k.rows * k.columns) k.x[i / k.columns * k.ld + i % k.columns] = 0;
}

}  // namespace

void CudaBackend::add_dropout(const AddDropout& k) const { launch_spans(*device_, k.n, k.d, add_dropped, k); }
void CudaBackend::dropout_backward(const DropoutBackward& k) const { launch_spans(*device_, k.n, k.d, drop_gradient, k); }
void CudaBackend::add(const Add& k) const { launch_elements(*device_, k.size, add_elements, k); }
void CudaBackend::activate(const Activate& k) const { launch_spans(*device_, k.n, k.d, activate_rows, k); }

void CudaBackend::activate_backward(const ActivateBackward& k) const {
  const Columns bias{k.accumulate_bias, k.d_bias};
  if (k.kind == Activation::relu) {
    const std::int64_t stretches = divide_up(k.n, kRowsOfStretch);
    const Scratch scratch(*device_, static_cast<std::size_t>(stretches * k.d) * sizeof(float));
    auto* partial = scratch.at<float>();
    launch(*device_, blocks(stretches, divide_up(spans_of_row(k.d), kSpans)), kRowsOfBlock * kWarp, bytes_for_sums<float>(),
           relu_rows_backward, k, partial);
    return sum_partials(*device_, partial, stretches, k.d, bias);
  }
  launch_spans(*device_, k.n, k.d, activate_rows_backward, k);
  sum_columns(*device_, Elements{k.d_x, k.d}, k.n, k.d, bias);
}

void CudaBackend::zero(const Zero& k) const { launch_elements(*device_, k.rows * k.columns, zero_elements, k); }

}  // namespace tt
