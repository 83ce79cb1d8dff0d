// Elementwise kernels: residual sums with dropout, and the FFN's activation.
#include <algorithm>
#include <cstring>

#include "cpu/cpu.h"
#include "cpu/rows.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

constexpr float kGelu = 0.7978845608f;  // sqrt(2 / pi)

// GELU in its tanh form (Hendrycks and Gimpel 2016): x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
// The logistic function instead of tanh, (1 + tanh a) / 2 = 1 / (1 + e^(-2a)), avoids cancellation
// where the unit is nearly off.
Floats gelu_odds(Floats x) { return vec::exp(-2 * kGelu * (x + 0.044715f * x * x * x)); }
Floats gelu(Floats x) { return x / (1.0f + gelu_odds(x)); }
Floats gelu_slope(Floats x) {
  const Floats odds = gelu_odds(x), on = 1.0f / (1.0f + odds);
  return on + x * on * (odds * on) * (2 * kGelu) * (1.0f + 3 * 0.044715f * x * x);
}

// The normal distribution (Abramowitz and Stegun 1964, 7.1.26), within 8e-8, and its density.
struct Normal {
  Floats below, density;
};
Normal normal(Floats x) {
  const Floats size = max(x, -x), t = 1.0f / (1.0f + 0.3275911f * 0.70710678f * size),
               power = vec::exp(-0.5f * x * x);
  const Floats sum =
      t * (0.254829592f +
           t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  const Floats tail = 0.5f * sum * power;
  return {select(x < 0.0f, tail, 1.0f - tail), 0.3989422804f * power};
}

Floats normal_slope(Floats x) {
  const Normal n = normal(x);
  return n.below + x * n.density;
}

// x s(b x), s the logistic function: swish (b = 1), and GELU's other approximation.
constexpr float kSwish = 1, kGeluGate = 1.702f;
Floats gated(Floats x, float b) { return x / (1.0f + vec::exp(-b * x)); }
// odds on is 1 - on, without cancellation where the unit is nearly on.
Floats gated_slope(Floats x, float b) {
  const Floats odds = vec::exp(-b * x), on = 1.0f / (1.0f + odds);
  return on + b * x * on * (odds * on);
}

// Calls f(act, slope) with the activation, a function of Floats, and its derivative. Not for ReLU,
// whose kernels read no x.
template <class F>
void with_activation(Activation kind, F&& f) {
  switch (kind) {
    case Activation::relu: TT_CHECK(kind != Activation::relu); break;
    case Activation::gelu:
      f([](Floats x) { return gelu(x); }, [](Floats x) { return gelu_slope(x); });
      break;
    case Activation::gelu_erf:
      f([](Floats x) { return x * normal(x).below; }, [](Floats x) { return normal_slope(x); });
      break;
    case Activation::swish:
      f([](Floats x) { return gated(x, kSwish); }, [](Floats x) { return gated_slope(x, kSwish); });
      break;
    case Activation::gelu_logistic:
      f([](Floats x) { return gated(x, kGeluGate); },
        [](Floats x) { return gated_slope(x, kGeluGate); });
      break;
    case Activation::tanh:
      f([](Floats x) { return vec::tanh(x); }, [](Floats x) { return tanh_and_slope(x).slope; });
      break;
  }
}

}  // namespace

void CpuBackend::add_dropout(const AddDropout& k) const {
  const std::int64_t n = k.n, d = k.d;
  const float *a = k.a, *b = k.b;
  float* y = k.y;
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(k.dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) {
        store(y + r * d + c, load(a + r * d + c, w) + load(b + r * d + c, w) * mask.factor(c), w);
      });
    }
  });
}

void CpuBackend::dropout_backward(const DropoutBackward& k) const {
  const std::int64_t n = k.n, d = k.d;
  const float* d_y = k.d_y;
  float* d_b = k.d_b;
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(k.dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) {
        store(d_b + r * d + c, load(d_y + r * d + c, w) * mask.factor(c), w);
      });
    }
  });
}

