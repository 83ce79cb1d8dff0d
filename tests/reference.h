// The kernels of tensor/backend.h as naively as their mathematics reads; attention is in
// reference_attention.h, kernels of recurrent networks are in reference_recurrent.h.
//
// Buffers hold T (float or double); all arithmetic is double. Backward passes are written from the
// derivative's definition, not from the shortcuts a fast kernel takes, and are themselves checked
// against finite differences with T = double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "tensor/backend.h"

namespace tt::reference {

// The factor by which dropout multiplies an element of its site: 0 or 1 / (1 - rate).
inline double dropout_factor(const Dropout& dropout, std::uint64_t element) {
  if (dropout.rate == 0) return 1;
  const std::uint64_t counter = element / 64 * 8 + element % 8;
  const auto low = static_cast<std::uint32_t>(counter),
             high = static_cast<std::uint32_t>(counter >> 32);
  const std::uint64_t part = element % 64 / 8;
  const PhiloxBlock words = philox(
      {low, dropout.site + (high << 16), dropout.update, dropout.shard},
      {static_cast<std::uint32_t>(dropout.seed), static_cast<std::uint32_t>(dropout.seed >> 32)});
  const std::uint32_t bits = part % 2 ? words[part / 2] >> 16 : words[part / 2] & 0xFFFF;
  const double rate = dropout.rate;
  return bits < std::round(rate * 65536) ? 0 : 1 / (1 - rate);
}

inline double dropout_factor(const Dropout& dropout, std::int64_t row, std::int64_t column,
                             std::int64_t d) {
  return dropout_factor(dropout, static_cast<std::uint64_t>(row * ((d + 63) / 64 * 64) + column));
}

template <class T>
void product(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
             const T* a, std::int64_t lda, const T* b, std::int64_t ldb, bool accumulate, T* c,
             std::int64_t ldc) {
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t p = 0; p < k; ++p)
        sum += static_cast<double>(transpose_a ? a[p * lda + i] : a[i * lda + p]) *
               (transpose_b ? b[j * ldb + p] : b[p * ldb + j]);
      c[i * ldc + j] = static_cast<T>(sum + (accumulate ? c[i * ldc + j] : 0));
    }
}

template <class T>
void add_bias(std::int64_t n, std::int64_t d, const T* bias, T* x) {
  for (std::int64_t i = 0; i < n * d; ++i) x[i] += bias[i % d];
}

template <class T>
void column_sums(std::int64_t n, std::int64_t d, const T* x, bool accumulate, T* sums) {
  for (std::int64_t c = 0; c < d; ++c) {
    double sum = accumulate ? sums[c] : 0;
    for (std::int64_t r = 0; r < n; ++r) sum += x[r * d + c];
    sums[c] = static_cast<T>(sum);
  }
}

// Mean, or zero, and reciprocal deviation from it, of a row.
template <class T>
void row_statistics(NormType type, std::int64_t d, const T* s, double epsilon, double& mean,
                    double& rstd) {
  mean = 0;
  if (type == NormType::layer)
    for (std::int64_t c = 0; c < d; ++c) mean += s[c] / static_cast<double>(d);
  double variance = 0;
  for (std::int64_t c = 0; c < d; ++c)
    variance += (s[c] - mean) * (s[c] - mean) / static_cast<double>(d);
  rstd = 1 / std::sqrt(variance + epsilon);
}

template <class T>
void add_norm(NormType type, std::int64_t n, std::int64_t d, const T* a, T* b_to_s, const T* gain,
              const T* bias, const Dropout& dropout, T* y, T* mean, T* rstd,
              double epsilon = 1e-5) {
  for (std::int64_t r = 0; r < n; ++r) {
    T* s = b_to_s + r * d;
    if (a)
      for (std::int64_t c = 0; c < d; ++c)
        s[c] = static_cast<T>(a[r * d + c] + s[c] * dropout_factor(dropout, r, c, d));
    double mu, r_std;
    row_statistics(type, d, s, epsilon, mu, r_std);
    for (std::int64_t c = 0; c < d; ++c)
      y[r * d + c] = static_cast<T>(gain[c] * ((s[c] - mu) * r_std) + (bias ? bias[c] : 0));
    if (mean) mean[r] = static_cast<T>(mu), rstd[r] = static_cast<T>(r_std);
  }
}

