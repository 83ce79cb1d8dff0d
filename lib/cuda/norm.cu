// LayerNorm or RMSNorm of a + Dropout(b) (section 3.1), a warp for each row, which stays in its
// registers if it has at most 1,024 columns.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"
#include "cuda/spans.h"

namespace tt {

using namespace gpu;

namespace {

template <int kCount, bool kWhole>
__global__ void norm_rows(AddNorm k) {
  const std::int64_t r = warp_row(), n = k.y.rows, d = k.y.columns;
  if (r >= n) return;
  const int count = visited_spans<kCount>(d);
  Values s[kCount], summand[kCount];
  float total = 0, squares = 0;
  TT_UNROLL_SPANS
  for (int u = 0; u < count; ++u) {
    const Span<kWhole> span(r, n, u, d);
    s[u] = span.load(k.b_to_s.floats());
    if (k.a) summand[u] = span.load(k.a.floats());
  }
  TT_UNROLL_SPANS
  for (int u = 0; u < count; ++u) {
    const Span<kWhole> span(r, n, u, d);
    if (k.a) {
      const Values& a = summand[u];
      span.dropped(k.dropout, [&](int i, int e, float factor) {
        s[u].at[i].at[e] = a.at[i].at[e] + s[u].at[i].at[e] * factor;
      });
      span.store(s[u], k.b_to_s.floats());
    }
    each_value([&](int i, int e) { total += s[u].at[i].at[e]; });
  }
  const float mean = k.type == NormType::rms ? 0 : over_warp(total, Sum()) / static_cast<float>(d);
  TT_UNROLL_SPANS
  for (int u = 0; u < count; ++u) {
    const Span<kWhole> span(r, n, u, d);
    each_value([&](int i, int e) {
      const float x = s[u].at[i].at[e] - mean;
      squares += span.here(i, e) ? x * x : 0;
    });
  }
  const float rstd = 1 / sqrtf(over_warp(squares, Sum()) / static_cast<float>(d) + k.epsilon);
  TT_UNROLL_SPANS
  for (int u = 0; u < count; ++u) {
    const Span<kWhole> span(r, n, u, d);
    const Values gain = span.load_row(k.gain), bias = k.bias ? span.load_row(k.bias) : Values{};
    each_value([&](int i, int e) {
      s[u].at[i].at[e] = (s[u].at[i].at[e] - mean) * rstd * gain.at[i].at[e] + bias.at[i].at[e];
    });
    span.store(s[u], k.y.floats());
    span.round(s[u], k.copy.as<Bfloat16>());
  }
  if (k.mean && lane() == 0) k.mean[r] = mean, k.rstd[r] = rstd;
}

// An element's part in the gradients of gain and bias.
struct Parameters {
  float gain, bias;
  __device__ Parameters& operator+=(const Parameters& other) {
    gain += other.gain;
    bias += other.bias;
    return *this;
  }
};

struct ParameterGradients {
  AddNormBackward k;
  __device__ void operator()(std::int64_t c, const Parameters& sum) const {
    Columns{k.accumulate_params, k.d_gain}(c, sum.gain);
    if (k.d_bias) Columns{k.accumulate_params, k.d_bias}(c, sum.bias);
  }
};

// With x = (s - mean) rstd and g = d_y gain:  d_s = rstd (g - mean(g) - x mean(g x)), without
// mean(g) where the mean is taken for 0. partial [stretches, d]: the sums of d_y x and of d_y.
template <int kCount, bool kWhole>
__global__ void norm_rows_backward(AddNormBackward k, Parameters* partial) {
  const std::int64_t n = k.d_y.rows, width = k.d_y.columns;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t begin = blockIdx.x * kRowsOfStretch,
                     end = begin + kRowsOfStretch < n ? begin + kRowsOfStretch : n;
  const int count = visited_spans<kCount>(width);
  Values d_gain[kCount] = {}, d_bias[kCount] = {};
  for (std::int64_t r = begin + warp; r < end; r += kRowsOfBlock) {
    const float mean = k.mean[r], rstd = k.rstd[r];
    Values g[kCount], x[kCount];
    TT_UNROLL_SPANS
    for (int u = 0; u < count; ++u) {
      const Span<kWhole> span(r, n, u, width);
      g[u] = span.load(k.d_y.floats());
      x[u] = span.load(k.s.floats());
    }
    float sum_g = 0, sum_gx = 0;
    TT_UNROLL_SPANS
    for (int u = 0; u < count; ++u) {
      const Values gain = Span<kWhole>(r, n, u, width).load_row(k.gain);
      each_value([&](int i, int e) {
        float &g_of = g[u].at[i].at[e], &x_of = x[u].at[i].at[e];
        x_of = (x_of - mean) * rstd;
        d_gain[u].at[i].at[e] += g_of * x_of;
        d_bias[u].at[i].at[e] += g_of;
        g_of *= gain.at[i].at[e];
        sum_g += g_of;
        sum_gx += g_of * x_of;  // behind the columns g is zero
      });
    }
    const float mean_g = k.type == NormType::rms
                             ? 0
                             : over_warp(sum_g, Sum()) / static_cast<float>(width),
                mean_gx = over_warp(sum_gx, Sum()) / static_cast<float>(width);
    TT_UNROLL_SPANS
    for (int u = 0; u < count; ++u) {
      const Span<kWhole> span(r, n, u, width);
      Values& d = g[u];
      each_value([&](int i, int e) {
        d.at[i].at[e] = rstd * (d.at[i].at[e] - mean_g - x[u].at[i].at[e] * mean_gx);
      });
      if (k.d_a) {
        Values sum = d;
        if (k.accumulate_a) {
          const Values before = span.load(k.d_a.floats());
          each_value([&](int i, int e) { sum.at[i].at[e] += before.at[i].at[e]; });
        }
        span.store(sum, k.d_a.floats());
      }
      span.dropped(k.dropout, [&](int i, int e, float factor) { d.at[i].at[e] *= factor; });
      if (k.d_b) span.store(d, k.d_b.floats());
      span.round(d, k.copy.as<Bfloat16>());
    }
  }
  TT_UNROLL_SPANS
  for (int u = 0; u < count; ++u) {
    const auto of = [&](int i, int e) {
      return Parameters{d_gain[u].at[i].at[e], d_bias[u].at[i].at[e]};
    };
    sum_over_warps<Parameters>(partial + blockIdx.x * width, u, width, of);
  }
}

}  // namespace

void CudaBackend::add_norm(const AddNorm& k) const {
  const std::int64_t d = k.y.columns;
  const bool whole = in_whole_spans(d, k.a.floats(), k.b_to_s.floats(), k.gain, k.bias,
                                    k.y.floats(), k.copy.as<Bfloat16>());
  launch_rows(
      *device_, k.y.rows,
      fitting_spans<void (*)(AddNorm)>(
          d, whole, {norm_rows<1, true>, norm_rows<2, true>, norm_rows<4, true>},
          {norm_rows<1, false>, norm_rows<2, false>, norm_rows<4, false>},
          {norm_rows<8, false>, norm_rows<16, false>, norm_rows<32, false>, norm_rows<64, false>}),
      k);
}

void CudaBackend::add_norm_backward(const AddNormBackward& k) const {
  const std::int64_t d = k.d_y.columns, stretches = divide_up(k.d_y.rows, kRowsOfStretch);
  const Scratch scratch(*device_, static_cast<std::size_t>(stretches * d) * sizeof(Parameters));
  auto* partial = scratch.at<Parameters>();
  const bool whole = in_whole_spans(d, k.d_y.floats(), k.s.floats(), k.gain, k.d_a.floats(),
                                    k.d_b.floats(), k.copy.as<Bfloat16>());
  const auto kernel = fitting_spans<void (*)(AddNormBackward, Parameters*)>(
      d, whole,
      {norm_rows_backward<1, true>, norm_rows_backward<2, true>, norm_rows_backward<4, true>},
      {norm_rows_backward<1, false>, norm_rows_backward<2, false>, norm_rows_backward<4, false>},
      {norm_rows_backward<8, false>, norm_rows_backward<16, false>, norm_rows_backward<32, false>,
       norm_rows_backward<64, false>});
  launch(*device_, blocks(stretches), kRowsOfBlock * kWarp, bytes_for_sums<Parameters>(), kernel, k,
         partial);
  sum_partials(*device_, partial, stretches, d, ParameterGradients{k});
}

}  // namespace tt
