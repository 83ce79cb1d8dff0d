// Elementwise kernels: residual sums with dropout, and the FFN's activation.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"
#include "cuda/spans.h"

namespace tt {

using namespace gpu;

namespace {

constexpr float kGelu = 0.7978845608f;  // sqrt(2 / pi)

// The odds of a unit's being off, as the power of e in cpu/pointwise.cc.
__device__ float odds_of(float power, float x) {
  const float odds = expf(power);
  return odds < 1e19f ? odds : 1e19f + 0 * x;  // its square must be finite; NaN is kept
}
// e^(-2a) instead of tanh a, to avoid cancellation where the unit is nearly off.
__device__ float gelu_odds(float x) { return odds_of(-2 * kGelu * (x + 0.044715f * x * x * x), x); }
__device__ float gelu(float x) { return x / (1.0f + gelu_odds(x)); }
__device__ float gelu_slope(float x) {
  const float odds = gelu_odds(x), on = 1.0f / (1.0f + odds);
  return on + x * on * (odds * on) * (2 * kGelu) * (1.0f + 3 * 0.044715f * x * x);
}

// x s(b x), as in cpu/pointwise.cc.
constexpr float kSwish = 1, kGeluGate = 1.702f;
__device__ float gated(float x, float b) { return x / (1.0f + expf(-b * x)); }
__device__ float gated_slope(float x, float b) {
  const float odds = odds_of(-b * x, x), on = 1.0f / (1.0f + odds);
  return on + b * x * on * (odds * on);
}

TT_CALLED __device__ float activated(Activation kind, float x) {
  switch (kind) {
    case Activation::relu: return x <= 0 ? 0 : x;
    case Activation::gelu: return gelu(x);
    case Activation::swish: return gated(x, kSwish);
    case Activation::gelu_logistic: return gated(x, kGeluGate);
    case Activation::gelu_erf: return x * 0.5f * erfcf(-0.70710678f * x);
    case Activation::tanh: return tanhf(x);
  }
  __builtin_unreachable();
}
TT_CALLED __device__ float slope(Activation kind, float x) {
  switch (kind) {
    case Activation::relu: return x <= 0 ? 0 : 1;
    case Activation::gelu: return gelu_slope(x);
    case Activation::swish: return gated_slope(x, kSwish);
    case Activation::gelu_logistic: return gated_slope(x, kGeluGate);
    case Activation::gelu_erf:
      return 0.5f * erfcf(-0.70710678f * x) + x * 0.3989422804f * expf(-0.5f * x * x);
    case Activation::tanh: return 1 - tanhf(x) * tanhf(x);
  }
  __builtin_unreachable();
}

__global__ void add_dropped(AddDropout k) {
  const SpansOfWarp spans = spans_of_warp(k.d);
  if (spans.r >= k.n) return;
  Values a[kSpans], b[kSpans];
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const Span<> span(spans.r, k.n, spans.first + u, k.d);
    a[u] = span.load(k.a);
    b[u] = span.load(k.b);
  }
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const Span<> span(spans.r, k.n, spans.first + u, k.d);
    span.dropped(k.dropout, [&](int i, int e, float factor) {
      a[u].at[i].at[e] += b[u].at[i].at[e] * factor;
    });
    span.store(a[u], k.y);
  }
}

__global__ void drop_gradient(DropoutBackward k) {
  const SpansOfWarp spans = spans_of_warp(k.d);
  if (spans.r >= k.n) return;
  for (int u = 0; u < kSpans; ++u) {
    const Span<> span(spans.r, k.n, spans.first + u, k.d);
    Values d = span.load(k.d_y);
    span.dropped(k.dropout, [&](int i, int e, float factor) { d.at[i].at[e] *= factor; });
    span.store(d, k.d_b);
  }
}

__global__ void add_elements(Add k) {
  const std::int64_t i = element();
  if (i < k.size) k.y[i] += k.x[i];
}

__global__ void multiply_elements(Multiply k) {
  const std::int64_t i = element();
  if (i < k.size) k.y[i] = k.scale * k.a[i] * (k.b ? k.b[i] : 1);
}

__global__ void multiply_gradients(MultiplyBackward k) {
  const std::int64_t i = element();
  if (i >= k.size) return;
  const float d_y = k.scale * k.d_y[i], d_a = d_y * (k.b ? k.b[i] : 1);
  k.d_a[i] = k.accumulate_a ? k.d_a[i] + d_a : d_a;
  if (!k.b) return;
  const float d_b = d_y * k.a[i];
  k.d_b[i] = k.accumulate_b ? k.d_b[i] + d_b : d_b;
}

