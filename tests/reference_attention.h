// Attention (section 3.2.1) as naively as its mathematics reads: one query, one head, one key at a
// time. See reference.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/reference.h"

namespace tt::reference {

// softmax of `scores`; their log sum exp goes to log_sum. An empty softmax is empty, and its log
// sum exp minus infinity.
inline std::vector<double> softmax(std::vector<double> scores, double& log_sum) {
  double total = 0;
  const double peak = scores.empty() ? -INFINITY : *std::max_element(scores.begin(), scores.end());
  for (double& s : scores) total += s = std::exp(s - peak);
  for (double& s : scores) s /= total;
  log_sum = scores.empty() ? -INFINITY : peak + std::log(total);
  return scores;
}

// The keys that query i of a segment sees.
struct Seen {
  std::size_t begin, end;
};
inline Seen seen(const Attention& a, const Segment& s, std::int64_t i) {
  std::int64_t begin = 0, end = s.key_end - s.key_begin;
  if (a.causal) end = std::min(end, i + 1);
  if (a.segments.window > 0)
    begin = i - a.segments.window, end = std::min(end, i + a.segments.window + 1);
  begin = std::clamp<std::int64_t>(begin, 0, end);
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(begin == end ? 0 : end)};
}

// The place in the table of the number that is added to the score of a query and a key of head h.
inline std::int64_t bias_element(const DistanceBias& bias, std::int64_t h, std::int64_t query,
                                 std::int64_t key) {
  return h * bias.count + bias.buckets[std::clamp(key - query, -bias.far, bias.far) + bias.far];
}

// The weights, before dropout, with which query i of a segment attends to its keys up to the last
// that it sees in head h.
template <class T>
std::vector<double> attention_weights(const Attention& a, const T* q, const T* k, const Segment& s,
                                      std::int64_t i, int h, double& log_sum, const T* bias) {
  const auto [begin, end] = seen(a, s, i);
  std::vector<double> scores(end, -INFINITY);
  for (std::size_t j = begin; j < end; ++j) {
    scores[j] = 0;
    for (std::int64_t c = h * a.d_k; c < (h + 1) * a.d_k; ++c)
      scores[j] += static_cast<double>(a.scale) * q[(s.query_begin + i) * a.q.stride + c] *
                   k[(s.key_begin + static_cast<std::int64_t>(j)) * a.k.stride + c];
    if (bias) scores[j] += bias[bias_element(a.bias, h, i, static_cast<std::int64_t>(j))];
  }
  return softmax(scores, log_sum);
}

inline double attention_factor(const Attention& a, const Segment& s, std::int64_t i, int h,
                               std::size_t key) {
  return dropout_factor(
      a.dropout, static_cast<std::uint64_t>((s.query_begin + i) * a.heads + h) * 65536 + key);
}

// The geometry is a's; its pointers are not read.
template <class T>
void attention(const Attention& a, const T* q, const T* k, const T* v, T* out, T* log_sums,
               T* weights, const T* bias = nullptr) {
  const std::int64_t ldo = a.heads * a.d_v;
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count)))
    for (int h = 0; h < a.heads; ++h)
      for (std::int64_t i = 0; i < s.query_end - s.query_begin; ++i) {
        double log_sum;
        const std::vector<double> p = attention_weights(a, q, k, s, i, h, log_sum, bias);
        if (log_sums) log_sums[(s.query_begin + i) * a.heads + h] = static_cast<T>(log_sum);
        if (weights)
          for (std::int64_t j = 0; j < s.key_end - s.key_begin; ++j)
            *weights++ = j < static_cast<std::int64_t>(p.size())
                             ? static_cast<T>(p[static_cast<std::size_t>(j)])
                             : 0;
        for (std::int64_t c = h * a.d_v; c < (h + 1) * a.d_v; ++c) {
          double sum = 0;
          for (std::size_t j = 0; j < p.size(); ++j)
            sum += p[j] * attention_factor(a, s, i, h, j) *
                   v[(s.key_begin + static_cast<std::int64_t>(j)) * a.v.stride + c];
          out[(s.query_begin + i) * ldo + c] = static_cast<T>(sum);
        }
      }
}