// By the Jacobian of x = (s - mean) rstd:  dx_j / ds_i = rstd ([i = j] - 1/d - x_i x_j / d),
// without 1/d where the mean is taken for zero.
template <class T>
void add_norm_backward(NormType type, std::int64_t n, std::int64_t d, const T* d_y, const T* s,
                       const T* gain, const Dropout& dropout, bool accumulate_a, T* d_a, T* d_b,
                       bool accumulate_params, T* d_gain, T* d_bias, double epsilon = 1e-5) {
  std::vector<double> sum_gain(static_cast<std::size_t>(d)), sum_bias(sum_gain), x(sum_gain),
      dy(sum_gain);
  for (std::int64_t r = 0; r < n; ++r) {
    double mu, r_std;
    row_statistics(type, d, s + r * d, epsilon, mu, r_std);
    double sum = 0, sum_x = 0;  // of d_y gain, and of d_y gain x
    for (std::int64_t c = 0; c < d; ++c) {
      dy[c] = d_y[r * d + c];
      x[c] = (s[r * d + c] - mu) * r_std;
      if (type == NormType::layer) sum += dy[c] * gain[c];
      sum_x += dy[c] * gain[c] * x[c];
      sum_gain[c] += dy[c] * x[c];
      sum_bias[c] += dy[c];
    }
    for (std::int64_t i = 0; i < d; ++i) {
      const double d_s = r_std * (dy[i] * gain[i] - (sum + x[i] * sum_x) / static_cast<double>(d));
      if (d_a) d_a[r * d + i] = static_cast<T>(d_s + (accumulate_a ? d_a[r * d + i] : 0));
      if (d_b) d_b[r * d + i] = static_cast<T>(d_s * dropout_factor(dropout, r, i, d));
    }
  }
  for (std::int64_t c = 0; c < d; ++c) {
    d_gain[c] = static_cast<T>(sum_gain[c] + (accumulate_params ? d_gain[c] : 0));
    if (d_bias) d_bias[c] = static_cast<T>(sum_bias[c] + (accumulate_params ? d_bias[c] : 0));
  }
}

template <class T>
void add_dropout(std::int64_t n, std::int64_t d, const T* a, const T* b, const Dropout& dropout,
                 T* y) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < d; ++c)
      y[r * d + c] = static_cast<T>(a[r * d + c] + b[r * d + c] * dropout_factor(dropout, r, c, d));
}

template <class T>
void dropout_backward(std::int64_t n, std::int64_t d, const T* d_y, const Dropout& dropout,
                      T* d_b) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < d; ++c)
      d_b[r * d + c] = static_cast<T>(d_y[r * d + c] * dropout_factor(dropout, r, c, d));
}

inline double gelu_angle(double x) {
  return std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
}

inline double gate(Activation kind, double x) {
  return 1 / (1 + std::exp(kind == Activation::swish ? -x : -1.702 * x));
}

inline double activate(Activation kind, double x) {
  if (kind == Activation::swish || kind == Activation::gelu_logistic) return x * gate(kind, x);
  if (kind == Activation::gelu_erf) return x / 2 * std::erfc(-x / std::sqrt(2));
  if (kind == Activation::tanh) return std::tanh(x);
  return kind == Activation::relu ? std::max(x, 0.0) : x / 2 * (1 + std::tanh(gelu_angle(x)));
}

inline double slope(Activation kind, double x) {
  if (kind == Activation::gelu_erf)
    return std::erfc(-x / std::sqrt(2)) / 2 +
           x * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
  if (kind == Activation::swish || kind == Activation::gelu_logistic) {
    const double s = gate(kind, x);
    return s + (kind == Activation::swish ? 1 : 1.702) * x * s * (1 - s);
  }
  if (kind == Activation::relu) return x > 0;
  if (kind == Activation::tanh) return 1 - std::tanh(x) * std::tanh(x);
  const double t = std::tanh(gelu_angle(x));
  return (1 + t) / 2 +
         x / 2 * (1 - t * t) * std::sqrt(2 / std::acos(-1.0)) * (1 + 3 * 0.044715 * x * x);
}

