// LayerNorm(a + Dropout(b)) (section 3.1; Ba et al. 2016), a warp, or a part of one, for each row, which stays in its registers.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"
#include "cuda/units.h"

namespace tt {

using namespace gpu;

namespace {

template <int kUnits>
__global__ void norm_rows(AddNorm k, int threads) {
  const RowShare share(threads);
  Values s[kUnits];
  float total = 0, squares = 0;
  for (int u = 0; u < kUnits; ++u) {
    const Unit unit = share.unit(u, k.n, k.d);
    s[u] = unit.load(k.b_to_s);
    if (k.a) {
      const Values a = unit.load(k.a);
      unit.dropped(k.dropout, [&](int i, int e, float factor) { s[u].at[i].at[e] = a.at[i].at[e] + s[u].at[i].at[e] * factor; });
      unit.store(s[u], k.b_to_s);
    }
    each_value([&](int i, int e) { total += s[u].at[i].at[e]; });
  }
  const float mean = share.over_row(total, Sum()) / static_cast<float>(k.d);
  for (int u = 0; u < kUnits; ++u) {
    const Unit unit = share.unit(u, k.n, k.d);
    each_value([&](int i, int e) {
      const float x = s[u].at[i].at[e] - mean;
      squares += unit.here(i, e) ? x * x : 0;
    });
  }
  const float rstd = 1 / sqrtf(share.over_row(squares, Sum()) / static_cast<float>(k.d) + k.epsilon);
  for (int u = 0; u < kUnits; ++u) {
    const Unit unit = share.unit(u, k.n, k.d);
    const Values gain = unit.load_row(k.gain), bias = unit.load_row(k.bias);
    each_value([&](int i, int e) { s[u].at[i].at[e] = (s[u].at[i].at[e] - mean) * rstd * gain.at[i].at[e] + bias.at[i].at[e]; });
    unit.store(s[u], k.y);
    unit.round(s[u], k.rounded);
  }
  if (k.mean && share.thread == 0 && share.r < k.n) k.mean[share.r] = mean, k.rstd[share.r] = rstd;
}

// With x = (s - mean) rstd and g = d_y gain:  d_s = rstd (g - mean(g) - x mean(g x)).
template <int kUnits>
__global__ void norm_rows_backward(AddNormBackward k, int threads) {
  const RowShare share(threads);
  const bool here = share.r < k.n;
  const float mean = here ? k.mean[share.r] : 0, rstd = here ? k.rstd[share.r] : 0;
  Values g[kUnits], x[kUnits];
  float sum_g = 0, sum_gx = 0;
  for (int u = 0; u < kUnits; ++u) {
    const Unit unit = share.unit(u, k.n, k.d);
    g[u] = unit.load(k.d_y);
    x[u] = unit.load(k.s);
    const Values gain = unit.load_row(k.gain);
    each_value([&](int i, int e) {
      float &g_of = g[u].at[i].at[e], &x_of = x[u].at[i].at[e];
      g_of *= gain.at[i].at[e];
      x_of = (x_of - mean) * rstd;
      sum_g += g_of;
      sum_gx += g_of * x_of;  // behind the columns g is zero
    });
  }
  const float mean_g = share.over_row(sum_g, Sum()) / static_cast<float>(k.d),
              mean_gx = share.over_row(sum_gx, Sum()) / static_cast<float>(k.d);
  for (int u = 0; u < kUnits; ++u) {
    const Unit unit = share.unit(u, k.n, k.d);
    Values& d = g[u];
    each_value([&](int i, int e) { d.at[i].at[e] = rstd * (d.at[i].at[e] - mean_g - x[u].at[i].at[e] * mean_gx); });
    if (k.d_a) {
      Values sum = d;
      if (k.accumulate_a) {
        const Values before = unit.load(k.d_a);
        each_value([&](int i, int e) { sum.at[i].at[e] += before.at[i].at[e]; });
      }
      unit.store(sum, k.d_a);
    }
    unit.dropped(k.dropout, [&](int i, int e, float factor) { d.at[i].at[e] *= factor; });
    if (k.d_b) unit.store(d, k.d_b);
    unit.round(d, k.rounded);
  }
}

struct Parameters {
  float gain, bias;
  __device__ Parameters& operator+=(const Parameters& other) {
    gain += other.gain;
    bias += other.bias;
    return *this;
  }
};

struct ParameterTerms {
  AddNormBackward k;
  struct Read {
    float d_y, s, mean, rstd;
  };
  __device__ Read read(std::int64_t r, std::int64_t c) const {
    return {k.d_y[r * k.d + c], k.s[r * k.d + c], k.mean[r], k.rstd[r]};
  }
  __device__ Parameters of(const Read& x, std::int64_t, std::int64_t) const { return {x.d_y * ((x.s - x.mean) * x.rstd), x.d_y}; }
};

struct ParameterGradients {
  AddNormBackward k;
  __device__ void operator()(std::int64_t c, const Parameters& sum) const {
    Columns{k.accumulate_params, k.d_gain}(c, sum.gain);
    Columns{k.accumulate_params, k.d_bias}(c, sum.bias);
  }
};

}  // namespace

void CudaBackend::add_norm(const AddNorm& k) const {
  launch_row_shares(*device_, k.n, k.d, k, norm_rows<1>, norm_rows<2>, norm_rows<4>, norm_rows<32>);
}

// The sums are computed first, since d_b may overwrite d_y.
void CudaBackend::add_norm_backward(const AddNormBackward& k) const {
  sum_columns(*device_, ParameterTerms{k}, k.n, k.d, ParameterGradients{k});
  launch_row_shares(*device_, k.n, k.d, k, norm_rows_backward<1>, norm_rows_backward<2>, norm_rows_backward<4>,
                    norm_rows_backward<32>);
}

}  // namespace tt
