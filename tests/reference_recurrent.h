// Selection of rows, LSTM and additive attention as naively as their mathematics reads. See
// reference.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/reference_attention.h"

namespace tt::reference {

template <class T>
void gather(std::int64_t n, std::int64_t d, const std::int32_t* rows, const T* x, std::int64_t ldx,
            bool accumulate, T* y, std::int64_t ldy) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < d; ++c) {
      const std::int64_t from = rows ? rows[r] : r;
      const double value = from < 0 ? 0 : static_cast<double>(x[from * ldx + c]);
      y[r * ldy + c] = static_cast<T>(value + (accumulate ? y[r * ldy + c] : 0));
    }
}

inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// recurrent and c_before may be null.
template <class T>
void lstm(std::int64_t n, std::int64_t d, T* gates, const T* recurrent, const T* c_before, T* c,
          T* h) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t u = 0; u < d; ++u) {
      double a[4];
      for (int gate = 0; gate < 4; ++gate) {
        T& x = gates[(r * 4 + gate) * d + u];
        a[gate] = x + (recurrent ? static_cast<double>(recurrent[(r * 4 + gate) * d + u]) : 0);
        a[gate] = gate == 2 ? std::tanh(a[gate]) : logistic(a[gate]);
        x = static_cast<T>(a[gate]);
      }
      const double cell =
          a[1] * (c_before ? static_cast<double>(c_before[r * d + u]) : 0) + a[0] * a[2];
      c[r * d + u] = static_cast<T>(cell);
      h[r * d + u] = static_cast<T>(a[3] * std::tanh(cell));
    }
}

// By the chain rule, one function after another: h = o t, t = tanh c, c = f c' + i g, then each
// gate of its sum.
template <class T>
void lstm_backward(std::int64_t n, std::int64_t d, const T* gates, const T* c_before, const T* c,
                   const T* d_h, const T* d_c, T* d_gates, bool accumulate, T* d_c_before) {
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t u = 0; u < d; ++u) {
      const std::int64_t at = r * d + u;
      const auto gate = [&](int number) {
        return static_cast<double>(gates[(r * 4 + number) * d + u]);
      };
      const double i = gate(0), f = gate(1), g = gate(2), o = gate(3),
                   before = c_before ? static_cast<double>(c_before[at]) : 0;
      const double t = std::tanh(static_cast<double>(c[at])),
                   dh = d_h ? static_cast<double>(d_h[at]) : 0;
      const double d_t = dh * o,
                   d_cell = (d_c ? static_cast<double>(d_c[at]) : 0) + d_t * (1 - t * t);
      const double d_gate[4] = {d_cell * g, d_cell * before, d_cell * i, dh * t};
      for (int number = 0; number < 4; ++number) {
        const double y = gate(number), slope = number == 2 ? 1 - y * y : y * (1 - y);
        d_gates[(r * 4 + number) * d + u] = static_cast<T>(d_gate[number] * slope);
      }
      if (d_c_before)
        d_c_before[at] = static_cast<T>(d_cell * f + (accumulate ? d_c_before[at] : 0));
    }
}

// c_before may be null: zeros.
template <class T>
void ssru(const Segments& segments, std::int64_t d, T* gates, const T* c_before,
          const std::int32_t* before, T* c, T* h) {
  for (std::int64_t s = 0; s < segments.count; ++s)
    for (std::int64_t u = 0; u < d; ++u) {
      double last = c_before ? static_cast<double>(c_before[before[s] * d + u]) : 0;
      for (std::int64_t r = segments.at[s].query_begin; r < segments.at[s].query_end; ++r) {
        const double f = logistic(gates[(2 * r + 1) * d + u]);
        last = f * last + (1 - f) * gates[2 * r * d + u];
        gates[(2 * r + 1) * d + u] = static_cast<T>(f);
        c[r * d + u] = static_cast<T>(last);
        h[r * d + u] = static_cast<T>(last > 0 ? last : 0);
      }
    }
}

// By the chain rule, from the last row to the first.
template <class T>
void ssru_backward(const Segments& segments, std::int64_t d, const T* gates, const T* c,
                   const T* d_h, T* d_gates) {
  for (std::int64_t s = 0; s < segments.count; ++s)
    for (std::int64_t u = 0; u < d; ++u) {
      double d_c = 0;
      for (std::int64_t r = segments.at[s].query_end; r-- > segments.at[s].query_begin;) {
        const double x = gates[2 * r * d + u], f = gates[(2 * r + 1) * d + u];
        const double last =
            r > segments.at[s].query_begin ? static_cast<double>(c[(r - 1) * d + u]) : 0;
        if (c[r * d + u] > 0) d_c += d_h[r * d + u];
        d_gates[2 * r * d + u] = static_cast<T>(d_c * (1 - f));
        d_gates[(2 * r + 1) * d + u] = static_cast<T>(d_c * (last - x) * f * (1 - f));
        d_c *= f;
      }
    }
}

// The weights, before dropout, of query i of a segment in head h, up to the last key that it sees.
template <class T>
std::vector<double> additive_weights(const Attention& a, const T* q, const T* k, const T* w,
                                     const Segment& s, std::int64_t i, int h, double& log_sum) {
  const auto [begin, end] = seen(a, s, i);
  std::vector<double> scores(end, -INFINITY);
  for (std::size_t j = begin; j < end; ++j) {
    scores[j] = 0;
    for (std::int64_t c = h * a.d_k; c < (h + 1) * a.d_k; ++c)
      scores[j] += static_cast<double>(w[c]) *
                   std::tanh(static_cast<double>(q[(s.query_begin + i) * a.q.stride + c]) +
                             k[(s.key_begin + static_cast<std::int64_t>(j)) * a.k.stride + c]);
  }
  return softmax(scores, log_sum);
}