void CpuBackend::add(const Add& k) const {
  columns(k.size,
          [&](std::int64_t c, auto w) { store(k.y + c, load(k.y + c, w) + load(k.x + c, w), w); });
}

void CpuBackend::multiply(const Multiply& k) const {
  columns(k.size, [&](std::int64_t c, auto w) {
    const Floats a = k.scale * load(k.a + c, w);
    store(k.y + c, k.b ? a * load(k.b + c, w) : a, w);
  });
}

void CpuBackend::multiply_backward(const MultiplyBackward& k) const {
  const auto put = [](float* to, bool add, Floats x, auto w) {
    store(to, add ? load(to, w) + x : x, w);
  };
  columns(k.size, [&](std::int64_t c, auto w) {
    const Floats d_y = k.scale * load(k.d_y + c, w);
    put(k.d_a + c, k.accumulate_a, k.b ? d_y * load(k.b + c, w) : d_y, w);
    if (k.b) put(k.d_b + c, k.accumulate_b, d_y * load(k.a + c, w), w);
  });
}

void CpuBackend::activate(const Activate& k) const {
  const std::int64_t n = k.x.rows, d = k.x.columns;
  TT_CHECK(k.kind == Activation::relu || k.x.type == ElementType::float32);
  const auto shifted = [bias = k.bias](Floats in, std::int64_t c, auto w) {
    return bias ? in + load(bias + c, w) : in;
  };
  RowReader x(k.x);
  RowWriter y(k.y, k.copy);
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(k.dropout, row_element(r, d));
      const float* in = x.row(r);
      float *out = y.row(r), *kept = k.x.floats() + r * d;
      if (k.kind == Activation::relu) {
        columns(d, [&](std::int64_t c, auto w) {
          store(out + c, max(shifted(load(in + c, w), c, w), splat(0)) * mask.factor(c), w);
        });
      } else {
        with_activation(k.kind, [&](const auto& act, const auto&) {
          columns(d, [&](std::int64_t c, auto w) {
            const Floats sum = shifted(load(in + c, w), c, w);
            store(kept + c, sum, w);
            store(out + c, act(sum) * mask.factor(c), w);
          });
        });
      }
      y.put(r);
    }
  });
}

// ReLU: y is positive exactly where the unit was active and kept, so neither x nor the mask is
// needed again.
void CpuBackend::activate_backward(const ActivateBackward& k) const {
  const std::int64_t n = k.d_y.rows, d = k.d_y.columns;
  float* d_bias = k.d_bias;
  RowReader x_rows(k.x), y_rows(k.y), d_y(k.d_y);
  RowWriter d_x(k.d_x);
  if (d_bias && !k.accumulate_bias) std::fill(d_bias, d_bias + d, 0.0f);
  const Floats scale = splat(1 / (1 - k.dropout.rate));
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      DropoutRow<Active> mask(k.dropout, row_element(r, d));
      const float *grad = d_y.row(r), *x = x_rows.row(r), *y = y_rows.row(r);
      float* to = d_x.row(r);
      const auto put = [&](const auto& gradient) {
        columns(d, [&](std::int64_t c, auto w) {
          const Floats g = gradient(c, w);
          store(to + c, g, w);
          if (d_bias) store(d_bias + c, load(d_bias + c, w) + g, w);
        });
      };
      if (k.kind == Activation::relu)
        put([&](std::int64_t c, auto w) {
          return zero_where(load(y + c, w) <= 0.0f, load(grad + c, w) * scale);
        });
      else
        with_activation(k.kind, [&](const auto&, const auto& slope) {
          put([&](std::int64_t c, auto w) {
            return load(grad + c, w) * mask.factor(c) * slope(load(x + c, w));
          });
        });
      d_x.put(r);
    }
  });
}

void CpuBackend::zero(const Zero& k) const {
  for (std::int64_t r = 0; r < k.rows; ++r)
    std::memset(k.x + r * k.ld, 0, static_cast<std::size_t>(k.columns) * sizeof(float));
}

}  // namespace tt