// x is of T, float or Bfloat16. kRelu: the activation is ReLU.
template <class T, int kCount, bool kWhole, bool kRelu>
__global__ void activate_rows(Activate k, Written to) {
  const std::int64_t n = k.x.rows, d = k.x.columns;
  const SpansOfWarp spans = spans_of_warp<kCount>(d);
  if (spans.r >= n) return;
  const auto span = [&](int u) { return Span<kWhole>(spans.r, n, spans.first + u, d); };
  const T* from = k.x.as<T>();
  decltype(span(0).load(from)) loaded[kCount];
  Values bias[kCount];
  TT_UNROLL
  for (int u = 0; u < kCount; ++u) {
    loaded[u] = span(u).load(from);
    bias[u] = k.bias ? span(u).load_row(k.bias) : Values{};
  }
  TT_UNROLL
  for (int u = 0; u < kCount; ++u) {
    Values x = widen(loaded[u]);
    each_value([&](int i, int e) { x.at[i].at[e] += bias[u].at[i].at[e]; });
    if (!kRelu) span(u).store(x, k.x.floats());
    span(u).dropped(k.dropout, [&](int i, int e, float factor) {
      float& sum = x.at[i].at[e];
      sum = (kRelu ? (sum <= 0 ? 0 : sum) : activated(k.kind, sum)) * factor;
    });
    if (to.wide) span(u).store(x, to.wide);
    span(u).round(x, to.rounded);
  }
}

// The gradient in float32, which is summed for that of the bias, goes to `wide`.
__global__ void activate_rows_backward(ActivateBackward k, Written to) {
  const std::int64_t n = k.x.rows, width = k.x.columns;
  const SpansOfWarp spans = spans_of_warp(width);
  if (spans.r >= n) return;
  for (int u = 0; u < kSpans; ++u) {
    const Span<> span(spans.r, n, spans.first + u, width);
    Values d = span.load(k.d_y.floats());
    const Values x = span.load(k.x.floats());
    span.dropped(k.dropout, [&](int i, int e, float factor) {
      d.at[i].at[e] = span.here(i, e) ? d.at[i].at[e] * factor * slope(k.kind, x.at[i].at[e]) : 0;
    });
    span.store(d, to.wide);
    span.round(d, to.rounded);
  }
}

// ReLU. y is positive exactly where the unit was active and kept, so neither x nor the mask is
// needed again. y and d_y are of Y and of D, float or Bfloat16. partial [stretches, d]: what a
// block has of the gradient of the bias.
template <class Y, class D, bool kWhole>
__global__ void relu_rows_backward(ActivateBackward k, Written to, float* partial) {
  const std::int64_t n = k.y.rows, width = k.y.columns;
  const Y* y = k.y.as<Y>();
  const D* d_y = k.d_y.as<D>();
  constexpr int kRows = 2, kAll = kRows * kSpans;  // rows at once, and spans
  static_assert(kRowsOfStretch % (kRows * kRowsOfBlock) == 0);
  const std::int64_t begin = blockIdx.x * kRowsOfStretch,
                     end = begin + kRowsOfStretch < n ? begin + kRowsOfStretch : n;
  const float scale = 1 / (1 - k.dropout.rate);
  const auto span = [&](std::int64_t r, int i) {
    return Span<kWhole>(r + i / kSpans * kRowsOfBlock, n, blockIdx.y * kSpans + i % kSpans, width);
  };
  Values d_bias[kSpans] = {};
  for (std::int64_t r = begin + threadIdx.x / kWarp; r < end; r += kRows * kRowsOfBlock) {
    decltype(span(r, 0).load(y)) given_y[kAll];
    decltype(span(r, 0).load(d_y)) loaded[kAll];
    TT_UNROLL
    for (int i = 0; i < kAll; ++i) {
      given_y[i] = span(r, i).load(y);
      loaded[i] = span(r, i).load(d_y);
    }
    TT_UNROLL
    for (int j = 0; j < kAll; ++j) {
      const Values of_y = widen(given_y[j]);
      Values d_x = widen(loaded[j]);
      each_value([&](int i, int e) {
        d_x.at[i].at[e] = of_y.at[i].at[e] <= 0 ? 0 : d_x.at[i].at[e] * scale;
        d_bias[j % kSpans].at[i].at[e] += d_x.at[i].at[e];
      });
      if (to.rounded) span(r, j).round(d_x, to.rounded);
      else span(r, j).store(d_x, to.wide);
    }
  }
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u)
    sum_over_warps<float>(partial + blockIdx.x * width, blockIdx.y * kSpans + u, width,
                          [&](int i, int e) { return d_bias[u].at[i].at[e]; });
}

