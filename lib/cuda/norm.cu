// LayerNorm(a + Dropout(b)) (section 3.1; Ba et al. 2016), a warp for each row.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void norm_rows(AddNorm k) {
  const std::int64_t r = warp_row(), d = k.d;
  if (r >= k.n) return;
  float* s = k.b_to_s + r * d;
  float total = 0;
  dropped_columns(k.dropout, r, d, lane(), kWarp, [&](std::int64_t c, float factor) {
    if (k.a) s[c] = k.a[r * d + c] + s[c] * factor;
    total += s[c];
  });
  const float mean = over_warp(total, Sum()) / static_cast<float>(d);
  float squares = 0;
  // Each thread reads only the columns that it wrote.
  dropped_columns({}, r, d, lane(), kWarp, [&](std::int64_t c, float) { squares += (s[c] - mean) * (s[c] - mean); });
  const float rstd = 1 / sqrtf(over_warp(squares, Sum()) / static_cast<float>(d) + k.epsilon);
  dropped_columns({}, r, d, lane(), kWarp, [&](std::int64_t c, float) {
    const float y = (s[c] - mean) * rstd * k.gain[c] + k.bias[c];
    k.y[r * d + c] = y;
    put_rounded(k.rounded, r, c, d, y);
  });
  if (k.mean && lane() == 0) k.mean[r] = mean, k.rstd[r] = rstd;
}

// With x = (s - mean) rstd and g = d_y gain:  d_s = rstd (g - mean(g) - x mean(g x)).
__global__ void norm_rows_backward(AddNormBackward k) {
  const std::int64_t r = warp_row(), d = k.d;
  if (r >= k.n) return;
  const float *dy = k.d_y + r * d, *s = k.s + r * d;
  const float mean = k.mean[r], rstd = k.rstd[r];
  float sum_g = 0, sum_gx = 0;
  dropped_columns({}, r, d, lane(), kWarp, [&](std::int64_t c, float) {
    const float g = dy[c] * k.gain[c];
    sum_g += g;
    sum_gx += g * ((s[c] - mean) * rstd);
  });
  const float mean_g = over_warp(sum_g, Sum()) / static_cast<float>(d),
              mean_gx = over_warp(sum_gx, Sum()) / static_cast<float>(d);
  dropped_columns(k.dropout, r, d, lane(), kWarp, [&](std::int64_t c, float factor) {
    const float d_s = rstd * (dy[c] * k.gain[c] - mean_g - (s[c] - mean) * rstd * mean_gx);
    if (k.d_a) k.d_a[r * d + c] = k.accumulate_a ? k.d_a[r * d + c] + d_s : d_s;
    if (k.d_b) k.d_b[r * d + c] = d_s * factor;
    put_rounded(k.rounded, r, c, d, d_s * factor);
  });
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
  __device__ Parameters operator()(std::int64_t r, std::int64_t c) const {
    const float dy = k.d_y[r * k.d + c];
    return {dy * ((k.s[r * k.d + c] - k.mean[r]) * k.rstd[r]), dy};
  }
};

struct ParameterGradients {
  AddNormBackward k;
  __device__ void operator()(std::int64_t c, const Parameters& sum) const {
    Columns{k.accumulate_params, k.d_gain}(c, sum.gain);
    Columns{k.accumulate_params, k.d_bias}(c, sum.bias);
  }
};

}  // namespace

void CudaBackend::add_norm(const AddNorm& k) const { launch_rows(*device_, k.n, norm_rows, k); }

// The sums are computed first, since d_b may overwrite d_y.
void CudaBackend::add_norm_backward(const AddNormBackward& k) const {
  sum_columns(*device_, ParameterTerms{k}, k.n, k.d, ParameterGradients{k});
  launch_rows(*device_, k.n, norm_rows_backward, k);
}

}  // namespace tt
