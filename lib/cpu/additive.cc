// Attention with scores w . tanh(q + k) (Bahdanau et al. 2015). Scores are not matrix products, so
// queries are processed one at a time, with scores and weights for all keys of the segment in
// memory.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "cpu/cpu.h"
#include "cpu/seen_keys.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

std::int64_t padded(std::int64_t n) { return (n + kWidth - 1) / kWidth * kWidth; }

// A buffer of n floats of this thread, reused across calls.
float* scratch(int buffer, std::int64_t n) {
  static thread_local std::vector<float> mine[3];
  auto& of = mine[buffer];
  if (static_cast<std::int64_t>(of.size()) < n) of.resize(static_cast<std::size_t>(n));
  return of.data();
}

// scores [keys] of one query and `keys` keys, from `first_key` on, in head h.
void score(const AdditiveAttention& a, const float* q, const float* first_key, int h,
           std::int64_t keys, float* scores) {
  const Attention& in = a.inputs;
  const float* w = a.w + h * in.d_k;
  for (std::int64_t j = 0; j < keys; ++j) {
    const float* k = first_key + j * in.k.stride;
    Floats total = {};
    // Lanes past the end add w = 0.
    columns(in.d_k, [&](std::int64_t c, auto part) {
      total += load(w + c, part) * vec::tanh(load(q + c, part) + load(k + c, part));
    });
    scores[j] = sum(total);
  }
}

// The factors of dropout on the weights of one row, for the keys that it sees.
const float* factors(const Attention& a, std::int64_t query, int head, const SeenKeys& seen) {
  const std::uint64_t row =
      static_cast<std::uint64_t>(query) * static_cast<std::uint64_t>(a.heads) +
      static_cast<std::uint64_t>(head);
  const std::int64_t from = seen.begin / 64 * 64;
  float* to = scratch(2, padded(seen.end - from));
  with_dropout(a.dropout, [&]<bool Active>() {
    DropoutRow<Active> mask(a.dropout, (row << 16) + static_cast<std::uint64_t>(from));
    columns(seen.end - from, [&](std::int64_t c, auto) { store(to + c, mask.factor(c)); });
  });
  return to + (seen.begin - from);
}

}  // namespace

void CpuBackend::additive_attention(const AdditiveAttention& k) const {
  const Attention& a = k.inputs;
  float* weights = a.weights;
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count))) {
    const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin;
    float* p = scratch(0, padded(keys));
    for (int h = 0; h < a.heads; ++h)
      for (std::int64_t i = 0; i < queries; ++i) {
        const std::int64_t query = s.query_begin + i;
        const SeenKeys keys_seen = seen_keys(a, s, i);
        const std::int64_t seen = keys_seen.count(), first = s.key_begin + keys_seen.begin;
        score(k, a.q.floats() + query * a.q.stride + h * a.d_k,
              a.k.floats() + first * a.k.stride + h * a.d_k, h, seen, p);
        Floats top = splat(-INFINITY), mass = {};
        columns(seen, [&](std::int64_t c, auto w) {
          top = max(top, fill_after(load(p + c, w), w, -INFINITY));
        });
        const float peak = largest(top);
        columns(seen, [&](std::int64_t c, auto w) {
          const Floats e = fill_after(vec::exp(load(p + c, w) - peak), w, 0);
          store(p + c, e, w);
          mass += e;
        });
        const float total = sum(mass), inverse = 1 / total;
        if (a.log_sums) a.log_sums[query * a.heads + h] = peak + std::log(total);
        columns(seen, [&](std::int64_t c, auto w) { store(p + c, load(p + c, w) * inverse, w); });
        if (weights) {
          float* to = weights + (h * queries + i) * keys;
          std::fill(to, to + keys, 0.0f);
          std::copy(p, p + seen, to + keys_seen.begin);
        }
        const float* m = factors(a, query, h, keys_seen);
        columns(seen,
                [&](std::int64_t c, auto w) { store(p + c, load(p + c, w) * load(m + c, w), w); });
        float* out = a.out.floats() + (query * a.heads + h) * a.d_v;
        const float* v = a.v.floats() + first * a.v.stride + h * a.d_v;
        columns(a.d_v, [&](std::int64_t c, auto w) {
          Floats x = {};
          for (std::int64_t j = 0; j < seen; ++j)
            x = multiply_add(splat(p[j]), load(v + j * a.v.stride + c, w), x);
          store(out + c, x, w);
        });
      }
    if (weights) weights += a.heads * queries * keys;
  }
}