__global__ void zero_elements(Zero k) {
  const std::int64_t i = element();
  if (i < k.rows * k.columns) k.x[i / k.columns * k.ld + i % k.columns] = 0;
}

}  // namespace

void CudaBackend::add_dropout(const AddDropout& k) const {
  launch_spans(*device_, k.n, k.d, add_dropped, k);
}
void CudaBackend::dropout_backward(const DropoutBackward& k) const {
  launch_spans(*device_, k.n, k.d, drop_gradient, k);
}
void CudaBackend::add(const Add& k) const { launch_elements(*device_, k.size, add_elements, k); }

void CudaBackend::multiply(const Multiply& k) const {
  launch_elements(*device_, k.size, multiply_elements, k);
}

void CudaBackend::multiply_backward(const MultiplyBackward& k) const {
  launch_elements(*device_, k.size, multiply_gradients, k);
}
void CudaBackend::activate(const Activate& k) const {
  const std::int64_t n = k.x.rows, d = k.x.columns;
  const Written to(k.y, k.copy);
  const auto launch_it = [&]<class T>(const T* x) {
    constexpr int kMany = 2 * kSpans;
    const bool whole =
        d % (kMany * kSpanColumns) == 0 && in_whole_spans(d, x, k.bias, to.wide, to.rounded);
    if (k.kind != Activation::relu)
      launch_spans(*device_, n, d, activate_rows<float, kSpans, false, false>, k, to);
    else if (whole) launch_spans<kMany>(*device_, n, d, activate_rows<T, kMany, true, true>, k, to);
    else launch_spans(*device_, n, d, activate_rows<T, kSpans, false, true>, k, to);
  };
  if (k.x.type == ElementType::float32) launch_it(static_cast<const float*>(k.x.floats()));
  else launch_it(static_cast<const Bfloat16*>(k.x.as<Bfloat16>()));
}

void CudaBackend::activate_backward(const ActivateBackward& k) const {
  const std::int64_t n = k.d_y.rows, d = k.d_y.columns;
  const Columns bias{k.accumulate_bias, k.d_bias};
  if (k.kind == Activation::relu) {
    const Written to(k.d_x);
    const std::int64_t stretches = divide_up(n, kRowsOfStretch);
    const Scratch scratch(*device_, static_cast<std::size_t>(stretches * d) * sizeof(float));
    auto* partial = scratch.at<float>();
    const auto launch_it = [&]<class Y, class D>(const Y* y, const D* d_y) {
      const bool whole =
          d % (kSpans * kSpanColumns) == 0 && in_whole_spans(d, y, d_y, to.wide, to.rounded);
      launch(*device_, blocks(stretches, divide_up(spans_of_row(d), kSpans)), kRowsOfBlock * kWarp,
             bytes_for_sums<float>(),
             whole ? relu_rows_backward<Y, D, true> : relu_rows_backward<Y, D, false>, k, to,
             partial);
    };
    const float* wide_d_y = k.d_y.floats();
    const Bfloat16* narrow_y = k.y.as<Bfloat16>();
    if (k.d_y.type != ElementType::float32)
      launch_it(narrow_y, static_cast<const Bfloat16*>(k.d_y.as<Bfloat16>()));
    else if (k.y.type == ElementType::float32) launch_it(k.y.floats(), wide_d_y);
    else launch_it(narrow_y, wide_d_y);
    if (k.d_bias) sum_partials(*device_, partial, stretches, d, bias);
    return;
  }
  Written to(k.d_x);
  if (!to.wide) to.wide = k.d_y.floats();
  launch_spans(*device_, n, d, activate_rows_backward, k, to);
  if (k.d_bias) sum_columns(*device_, Elements{to.wide, d}, n, d, bias);
}

void CudaBackend::zero(const Zero& k) const {
  launch_elements(*device_, k.rows * k.columns, zero_elements, k);
}

}  // namespace tt