template <class T>
void activation(Activation kind, std::int64_t n, std::int64_t d, const T* bias, T* x,
                const Dropout& dropout, T* y) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < d; ++c) {
      const T sum = x[r * d + c] + (bias ? bias[c] : 0);
      if (kind != Activation::relu) x[r * d + c] = sum;
      y[r * d + c] = static_cast<T>(activate(kind, sum) * dropout_factor(dropout, r, c, d));
    }
}

// x: the hidden units with their bias, before the activation; for ReLU the output y serves as well,
// and x is null.
template <class T>
void activation_backward(Activation kind, std::int64_t n, std::int64_t d, const T* x, const T* y,
                         const T* d_y, const Dropout& dropout, T* d_x, bool accumulate_bias,
                         T* d_bias) {
  std::vector<double> sums(static_cast<std::size_t>(d));
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < d; ++c) {
      const std::int64_t i = r * d + c;
      const double g = d_y[i] * slope(kind, x ? x[i] : y[i]) * dropout_factor(dropout, r, c, d);
      d_x[i] = static_cast<T>(g);
      sums[static_cast<std::size_t>(c)] += g;
    }
  for (std::int64_t c = 0; d_bias && c < d; ++c)
    d_bias[c] =
        static_cast<T>(sums[static_cast<std::size_t>(c)] + (accumulate_bias ? d_bias[c] : 0));
}

template <class T>
void embed(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places,
           const T* table, const T* positions, double scale, const Dropout& dropout, T* y) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < d; ++c)
      y[r * d + c] = static_cast<T>(
          ((tokens[r] < 0 ? 0 : scale * table[tokens[r] * d + c]) + positions[places[r] * d + c]) *
          dropout_factor(dropout, r, c, d));
}

template <class T>
void embed_backward(std::int64_t n, std::int64_t d, const std::int32_t* tokens,
                    const std::int32_t* places, const T* d_y, double scale, const Dropout& dropout,
                    T* d_table, T* d_positions) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < d; ++c) {
      const double g = d_y[r * d + c] * dropout_factor(dropout, r, c, d);
      if (tokens[r] >= 0) d_table[tokens[r] * d + c] += static_cast<T>(scale * g);
      if (d_positions) d_positions[places[r] * d + c] += static_cast<T>(g);
    }
}

template <class T>
void cross_entropy(std::int64_t n, std::int64_t v, const std::int32_t* targets, double smoothing,
                   double gradient_scale, T* logits, double* sums, double agreement = 0) {
  const std::int64_t distinct = agreement > 0 ? n / 2 : n;
  std::vector<double> log_p(static_cast<std::size_t>(n * v));
  for (std::int64_t r = 0; r < n; ++r) {
    const T* z = logits + r * v;
    const double peak = *std::max_element(z, z + v);
    double total = 0;
    for (std::int64_t c = 0; c < v; ++c) total += std::exp(z[c] - peak);
    for (std::int64_t c = 0; c < v; ++c)
      log_p[static_cast<std::size_t>(r * v + c)] = z[c] - peak - std::log(total);
  }
  for (std::int64_t r = 0; r < n; ++r) {
    const double *own = log_p.data() + r * v, *other = log_p.data() + (r + distinct) % n * v;
    double divergence = 0;
    for (std::int64_t c = 0; c < v; ++c) divergence += std::exp(own[c]) * (own[c] - other[c]);
    sums[0] += agreement / 2 * divergence;
    for (std::int64_t c = 0; c < v; ++c) {
      const bool target = c == targets[r % distinct];
      const double p = std::exp(own[c]),
                   q = target * (1 - smoothing) + smoothing / static_cast<double>(v);
      const double apart = p * (own[c] - other[c] - divergence) + p - std::exp(other[c]);
      sums[0] -= q * own[c];
      if (target) sums[1] -= own[c];
      if (gradient_scale != 0)
        logits[r * v + c] = static_cast<T>(gradient_scale * (p - q + agreement / 2 * apart));
    }
  }
}