// Gradients of rows are sums over the columns of a head and over the queries of a segment, each
// accumulated in double.
template <class T>
void attention_backward(const Attention& a, const T* q, const T* k, const T* v, const T* d_out,
                        T* d_q, T* d_k, T* d_v, bool accumulate_q = false,
                        bool accumulate_k = false, bool accumulate_v = false,
                        const T* bias = nullptr, T* d_bias = nullptr) {
  const auto write = [](T& to, double x, bool add) { to = static_cast<T>(x + (add ? to : 0)); };
  const std::int64_t ldo = a.heads * a.d_v;
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count)))
    for (int h = 0; h < a.heads; ++h) {
      const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin;
      std::vector<double> sum_k(static_cast<std::size_t>(keys * a.d_k)),
          sum_v(static_cast<std::size_t>(keys * a.d_v));
      for (std::int64_t i = 0; i < queries; ++i) {
        double log_sum;
        const std::vector<double> p = attention_weights(a, q, k, s, i, h, log_sum, bias);
        const T* query = q + (s.query_begin + i) * a.q.stride + h * a.d_k;
        const T* d_o = d_out + (s.query_begin + i) * ldo + h * a.d_v;
        std::vector<double> d_p(p.size()), sum_q(static_cast<std::size_t>(a.d_k));
        double mean = 0;
        for (std::size_t j = 0; j < p.size(); ++j) {
          const T* value =
              v + (s.key_begin + static_cast<std::int64_t>(j)) * a.v.stride + h * a.d_v;
          const double factor = attention_factor(a, s, i, h, j);
          for (std::int64_t c = 0; c < a.d_v; ++c) {
            d_p[j] += factor * d_o[c] * value[c];
            sum_v[j * static_cast<std::size_t>(a.d_v) + static_cast<std::size_t>(c)] +=
                p[j] * factor * d_o[c];
          }
          mean += p[j] * d_p[j];
        }
        T* const sums = d_bias + (s.query_begin + i) * a.heads * a.bias.count;
        if (bias) std::fill_n(sums + h * a.bias.count, a.bias.count, T{0});
        for (std::size_t j = 0; j < p.size(); ++j) {
          if (bias)
            sums[bias_element(a.bias, h, i, static_cast<std::int64_t>(j))] +=
                static_cast<T>(p[j] * (d_p[j] - mean));
          const T* key = k + (s.key_begin + static_cast<std::int64_t>(j)) * a.k.stride + h * a.d_k;
          const double d_score = a.scale * p[j] * (d_p[j] - mean);
          for (std::int64_t c = 0; c < a.d_k; ++c) {
            sum_q[static_cast<std::size_t>(c)] += d_score * key[c];
            sum_k[j * static_cast<std::size_t>(a.d_k) + static_cast<std::size_t>(c)] +=
                d_score * query[c];
          }
        }
        for (std::int64_t c = 0; c < a.d_k; ++c)
          write(d_q[(s.query_begin + i) * a.q.stride + h * a.d_k + c],
                sum_q[static_cast<std::size_t>(c)], accumulate_q);
      }
      for (std::int64_t j = 0; j < keys; ++j) {
        for (std::int64_t c = 0; c < a.d_k; ++c)
          write(d_k[(s.key_begin + j) * a.k.stride + h * a.d_k + c],
                sum_k[static_cast<std::size_t>(j * a.d_k + c)], accumulate_k);
        for (std::int64_t c = 0; c < a.d_v; ++c)
          write(d_v[(s.key_begin + j) * a.v.stride + h * a.d_v + c],
                sum_v[static_cast<std::size_t>(j * a.d_v + c)], accumulate_v);
      }
    }
}

