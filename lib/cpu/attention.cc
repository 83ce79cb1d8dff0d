// Scaled dot-product attention (section 3.2.1) on packed rows, per sentence and head.
//
// All products are small: a block of up to four rows against keys or dimensions in tiles of 16
// columns, kept in registers (tile_product). Scores of four queries are in memory at a time, so the
// forward pass needs no [S, T] matrix; the backward pass recomputes the weights of a stretch of
// queries from the log-sum-exp of each row, and adds up what the stretches give to keys and values.
// The result for a row does not depend on its block. Where a query does not see all keys, the
// products of a block start at the first key that one of its rows sees, rounded down to a vector,
// and end at the last; keys that a row does not see get a weight of zero.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cpu/seen_keys.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

namespace {

constexpr std::int64_t kRows = 4;
constexpr std::int64_t kStretch = 128;  // queries whose weights are in memory at a time, backward

std::int64_t padded(std::int64_t n) { return (n + 15) / 16 * 16; }
// The distance between rows of n numbers: whole vectors, and no multiple of a KiB, at which rows
// would share a few lines of the cache.
std::int64_t spaced(std::int64_t n) { return padded(n) % 256 == 0 ? padded(n) + 16 : padded(n); }

// Buffers of one thread, reused across calls.
struct Scratch {
  std::vector<float> keys, values, scores, weights, gradients, biases;
  std::vector<const float*> cached;
  float* of(std::vector<float>& buffer, std::int64_t size) {
    if (static_cast<std::int64_t>(buffer.size()) < size)
      buffer.resize(static_cast<std::size_t>(size));
    return buffer.data();
  }
};

Scratch& scratch() {
  static thread_local Scratch mine;
  return mine;
}

// C[i, j] = (add ? C[i, j] : 0) + sum over p < depth of A[i, p] B[p, j] for i < Rows and one or two
// vectors of columns; element (i, p) of A is a[i * row_stride + p * step].
template <int Rows, int Vectors, class Width>
inline void tile(std::int64_t depth, const float* a, std::int64_t row_stride, std::int64_t step,
                 const float* b, std::int64_t ldb, float* c, std::int64_t ldc, bool add,
                 Width width) {
  F8 sums[Rows][Vectors] = {};
  for (std::int64_t p = 0; p < depth; ++p, a += step, b += ldb) {
    F8 row[Vectors];
    for (int u = 0; u < Vectors; ++u) row[u] = load(b + u * kWidth, width);
    for (int i = 0; i < Rows; ++i) {
      const F8 x = splat(a[i * row_stride]);
      for (int u = 0; u < Vectors; ++u) sums[i][u] = multiply_add(x, row[u], sums[i][u]);
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int u = 0; u < Vectors; ++u) {
      float* to = c + i * ldc + u * kWidth;
      store(to, add ? load(to, width) + sums[i][u] : sums[i][u], width);
    }
}

template <int Rows>
void tile_rows(std::int64_t columns, std::int64_t depth, const float* a, std::int64_t row_stride,
               std::int64_t step, const float* b, std::int64_t ldb, float* c, std::int64_t ldc,
               bool add = false) {
  std::int64_t j = 0;
  for (; j + 16 <= columns; j += 16)
    tile<Rows, 2>(depth, a, row_stride, step, b + j, ldb, c + j, ldc, add, Full{});
  for (; j + 8 <= columns; j += 8)
    tile<Rows, 1>(depth, a, row_stride, step, b + j, ldb, c + j, ldc, add, Full{});
  if (j < columns)
    tile<Rows, 1>(depth, a, row_stride, step, b + j, ldb, c + j, ldc, add, Part{columns - j});
}

void tile_product(std::int64_t rows, std::int64_t columns, std::int64_t depth, const float* a,
                  std::int64_t row_stride, std::int64_t step, const float* b, std::int64_t ldb,
                  float* c, std::int64_t ldc, bool add = false) {
  switch (rows) {
    case 4: return tile_rows<4>(columns, depth, a, row_stride, step, b, ldb, c, ldc, add);
    case 3: return tile_rows<3>(columns, depth, a, row_stride, step, b, ldb, c, ldc, add);
    case 2: return tile_rows<2>(columns, depth, a, row_stride, step, b, ldb, c, ldc, add);
    default: return tile_rows<1>(columns, depth, a, row_stride, step, b, ldb, c, ldc, add);
  }
}

// to [8, 8] = from [rows, 8] transposed; zeros where rows are missing.
void transpose_8(std::int64_t rows, const float* from, std::int64_t ld, float* to,
                 std::int64_t ldt) {
  F8 r[8], s[8];
  for (int i = 0; i < 8; ++i) r[i] = i < rows ? load(from + i * ld) : F8{};
  for (int i = 0; i < 8; i += 2) {
    s[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    s[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; ++j) {
      r[i + j] = __builtin_shufflevector(s[i + j], s[i + 2 + j], 0, 1, 8, 9, 4, 5, 12, 13);
      r[i + 2 + j] = __builtin_shufflevector(s[i + j], s[i + 2 + j], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    store(to + i * ldt, __builtin_shufflevector(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
    store(to + (i + 4) * ldt, __builtin_shufflevector(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}

// to [d, spaced(n)] = from [n, d] transposed; the padding is zero.
void transpose(std::int64_t n, std::int64_t d, const float* from, std::int64_t ld, float* to) {
  const std::int64_t ldt = spaced(n), d8 = d / 8 * 8;
  for (std::int64_t i = 0; i < n; i += 8)
    for (std::int64_t j = 0; j < d8; j += 8)
      transpose_8(std::min<std::int64_t>(8, n - i), from + i * ld + j, ld, to + j * ldt + i, ldt);
  for (std::int64_t j = 0; j < d; ++j) {
    for (std::int64_t i = j < d8 ? n : 0; i < n; ++i) to[j * ldt + i] = from[i * ld + j];
    for (std::int64_t i = j < d8 ? (n + 7) / 8 * 8 : n; i < ldt; ++i) to[j * ldt + i] = 0;
  }
}

// Loads rows into the cache that will be read soon: those of a head lie far apart, which the
// processor does not foresee.
void prefetch(std::int64_t rows, std::int64_t columns, const float* from, std::int64_t ld) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t c = 0; c < columns; c += 16) __builtin_prefetch(from + i * ld + c, 0, 2);
}

std::uint64_t weight_element(const Attention& a, std::int64_t query, int head) {
  return (static_cast<std::uint64_t>(query) * static_cast<std::uint64_t>(a.heads) +
          static_cast<std::uint64_t>(head))
         << 16;
}

// Calls f(key, Full or Part, first) for the vectors of keys that hold those that a row sees; lanes
// before `first` it does not see.
template <class F>
void seen_columns(const SeenKeys& seen, F&& f) {
  const std::int64_t from = seen.vector();
  columns(seen.end - from,
          [&](std::int64_t c, auto w) { f(from + c, w, c == 0 ? seen.begin - from : 0); });
}

// A head's bias for each distance in a segment, from 1 - queries to keys - 1; the place of distance
// 0 is returned, and null if there is no bias. A vector may be read from each place.
const float* biases_of(const DistanceBias& bias, int head, std::int64_t queries, std::int64_t keys,
                       Scratch& my) {
  if (!bias.table) return nullptr;
  float* const zero = my.of(my.biases, queries + keys + kWidth) + queries;
  for (std::int64_t d = 1 - queries; d < keys; ++d) zero[d] = bias.table[bias.element(head, d)];
  std::fill_n(zero + keys, kWidth, 0.0f);
  return zero;
}

// The weights of keys that a row sees times the factors of dropout. What stands before them, from a
// multiple of 64 on, may change.
void drop_weights(const Dropout& dropout, std::uint64_t element, const SeenKeys& seen,
                  const float* weights, float* dropped) {
  const std::int64_t from = seen.begin / 64 * 64;
  DropoutRow<true> mask(dropout, element + static_cast<std::uint64_t>(from));
  columns(seen.end - from, [&](std::int64_t c, auto w) {
    const F8 factors = mask.factor(c);
    if (from + c + kWidth > seen.begin)
      store(dropped + from + c, load(weights + from + c, w) * factors, w);
  });
}

}  // namespace

void CpuBackend::attention(const Attention& a) const {
  TT_CHECK(a.q.type == ElementType::float32);
  float *out = a.out.floats(), *log_sums = a.log_sums, *weights = a.weights;
  Scratch& my = scratch();
  const std::int64_t ldo = a.heads * a.d_v;
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count))) {
    const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin,
                       ld = spaced(keys);
    float* kt = my.of(my.keys, a.d_k * ld);
    float* scores = my.of(my.scores, kRows * ld);
    for (int h = 0; h < a.heads; ++h) {
      const float* const bias = biases_of(a.bias, h, queries, keys, my);
      transpose(keys, a.d_k, a.k.floats() + s.key_begin * a.k.stride + h * a.d_k, a.k.stride, kt);
      const float* values = a.v.floats() + s.key_begin * a.v.stride + h * a.d_v;
      const bool last = h + 1 == a.heads, more = !last || &s < a.segments.at + a.segments.count - 1;
      if (more) {
        const Segment& t = last ? *(&s + 1) : s;
        const int next = last ? 0 : h + 1;
        prefetch(t.key_end - t.key_begin, a.d_k,
                 a.k.floats() + t.key_begin * a.k.stride + next * a.d_k, a.k.stride);
        prefetch(t.key_end - t.key_begin, a.d_v,
                 a.v.floats() + t.key_begin * a.v.stride + next * a.d_v, a.v.stride);
      }
      for (std::int64_t i = 0; i < queries; i += kRows) {
        const std::int64_t rows = std::min(kRows, queries - i), first = s.query_begin + i;
        const std::int64_t from = seen_keys(a, s, i).vector(),
                           reach = seen_keys(a, s, i + rows - 1).end;
        tile_product(rows, padded(reach) - from, a.d_k,
                     a.q.floats() + first * a.q.stride + h * a.d_k, a.q.stride, 1, kt + from, ld,
                     scores + from, ld);
        for (std::int64_t r = 0; r < rows; ++r) {
          float* row = scores + r * ld;
          const SeenKeys seen = seen_keys(a, s, i + r);
          F8 top = splat(-INFINITY), mass = {};
          seen_columns(seen, [&](std::int64_t c, auto w, std::int64_t begin) {
            F8 score = load(row + c) * a.scale;
            if (bias) score += load(bias + c - (i + r));
            const F8 x = fill_before(fill_after(score, w, -INFINITY), begin, -INFINITY);
            store(row + c, x);
            top = max(top, x);
          });
          const float peak = largest(top);
          seen_columns(seen, [&](std::int64_t c, auto, std::int64_t) {
            const F8 e = vec::exp(load(row + c) - peak);
            store(row + c, e);
            mass += e;
          });
          const float total = sum(mass), inverse = 1 / total;
          if (log_sums) log_sums[(first + r) * a.heads + h] = peak + std::log(total);
          seen_columns(seen, [&](std::int64_t c, auto, std::int64_t) {
            store(row + c, load(row + c) * inverse);
          });
          if (weights) {
            float* to = weights + (h * queries + i + r) * keys;
            std::fill(to, to + seen.begin, 0.0f);
            std::copy(row + seen.begin, row + seen.end, to + seen.begin);
            std::fill(to + seen.end, to + keys, 0.0f);
          }
          if (a.dropout.rate > 0)
            drop_weights(a.dropout, weight_element(a, first + r, h), seen, row, row);
          for (std::int64_t c = from; c < seen.vector(); ++c) row[c] = 0;
          for (std::int64_t c = seen.end; c < reach; ++c) row[c] = 0;
        }
        tile_product(rows, a.d_v, reach - from, scores + from, ld, 1, values + from * a.v.stride,
                     a.v.stride, out + first * ldo + h * a.d_v, ldo);
      }
    }
    if (weights) weights += a.heads * queries * keys;
  }
}

// With P the weights, M the factors of dropout and O = (P M) V:
//   d_V = (P M)^T d_O,  d_S = scale P (M (d_O V^T) - d_O . O),  d_Q = d_S K,  d_K = d_S^T Q,
// and d_S / scale is what a bias of the scores gets.
void CpuBackend::attention_backward(const AttentionBackward& b) const {
  const Attention& a = b.forward;
  const float *out = a.out.floats(), *log_sums = a.log_sums, *d_out = b.d_out.floats();
  Scratch& my = scratch();
  const std::int64_t ldo = a.heads * a.d_v;
  const bool drop = a.dropout.rate > 0,
             shared = b.d_q.at == b.d_k.at || b.d_q.at == b.d_v.at || b.d_k.at == b.d_v.at;
  TT_CHECK(!shared || (b.accumulate_q && b.accumulate_k && b.accumulate_v));
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count))) {
    const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin,
                       ld = spaced(keys);
    float *kt = my.of(my.keys, a.d_k * ld), *vt = my.of(my.values, a.d_v * ld);
    const std::int64_t most = std::min(queries, kStretch);
    float *p = my.of(my.weights, most * ld), *ds = my.of(my.gradients, most * ld),
          *factors = my.of(my.scores, ld);
    for (int h = 0; h < a.heads; ++h) {
      const float* const bias = biases_of(a.bias, h, queries, keys, my);
      const float* q = a.q.floats() + s.query_begin * a.q.stride + h * a.d_k;
      const float* k = a.k.floats() + s.key_begin * a.k.stride + h * a.d_k;
      const float* d_o = d_out + s.query_begin * ldo + h * a.d_v;
      transpose(keys, a.d_k, k, a.k.stride, kt);
      transpose(keys, a.d_v, a.v.floats() + s.key_begin * a.v.stride + h * a.d_v, a.v.stride, vt);
      std::int64_t begin = 0;
      do {
        const std::int64_t end = std::min(queries, begin + kStretch);
        for (std::int64_t i = begin; i < end; i += kRows) {
          const std::int64_t rows = std::min(kRows, end - i), from = seen_keys(a, s, i).vector();
          const std::int64_t reach = seen_keys(a, s, i + rows - 1).end, wide = padded(reach) - from,
                             at = (i - begin) * ld + from;
          tile_product(rows, wide, a.d_k, q + i * a.q.stride, a.q.stride, 1, kt + from, ld, p + at,
                       ld);
          tile_product(rows, wide, a.d_v, d_o + i * ldo, ldo, 1, vt + from, ld, ds + at, ld);
          for (std::int64_t r = i; r < i + rows; ++r) {
            const std::int64_t query = s.query_begin + r;
            const SeenKeys seen = seen_keys(a, s, r);
            const float log_sum = log_sums[query * a.heads + h];
            F8 products = {};
            columns(a.d_v, [&](std::int64_t c, auto w) {
              products = multiply_add(load(d_o + r * ldo + c, w),
                                      load(out + query * ldo + h * a.d_v + c, w), products);
            });
            const float delta = sum(products);
            float *pr = p + (r - begin) * ld, *dsr = ds + (r - begin) * ld;
            if (drop) {
              std::fill(factors + seen.begin / 64 * 64, factors + padded(seen.end), 1.0f);
              drop_weights(a.dropout, weight_element(a, query, h), seen, factors, factors);
            }
            seen_columns(seen, [&](std::int64_t c, auto w, std::int64_t first) {
              F8 score = load(pr + c) * a.scale;
              if (bias) score += load(bias + c - r);
              const F8 weight = fill_before(fill_after(vec::exp(score - log_sum), w, 0), first, 0),
                       m = drop ? load(factors + c) : splat(1);
              store(dsr + c, a.scale * weight * (m * load(dsr + c) - delta));
              store(pr + c, weight * m);
            });
            for (std::int64_t c = from; c < seen.vector(); ++c) pr[c] = dsr[c] = 0;
            for (std::int64_t c = seen.end; c < padded(reach); ++c) pr[c] = dsr[c] = 0;
            if (bias) {
              float* const sums = b.d_bias + query * a.heads * a.bias.count;
              std::fill_n(sums + h * a.bias.count, a.bias.count, 0.0f);
              for (std::int64_t c = seen.begin; c < seen.end; ++c)
                sums[a.bias.element(h, c - r)] += dsr[c] / a.scale;
            }
          }
          tile_product(rows, a.d_k, reach - from, ds + at, ld, 1, k + from * a.k.stride, a.k.stride,
                       b.d_q.floats() + (s.query_begin + i) * a.q.stride + h * a.d_k, a.q.stride,
                       b.accumulate_q);
        }
        // The queries that see one of the keys from j on. Others' stretch of p and ds may be unset;
        // theirs is set for all four keys, since both blocks and vectors begin at multiples of
        // four.
        for (std::int64_t j = 0; j < keys; j += kRows) {
          const std::int64_t rows = std::min(kRows, keys - j), window = a.segments.window;
          const std::int64_t first = a.causal     ? j
                                     : window > 0 ? std::max<std::int64_t>(j - window, 0)
                                                  : 0;
          const std::int64_t from = std::clamp(first, begin, end);
          const std::int64_t depth =
              (window > 0 ? std::clamp(j + rows + window, from, end) : end) - from;
          if (depth == 0 && begin > 0) continue;
          tile_product(rows, a.d_k, depth, ds + (from - begin) * ld + j, 1, ld,
                       q + from * a.q.stride, a.q.stride,
                       b.d_k.floats() + (s.key_begin + j) * a.k.stride + h * a.d_k, a.k.stride,
                       b.accumulate_k || begin > 0);
          tile_product(rows, a.d_v, depth, p + (from - begin) * ld + j, 1, ld, d_o + from * ldo,
                       ldo, b.d_v.floats() + (s.key_begin + j) * a.v.stride + h * a.d_v, a.v.stride,
                       b.accumulate_v || begin > 0);
        }
        begin = end;
      } while (begin < queries);
    }
  }
}

namespace {

// scores[t] of the query q for `Keys` keys.
template <int Keys>
void scores_of(const CachedAttention& a, const float* q, const float* w, const float* const* keys,
               std::int64_t column, float* scores) {
  F8 totals[Keys] = {};
  columns(a.d_k, [&](std::int64_t c, auto width) {
    const F8 query = load(q + c, width);
    for (int i = 0; i < Keys; ++i) {
      const F8 key = load(keys[i] + column + c, width);
      // lanes past the end add w = 0
      totals[i] = w ? totals[i] + load(w + c, width) * vec::tanh(query + key)
                    : multiply_add(query, key, totals[i]);
    }
  });
  for (int i = 0; i < Keys; ++i) scores[i] = w ? sum(totals[i]) : sum(totals[i]) * a.scale;
}

// to[Vectors vectors of columns] = the sum of `weights` times values.
template <int Vectors, class Width = Full>
void weigh(std::int64_t steps, const float* weights, F8 inverse, const float* const* cached,
           std::int64_t column, float* to, Width width = {}) {
  F8 totals[Vectors] = {};
  for (std::int64_t t = 0; t < steps; ++t) {
    const float* v = cached[t] + column;
    for (int u = 0; u < Vectors; ++u)
      totals[u] = multiply_add(splat(weights[t]), load(v + u * kWidth, width), totals[u]);
  }
  for (int u = 0; u < Vectors; ++u) store(to + u * kWidth, totals[u] * inverse, width);
}

}  // namespace

// One query: keys are rows of different blocks, so each score is a dot product over the head's
// dimensions. A few rows are read from their beginning to their end, for all heads.
void CpuBackend::cached_attention(const CachedAttention& a) const {
  Scratch& my = scratch();
  const std::int64_t ld = padded(a.steps);
  float* const all_scores = my.of(my.scores, a.heads * ld);
  my.cached.resize(static_cast<std::size_t>(a.steps));
  const float** const cached = my.cached.data();
  for (std::int64_t r = 0; r < a.rows; ++r) {
    for (std::int64_t t = 0; t < a.steps; ++t)
      cached[t] = a.blocks[t] + a.slots[r * a.ld_slots + t] * a.ld;
    for (std::int64_t t = 0; t < a.steps;) {
      const bool four = t + 4 <= a.steps;
      for (int h = 0; h < a.heads; ++h) {
        const float *q = a.q + r * a.ldq + h * a.d_k,
                    *w = a.additive ? a.additive + h * a.d_k : nullptr;
        if (four) scores_of<4>(a, q, w, cached + t, h * a.d_k, all_scores + h * ld + t);
        else scores_of<1>(a, q, w, cached + t, h * a.d_k, all_scores + h * ld + t);
      }
      t += four ? 4 : 1;
    }
    for (int h = 0; h < a.heads; ++h) {
      float* scores = all_scores + h * ld;
      F8 top = splat(-INFINITY), mass = {};
      for (std::int64_t t = 0; a.bias.table && t < a.steps; ++t)
        scores[t] += a.bias.table[a.bias.element(h, t + 1 - a.steps)];
      columns(a.steps, [&](std::int64_t c, auto w) {
        top = max(top, fill_after(load(scores + c), w, -INFINITY));
      });
      const float peak = largest(top);
      columns(a.steps, [&](std::int64_t c, auto w) {
        const F8 e = fill_after(vec::exp(load(scores + c) - peak), w, 0);
        store(scores + c, e);
        mass += e;
      });
      const F8 inverse = splat(1 / sum(mass));
      float* to = a.out + (r * a.heads + h) * a.d_v;
      const std::int64_t column = a.value_column + h * a.d_v;
      std::int64_t c = 0;
      for (; c + 64 <= a.d_v; c += 64)
        weigh<8>(a.steps, scores, inverse, cached, column + c, to + c);
      for (; c + 32 <= a.d_v; c += 32)
        weigh<4>(a.steps, scores, inverse, cached, column + c, to + c);
      columns(a.d_v - c, [&](std::int64_t rest, auto w) {
        weigh<1>(a.steps, scores, inverse, cached, column + c + rest, to + c + rest, w);
      });
    }
  }
}

}  // namespace tt