template <class T>
void log_softmax(std::int64_t n, std::int64_t v, T* logits) {
  for (std::int64_t r = 0; r < n; ++r) {
    T* z = logits + r * v;
    const double peak = *std::max_element(z, z + v);
    double total = 0;
    for (std::int64_t c = 0; c < v; ++c) total += std::exp(static_cast<double>(z[c]) - peak);
    for (std::int64_t c = 0; c < v; ++c)
      z[c] = static_cast<T>(static_cast<double>(z[c]) - peak - std::log(total));
  }
}

// On log-probabilities, which log_softmax() made of the logits.
template <class T>
void best_of(std::int64_t n, std::int64_t v, const T* logs, int best, T* values,
             std::int32_t* indices, int barred, const std::int32_t* barred_at, int asked,
             const std::int32_t* asked_at, T* asked_values) {
  for (std::int64_t r = 0; r < n; ++r) {
    const T* z = logs + r * v;
    std::vector<std::int32_t> order;
    for (std::int32_t c = 0; c < v; ++c)
      if (std::find(barred_at + r * barred, barred_at + (r + 1) * barred, c) ==
          barred_at + (r + 1) * barred)
        order.push_back(c);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return z[a] > z[b]; });
    for (int i = 0; i < best; ++i) {
      const bool exists = i < static_cast<int>(order.size());
      indices[r * best + i] = exists ? order[static_cast<std::size_t>(i)] : 0;
      values[r * best + i] = exists ? z[indices[r * best + i]] : -INFINITY;
    }
    for (int i = 0; i < asked; ++i) {
      const std::int32_t at = asked_at[r * asked + i];
      asked_values[r * asked + i] = at >= 0 ? z[at] : -INFINITY;
    }
  }
}

// squares gets the sum of the squares of each Reduce::kChunk.
template <class T>
void reduce(int shards, T* const* gradients, std::int64_t begin, std::int64_t end,
            double* squares) {
  for (std::int64_t i = begin; i < end; ++i) {
    double sum = 0, &chunk = squares[i / Reduce::kChunk];
    for (int s = 0; s < shards; ++s) sum += gradients[s][i];
    gradients[0][i] = static_cast<T>(sum);
    chunk = (i % Reduce::kChunk == 0 ? 0 : chunk) + sum * sum;
  }
}

template <class T>
void moving_average(std::int64_t size, double weight, const T* x, T* average) {
  for (std::int64_t i = 0; i < size; ++i)
    average[i] = static_cast<T>(average[i] + weight * (x[i] - average[i]));
}

template <class T>
void adam(const Adam& step, std::int64_t size, const T* gradient, T* parameters, T* m, T* v) {
  const double b1 = step.beta1, b2 = step.beta2;
  for (std::int64_t i = 0; i < size; ++i) {
    const double g = static_cast<double>(gradient[i]) * step.gradient_scale;
    const double first = b1 * m[i] + (1 - b1) * g, second = b2 * v[i] + (1 - b2) * g * g;
    const double mean = step.nesterov ? b1 * first + (1 - b1) * g : first;
    const double direction =
        mean / step.correction1 / (std::sqrt(second / step.correction2) + step.epsilon);
    parameters[i] = static_cast<T>(
        parameters[i] -
        step.rate * (direction + static_cast<double>(step.weight_decay) * parameters[i]));
    m[i] = static_cast<T>(first);
    v[i] = static_cast<T>(second);
  }
}

template <class T>
void schedule_free(const ScheduleFree& step, const T* gradient, T* y, T* z, T* v, T* x) {
  const double b1 = step.beta1, b2 = step.beta2;
  for (std::int64_t i = 0; i < step.size; ++i) {
    const double g = static_cast<double>(gradient[i]) * step.gradient_scale;
    const double second = b2 * v[i] + (1 - b2) * g * g;
    const double direction = g / (std::sqrt(second / step.correction2) + step.epsilon) +
                             static_cast<double>(step.weight_decay) * y[i];
    const double trained = z[i] - step.rate * direction;
    const double average = (1 - static_cast<double>(step.weight)) * x[i] + step.weight * trained;
    v[i] = static_cast<T>(second);
    z[i] = static_cast<T>(trained);
    x[i] = static_cast<T>(average);
    y[i] = static_cast<T>((1 - b1) * trained + b1 * average);
  }
}

}  // namespace tt::reference
