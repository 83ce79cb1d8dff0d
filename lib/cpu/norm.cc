// LayerNorm(a + Dropout(b)) (section 3.1; Ba et al. 2016), one row at a time; a row stays in the first-level cache.
#include <cmath>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

constexpr float kNormEpsilon = 1e-5f;

}  // namespace

void CpuBackend::add_norm(std::int64_t n, std::int64_t d, const float* a, float* b_to_s, const float* gain, const float* bias,
                          const Dropout& dropout, float* y, float* mean, float* rstd) const {
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      float* s = b_to_s + r * d;
      F8 total = {};
      if (a) {
        DropoutRow<Active> mask(dropout, row_element(r, d));
        columns(d, [&](std::int64_t c, auto w) {
          const F8 x = load(a + r * d + c, w) + load(s + c, w) * mask.factor(c);
          store(s + c, x, w);
          total += x;
        });
      } else {
        columns(d, [&](std::int64_t c, auto w) { total += load(s + c, w); });
      }
      const float mu = sum(total) / static_cast<float>(d);
      F8 squares = {};
      columns(d, [&](std::int64_t c, auto w) {
        const F8 x = fill_after(load(s + c, w) - mu, w, 0);
        squares += x * x;
      });
      const float r_std = 1 / std::sqrt(sum(squares) / static_cast<float>(d) + kNormEpsilon);
      columns(d, [&](std::int64_t c, auto w) {
        store(y + r * d + c, (load(s + c, w) - mu) * r_std * load(gain + c, w) + load(bias + c, w), w);
      });
      if (mean) mean[r] = mu, rstd[r] = r_std;
    }
  });
}

// With x = (s - mean) rstd and g = d_y gain:  d_s = rstd (g - mean(g) - x mean(g x)).
void CpuBackend::add_norm_backward(std::int64_t n, std::int64_t d, const float* d_y, const float* s, const float* gain,
                                   const float* mean, const float* rstd, const Dropout& dropout, bool accumulate_a, float* d_a,
                                   float* d_b, bool accumulate_params, float* d_gain, float* d_bias) const {
  if (!accumulate_params) zero(d, d_gain), zero(d, d_bias);
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      const float *dy = d_y + r * d, *row = s + r * d;
      const float mu = mean[r], r_std = rstd[r];
      F8 sum_g = {}, sum_gx = {};
      columns(d, [&](std::int64_t c, auto w) {
        const F8 grad = load(dy + c, w), x = fill_after((load(row + c, w) - mu) * r_std, w, 0), g = grad * load(gain + c, w);
        store(d_gain + c, load(d_gain + c, w) + grad * x, w);
        store(d_bias + c, load(d_bias + c, w) + grad, w);
        sum_g += g;
        sum_gx += g * x;
      });
      const float mean_g = sum(sum_g) / static_cast<float>(d), mean_gx = sum(sum_gx) / static_cast<float>(d);
      DropoutRow<Active> mask(dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) {
        const F8 x = (load(row + c, w) - mu) * r_std;
        const F8 d_s = r_std * (load(dy + c, w) * load(gain + c, w) - mean_g - x * mean_gx);
        if (d_a) store(d_a + r * d + c, accumulate_a ? load(d_a + r * d + c, w) + d_s : d_s, w);
        if (d_b) store(d_b + r * d + c, d_s * mask.factor(c), w);
      });
    }
  });
}

}  // namespace tt
