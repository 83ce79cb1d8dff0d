// LayerNorm or RMSNorm of a + Dropout(b) (section 3.1), one row at a time; a row fits the L1 cache.
#include <algorithm>
#include <cmath>

#include "cpu/cpu.h"
#include "cpu/rows.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

void CpuBackend::add_norm(const AddNorm& k) const {
  const std::int64_t n = k.y.rows, d = k.y.columns;
  const float *a = k.a.floats(), *gain = k.gain, *bias = k.bias;
  RowWriter y(k.y, k.copy);
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      float* s = k.b_to_s.floats() + r * d;
      Floats total = {};
      if (a) {
        DropoutRow<Active> mask(k.dropout, row_element(r, d));
        columns(d, [&](std::int64_t c, auto w) {
          const Floats x = load(a + r * d + c, w) + load(s + c, w) * mask.factor(c);
          store(s + c, x, w);
          total += x;
        });
      } else {
        columns(d, [&](std::int64_t c, auto w) { total += load(s + c, w); });
      }
      const float mu = k.type == NormType::rms ? 0 : sum(total) / static_cast<float>(d);
      Floats squares = {};
      columns(d, [&](std::int64_t c, auto w) {
        const Floats x = fill_after(load(s + c, w) - mu, w, 0);
        squares = multiply_add(x, x, squares);
      });
      const float r_std = 1 / std::sqrt(sum(squares) / static_cast<float>(d) + k.epsilon);
      float* to = y.row(r);
      columns(d, [&](std::int64_t c, auto w) {
        const Floats shift = bias ? load(bias + c, w) : Floats{};
        store(to + c, multiply_add((load(s + c, w) - mu) * r_std, load(gain + c, w), shift), w);
      });
      y.put(r);
      if (k.mean) k.mean[r] = mu, k.rstd[r] = r_std;
    }
  });
}

// With x = (s - mean) rstd and g = d_y gain:  d_s = rstd (g - mean(g) - x mean(g x)), without
// mean(g) where the mean is taken for 0.
void CpuBackend::add_norm_backward(const AddNormBackward& k) const {
  const std::int64_t n = k.d_y.rows, d = k.d_y.columns;
  float *d_a = k.d_a.floats(), *d_gain = k.d_gain, *d_bias = k.d_bias;
  RowWriter d_b(k.d_b, k.copy);
  const float* gain = k.gain;
  if (!k.accumulate_params) {
    std::fill(d_gain, d_gain + d, 0.0f);
    if (d_bias) std::fill(d_bias, d_bias + d, 0.0f);
  }
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      const float *dy = k.d_y.floats() + r * d, *row = k.s.floats() + r * d;
      const float mu = k.mean[r], r_std = k.rstd[r];
      Floats sum_g = {}, sum_gx = {};
      columns(d, [&](std::int64_t c, auto w) {
        const Floats grad = load(dy + c, w), x = fill_after((load(row + c, w) - mu) * r_std, w, 0),
                     g = grad * load(gain + c, w);
        store(d_gain + c, multiply_add(grad, x, load(d_gain + c, w)), w);
        if (d_bias) store(d_bias + c, load(d_bias + c, w) + grad, w);
        sum_g += g;
        sum_gx = multiply_add(g, x, sum_gx);
      });
      const float mean_g = k.type == NormType::rms ? 0 : sum(sum_g) / static_cast<float>(d),
                  mean_gx = sum(sum_gx) / static_cast<float>(d);
      DropoutRow<Active> mask(k.dropout, row_element(r, d));
      float* to = d_b.row(r);
      columns(d, [&](std::int64_t c, auto w) {
        const Floats x = (load(row + c, w) - mu) * r_std;
        const Floats d_s = r_std * (load(dy + c, w) * load(gain + c, w) - mean_g - x * mean_gx);
        if (d_a) store(d_a + r * d + c, k.accumulate_a ? load(d_a + r * d + c, w) + d_s : d_s, w);
        if (to) store(to + c, d_s * mask.factor(c), w);
      });
      d_b.put(r);
    }
  });
}

}  // namespace tt