// The geometry is a's; its pointers are not read.
template <class T>
void additive_attention(const Attention& a, const T* q, const T* k, const T* v, const T* w, T* out,
                        T* log_sums, T* weights) {
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count)))
    for (int h = 0; h < a.heads; ++h)
      for (std::int64_t i = 0; i < s.query_end - s.query_begin; ++i) {
        const std::int64_t row = (s.query_begin + i) * a.heads + h;
        double log_sum;
        const std::vector<double> p = additive_weights(a, q, k, w, s, i, h, log_sum);
        if (log_sums) log_sums[row] = static_cast<T>(log_sum);
        if (weights)
          for (std::int64_t j = 0; j < s.key_end - s.key_begin; ++j)
            *weights++ = j < static_cast<std::int64_t>(p.size())
                             ? static_cast<T>(p[static_cast<std::size_t>(j)])
                             : 0;
        for (std::int64_t c = 0; c < a.d_v; ++c) {
          double sum = 0;
          for (std::size_t j = 0; j < p.size(); ++j)
            sum += p[j] * attention_factor(a, s, i, h, j) *
                   v[(s.key_begin + static_cast<std::int64_t>(j)) * a.v.stride + h * a.d_v + c];
          out[row * a.d_v + c] = static_cast<T>(sum);
        }
      }
}

// All gradients are summed in double, then written or accumulated.
template <class T>
void additive_attention_backward(const Attention& a, const T* q, const T* k, const T* v, const T* w,
                                 const T* d_out, T* d_q, T* d_k, T* d_v, T* d_w,
                                 bool accumulate_q = false, bool accumulate_k = false,
                                 bool accumulate_v = false, bool accumulate_w = false) {
  const auto write = [](T& to, double x, bool add) { to = static_cast<T>(x + (add ? to : 0)); };
  const std::int64_t wide_k = a.heads * a.d_k, wide_v = a.heads * a.d_v;
  std::vector<double> sum_w(static_cast<std::size_t>(wide_k));
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count))) {
    const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin;
    std::vector<double> sum_q(static_cast<std::size_t>(queries * wide_k)),
        sum_k(static_cast<std::size_t>(keys * wide_k)),
        sum_v(static_cast<std::size_t>(keys * wide_v));
    for (int h = 0; h < a.heads; ++h)
      for (std::int64_t i = 0; i < queries; ++i) {
        double log_sum;
        const std::vector<double> p = additive_weights(a, q, k, w, s, i, h, log_sum);
        const T* d_o = d_out + ((s.query_begin + i) * a.heads + h) * a.d_v;
        std::vector<double> d_p(p.size());
        double mean = 0;
        for (std::size_t j = 0; j < p.size(); ++j) {
          const double factor = attention_factor(a, s, i, h, j);
          for (std::int64_t c = 0; c < a.d_v; ++c) {
            const auto key = static_cast<std::int64_t>(j);
            d_p[j] += factor * d_o[c] * v[(s.key_begin + key) * a.v.stride + h * a.d_v + c];
            sum_v[static_cast<std::size_t>(key * wide_v + h * a.d_v + c)] += p[j] * factor * d_o[c];
          }
          mean += p[j] * d_p[j];
        }
        for (std::size_t j = 0; j < p.size(); ++j)
          for (std::int64_t c = h * a.d_k; c < (h + 1) * a.d_k; ++c) {
            const auto key = static_cast<std::int64_t>(j);
            const double t =
                std::tanh(static_cast<double>(q[(s.query_begin + i) * a.q.stride + c]) +
                          k[(s.key_begin + key) * a.k.stride + c]);
            const double d_score = p[j] * (d_p[j] - mean), d_sum = d_score * w[c] * (1 - t * t);
            sum_w[static_cast<std::size_t>(c)] += d_score * t;
            sum_q[static_cast<std::size_t>(i * wide_k + c)] += d_sum;
            sum_k[static_cast<std::size_t>(key * wide_k + c)] += d_sum;
          }
      }
    for (std::int64_t i = 0; i < queries; ++i)
      for (std::int64_t c = 0; c < wide_k; ++c)
        write(d_q[(s.query_begin + i) * a.q.stride + c],
              sum_q[static_cast<std::size_t>(i * wide_k + c)], accumulate_q);
    for (std::int64_t j = 0; j < keys; ++j) {
      for (std::int64_t c = 0; c < wide_k; ++c)
        write(d_k[(s.key_begin + j) * a.k.stride + c],
              sum_k[static_cast<std::size_t>(j * wide_k + c)], accumulate_k);
      for (std::int64_t c = 0; c < wide_v; ++c)
        write(d_v[(s.key_begin + j) * a.v.stride + c],
              sum_v[static_cast<std::size_t>(j * wide_v + c)], accumulate_v);
    }
  }
  for (std::int64_t c = 0; c < wide_k; ++c)
    write(d_w[c], sum_w[static_cast<std::size_t>(c)], accumulate_w);
}

}  // namespace tt::reference