// With t = tanh(q + k), P the weights and M the factors of dropout:
//   d_S = P (M (d_O . v) - d_O . O),  d_w = sum d_S t,  d_q = sum over keys of d_S w (1 - t^2), d_k
//   the same over queries, d_v = sum P M d_O.
void CpuBackend::additive_attention_backward(const AdditiveAttentionBackward& b) const {
  const Attention& a = b.rest.forward;
  const AdditiveAttention forward{a, b.w};
  const auto clear = [](bool keep, std::int64_t rows, std::int64_t n, std::int64_t ld, float* x) {
    for (std::int64_t r = 0; !keep && r < rows; ++r) std::fill(x + r * ld, x + r * ld + n, 0.0f);
  };
  const std::int64_t wide_k = a.heads * a.d_k, wide_v = a.heads * a.d_v;
  clear(b.accumulate_w, 1, wide_k, wide_k, b.d_w);
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count))) {
    const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin;
    clear(b.rest.accumulate_q, queries, wide_k, a.q.stride,
          b.rest.d_q.floats() + s.query_begin * a.q.stride);
    clear(b.rest.accumulate_k, keys, wide_k, a.k.stride,
          b.rest.d_k.floats() + s.key_begin * a.k.stride);
    clear(b.rest.accumulate_v, keys, wide_v, a.v.stride,
          b.rest.d_v.floats() + s.key_begin * a.v.stride);
    float *p = scratch(0, padded(keys)), *d_s = scratch(1, padded(keys));
    for (int h = 0; h < a.heads; ++h)
      for (std::int64_t i = 0; i < queries; ++i) {
        const std::int64_t query = s.query_begin + i;
        const SeenKeys keys_seen = seen_keys(a, s, i);
        const std::int64_t seen = keys_seen.count(), first = s.key_begin + keys_seen.begin;
        const float *q = a.q.floats() + query * a.q.stride + h * a.d_k,
                    *d_o = b.rest.d_out.floats() + (query * a.heads + h) * a.d_v;
        const float *k = a.k.floats() + first * a.k.stride + h * a.d_k,
                    *v = a.v.floats() + first * a.v.stride + h * a.d_v;
        float *d_q = b.rest.d_q.floats() + query * a.q.stride + h * a.d_k,
              *d_k = b.rest.d_k.floats() + first * a.k.stride + h * a.d_k;
        float* d_v = b.rest.d_v.floats() + first * a.v.stride + h * a.d_v;
        score(forward, q, k, h, seen, p);
        const auto dot = [&](const float* x) {
          Floats total = {};
          columns(a.d_v, [&](std::int64_t c, auto w) {
            total = multiply_add(load(d_o + c, w), load(x + c, w), total);
          });
          return sum(total);
        };
        for (std::int64_t j = 0; j < seen; ++j) d_s[j] = dot(v + j * a.v.stride);
        const float delta = dot(a.out.floats() + (query * a.heads + h) * a.d_v),
                    log_sum = a.log_sums[query * a.heads + h];
        const float* m = factors(a, query, h, keys_seen);
        columns(seen, [&](std::int64_t c, auto w) {
          const Floats weight = vec::exp(load(p + c, w) - log_sum), factor = load(m + c, w);
          store(d_s + c, weight * (factor * load(d_s + c, w) - delta), w);
          store(p + c, weight * factor, w);
        });
        for (std::int64_t j = 0; j < seen; ++j) {
          const Floats weight = splat(p[j]), slope = splat(d_s[j]);
          columns(a.d_v, [&](std::int64_t c, auto w) {
            float* to = d_v + j * a.v.stride + c;
            store(to, multiply_add(weight, load(d_o + c, w), load(to, w)), w);
          });
          columns(a.d_k, [&](std::int64_t c, auto w) {
            const auto [t, slope_t] =
                tanh_and_slope(load(q + c, w) + load(k + j * a.k.stride + c, w));
            const Floats g = slope * load(b.w + h * a.d_k + c, w) * slope_t;
            float *to_w = b.d_w + h * a.d_k + c, *to_k = d_k + j * a.k.stride + c;
            store(to_w, multiply_add(slope, t, load(to_w, w)), w);
            store(d_q + c, load(d_q + c, w) + g, w);
            store(to_k, load(to_k, w) + g, w);
          });
        }
      }
  }
}

}  // namespace tt