// *sum and the gradients are added to. The geometry is a's.
template <class T>
void alignment_loss(const AlignmentLoss& a, const T* q, const T* k, double* sum, T* d_q, T* d_k) {
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count))) {
    std::vector<double> sum_k(static_cast<std::size_t>((s.key_end - s.key_begin) * a.k.columns));
    for (std::int64_t t = s.query_begin; t < s.query_end; ++t) {
      const std::int64_t links = a.begins[t + 1] - a.begins[t];
      if (links == 0) continue;
      std::vector<double> scores(static_cast<std::size_t>(s.key_end - s.key_begin)), share(scores);
      for (std::size_t j = 0; j < scores.size(); ++j)
        for (std::int64_t c = 0; c < a.q.columns; ++c)
          scores[j] += static_cast<double>(a.scale) * q[t * a.q.stride + c] *
                       k[(s.key_begin + static_cast<std::int64_t>(j)) * a.k.stride + c];
      for (std::int64_t l = a.begins[t]; l < a.begins[t + 1]; ++l)
        share[static_cast<std::size_t>(a.linked[l] - s.key_begin)] +=
            1 / static_cast<double>(links);
      double log_sum;
      const std::vector<double> p = softmax(scores, log_sum);
      for (std::size_t j = 0; sum && j < p.size(); ++j)
        if (share[j] > 0) *sum -= share[j] * (scores[j] - log_sum);
      for (std::int64_t c = 0; a.gradient_scale != 0 && c < a.q.columns; ++c) {
        double sum_q = 0;
        for (std::size_t j = 0; j < p.size(); ++j) {
          const double d = static_cast<double>(a.gradient_scale) * static_cast<double>(a.scale) *
                           (p[j] - share[j]);
          sum_q += d * k[(s.key_begin + static_cast<std::int64_t>(j)) * a.k.stride + c];
          sum_k[j * static_cast<std::size_t>(a.k.columns) + static_cast<std::size_t>(c)] +=
              d * q[t * a.q.stride + c];
        }
        d_q[t * a.q.stride + c] += static_cast<T>(sum_q);
      }
    }
    for (std::int64_t j = 0; a.gradient_scale != 0 && j < s.key_end - s.key_begin; ++j)
      for (std::int64_t c = 0; c < a.k.columns; ++c)
        d_k[(s.key_begin + j) * a.k.stride + c] +=
            static_cast<T>(sum_k[static_cast<std::size_t>(j * a.k.columns + c)]);
  }
}

template <class T>
void cached_attention(const CachedAttention& a, const T* q, const T* const* blocks, T* out) {
  for (std::int64_t r = 0; r < a.rows; ++r)
    for (int h = 0; h < a.heads; ++h) {
      const auto cached = [&](std::size_t t) {
        return blocks[t] + a.slots[r * a.ld_slots + static_cast<std::int64_t>(t)] * a.ld;
      };
      std::vector<double> scores(static_cast<std::size_t>(a.steps));
      for (std::size_t t = 0; t < scores.size(); ++t)
        for (std::int64_t c = h * a.d_k; c < (h + 1) * a.d_k; ++c) {
          const double one = q[r * a.ldq + c], other = cached(t)[c];
          scores[t] += a.additive ? a.additive[c] * std::tanh(one + other)
                                  : static_cast<double>(a.scale) * one * other;
        }
      for (std::size_t t = 0; a.bias.table && t < scores.size(); ++t)
        scores[t] +=
            a.bias.table[bias_element(a.bias, h, a.steps - 1, static_cast<std::int64_t>(t))];
      double log_sum;
      const std::vector<double> p = softmax(scores, log_sum);
      for (std::int64_t c = h * a.d_v; c < (h + 1) * a.d_v; ++c) {
        double sum = 0;
        for (std::size_t t = 0; t < p.size(); ++t) sum += p[t] * cached(t)[a.value_column + c];
        out[r * a.heads * a.d_v + c] = static_cast<T>(sum);
      }
    }
}

}  // namespace tt::reference
