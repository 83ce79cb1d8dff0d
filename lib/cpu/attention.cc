// Scaled dot-product attention (section 3.2.1) on packed rows, per sentence and head.
//
// All products are small: a block of up to kRows rows against keys or dimensions in tiles of two
// vectors, kept in registers (tile_product). Scores of a block of queries are in memory at a time,
// so the forward pass needs no [S, T] matrix; the backward pass recomputes the weights of a stretch
// of queries from the log-sum-exp of each row, and adds up what the stretches give to keys and
// values. The result for a row does not depend on its block. Where a query does not see all keys,
// the products of a block start at the first key that one of its rows sees, rounded down to a
// vector, and end at the last; keys that a row does not see get a weight of zero.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cpu/seen_keys.h"
#include "cpu/transpose.h"

namespace tt {

using namespace vec;

namespace {

constexpr std::int64_t kRows = kWidth / 2;  // with two vectors each they are half of the registers
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

// Operands of small products C = A B. Element (i, p) of A is at[i * row + p * step]; those of B and
// C lie in rows. They are passed by reference: a copy on the stack is written in two halves and
// read as a whole, for which processors wait.
struct Left {
  const float* at;
  std::int64_t row, step;
};
struct Right {
  const float* at;
  std::int64_t ld;
};
struct Sums {
  float* at;
  std::int64_t ld;
  bool add = false;  // to what is there
};

// C[i, j] for i < Rows and one or two vectors of columns, of sums of `depth` terms.
template <int Rows, int Vectors, class Width>
inline void tile(std::int64_t depth, const Left& a, const Right& b, const Sums& c, Width width) {
  Floats sums[Rows][Vectors] = {};
  const float *x_at = a.at, *row_at = b.at;
  for (std::int64_t p = 0; p < depth; ++p, x_at += a.step, row_at += b.ld) {
    Floats row[Vectors];
    for (int u = 0; u < Vectors; ++u) row[u] = load(row_at + u * kWidth, width);
    for (int i = 0; i < Rows; ++i) {
      const Floats x = splat(x_at[i * a.row]);
      for (int u = 0; u < Vectors; ++u) sums[i][u] = multiply_add(x, row[u], sums[i][u]);
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int u = 0; u < Vectors; ++u) {
      float* to = c.at + i * c.ld + u * kWidth;
      store(to, c.add ? load(to, width) + sums[i][u] : sums[i][u], width);
    }
}

// C [rows, columns], of at most Rows rows.
template <int Rows = kRows>
void tile_product(std::int64_t rows, std::int64_t columns, std::int64_t depth, const Left& a,
                  const Right& b, const Sums& c) {
  if constexpr (Rows > 1) {
    if (rows < Rows) return tile_product<Rows - 1>(rows, columns, depth, a, b, c);
  }
  std::int64_t j = 0;
  const auto right = [&] { return Right{b.at + j, b.ld}; };
  const auto sums = [&] { return Sums{c.at + j, c.ld, c.add}; };
  for (; j + 2 * kWidth <= columns; j += 2 * kWidth)
    tile<Rows, 2>(depth, a, right(), sums(), Full{});
  for (; j + kWidth <= columns; j += kWidth) tile<Rows, 1>(depth, a, right(), sums(), Full{});
  if (j < columns) tile<Rows, 1>(depth, a, right(), sums(), Tail{columns - j});
}

// to [d, spaced(n)] = from [n, d] transposed; the padding is zero.
void transpose(std::int64_t n, std::int64_t d, const float* from, std::int64_t ld, float* to) {
  const std::int64_t ldt = spaced(n), d4 = d / 4 * 4, wide = (n + kWidth - 1) / kWidth * kWidth;
  for (std::int64_t i = 0; i < n; i += kWidth)
    for (std::int64_t j = 0; j < d4; j += 4)
      transpose_4(n - i, from + i * ld + j, ld, to + j * ldt + i, ldt);
  for (std::int64_t j = 0; j < d; ++j) {
    for (std::int64_t i = j < d4 ? n : 0; i < n; ++i) to[j * ldt + i] = from[i * ld + j];
    for (std::int64_t i = j < d4 ? wide : n; i < ldt; ++i) to[j * ldt + i] = 0;
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

// Calls f(key, Full or Tail, first) for the vectors of keys that hold those that a row sees; lanes
// before `first` it does not see.
template <class F>
void seen_columns(const SeenKeys& seen, F&& f) {
  const std::int64_t from = seen.vector();
  columns(seen.end - from,
          [&](std::int64_t c, auto w) { f(from + c, w, c == 0 ? seen.begin - from : 0); });
}

// Zeros among columns [from, to) of a row, but for the vectors that hold what it sees. All of these
// are whole vectors.
void zero_unseen(const SeenKeys& seen, std::int64_t from, std::int64_t to, float* row) {
  for (std::int64_t c = from; c < std::min(seen.vector(), to); c += kWidth)
    store(row + c, Floats{});
  for (std::int64_t c = seen.vector_end(); c < to; c += kWidth) store(row + c, Floats{});
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

// The factors of dropout on the weights of rows of keys [begin, end), and of some around them.
void dropout_factors(const Attention& a, std::int64_t query, int head, std::int64_t rows,
                     std::int64_t begin, std::int64_t end, float* to, std::int64_t ld) {
  const DropoutFactors factors(a.dropout);
  for (std::int64_t r = 0; r < rows; r += kGroups)
    for (std::int64_t c = begin / 64 * 64; c < end; c += 64) {
      std::uint64_t groups[kGroups];
      for (int g = 0; g < kGroups; ++g)
        groups[g] = (weight_element(a, query + r + g, head) + static_cast<std::uint64_t>(c)) / 64;
      const Groups bits = random_groups(a.dropout, groups);
      for (int g = 0; g < kGroups && r + g < rows; ++g)
        for (std::int64_t i = 0; i < 64 && c + i < end; i += kWidth)
          store(to + (r + g) * ld + c + i, factors.of(bits, g, i));
    }
}

// Rows of scores, from query i of a segment on.
struct Scores {
  std::int64_t i, rows;
  float* at;
  std::int64_t ld;
};

// Makes weights of products of queries and keys: the softmax over the keys that a query sees.
// `bias`, if any, is of distance 0. Sets the logarithms of the sums. Each step is done for all
// rows, so that none waits for the one before.
void softmax(const Attention& a, const Segment& s, const Scores& of, const float* bias,
             float (&log_sums)[kRows]) {
  float peaks[kRows], totals[kRows];
  const auto each = [&](auto&& f) {
    for (std::int64_t r = 0; r < of.rows; ++r) f(r, seen_keys(a, s, of.i + r), of.at + r * of.ld);
  };
  each([&](std::int64_t r, const SeenKeys& seen, float* row) {
    Floats top = splat(-INFINITY);
    seen_columns(seen, [&](std::int64_t c, auto w, std::int64_t begin) {
      Floats score = load(row + c) * a.scale;
      if (bias) score += load(bias + c - (of.i + r));
      const Floats x = fill_before(fill_after(score, w, -INFINITY), begin, -INFINITY);
      store(row + c, x);
      top = max(top, x);
    });
    peaks[r] = largest(top);
  });
  each([&](std::int64_t r, const SeenKeys& seen, float* row) {
    Floats mass = {};
    seen_columns(seen, [&](std::int64_t c, auto, std::int64_t) {
      const Floats e = vec::exp(load(row + c) - peaks[r]);
      store(row + c, e);
      mass += e;
    });
    totals[r] = sum(mass);
  });
  each([&](std::int64_t r, const SeenKeys& seen, float* row) {
    const float inverse = 1 / totals[r];
    seen_columns(
        seen, [&](std::int64_t c, auto, std::int64_t) { store(row + c, load(row + c) * inverse); });
    if (a.log_sums) log_sums[r] = peaks[r] + std::log(totals[r]);
  });
}

// With P the weights, M the factors of dropout and O = (P M) V:
//   d_V = (P M)^T d_O,  d_S = scale P (M (d_O V^T) - d_O . O),  d_Q = d_S K,  d_K = d_S^T Q,
// and d_S / scale is what a bias of the scores gets.
// Of one head and segment, a stretch of queries after the other.
class BackwardHead {
 public:
  BackwardHead(const AttentionBackward& b, const Segment& s, int h, Scratch& my)
      : b_(b), a_(b.forward), s_(s), h_(h), queries_(s.query_end - s.query_begin),
        keys_(s.key_end - s.key_begin), ld_(spaced(keys_)), ldo_(a_.heads * a_.d_v),
        q_(a_.q.floats() + s.query_begin * a_.q.stride + h * a_.d_k),
        k_(a_.k.floats() + s.key_begin * a_.k.stride + h * a_.d_k),
        d_o_(b.d_out.floats() + s.query_begin * ldo_ + h * a_.d_v),
        kt_(my.of(my.keys, a_.d_k * ld_)), vt_(my.of(my.values, a_.d_v * ld_)),
        p_(my.of(my.weights, std::min(queries_, kStretch) * ld_)),
        ds_(my.of(my.gradients, std::min(queries_, kStretch) * ld_)),
        factors_(my.of(my.scores, kRows * ld_)), bias_(biases_of(a_.bias, h, queries_, keys_, my)) {
  }

  void run() {
    transpose(keys_, a_.d_k, k_, a_.k.stride, kt_);
    transpose(keys_, a_.d_v, a_.v.floats() + s_.key_begin * a_.v.stride + h_ * a_.d_v, a_.v.stride,
              vt_);
    std::int64_t begin = 0;
    do {
      const std::int64_t end = std::min(queries_, begin + kStretch);
      for (std::int64_t i = begin; i < end; i += kRows)
        query_rows(begin, i, std::min(kRows, end - i));
      for (std::int64_t j = 0; j < keys_; j += kRows)
        key_rows(begin, end, j, std::min(kRows, keys_ - j));
      begin = end;
    } while (begin < queries_);
  }

 private:
  // P M and d_S of the queries from i on, in a stretch that begins at `begin`, and their d_Q.
  void query_rows(std::int64_t begin, std::int64_t i, std::int64_t rows) {
    const std::int64_t from = seen_keys(a_, s_, i).vector(),
                       reach = seen_keys(a_, s_, i + rows - 1).end, wide = padded(reach) - from,
                       at = (i - begin) * ld_ + from;
    tile_product(rows, wide, a_.d_k, {q_ + i * a_.q.stride, a_.q.stride, 1}, {kt_ + from, ld_},
                 {p_ + at, ld_});
    tile_product(rows, wide, a_.d_v, {d_o_ + i * ldo_, ldo_, 1}, {vt_ + from, ld_},
                 {ds_ + at, ld_});
    for (std::int64_t r = i; r < i + rows; ++r) {
      float *pr = p_ + (r - begin) * ld_, *dsr = ds_ + (r - begin) * ld_;
      const SeenKeys seen = seen_keys(a_, s_, r);
      if (a_.dropout.rate > 0 && (r - i) % kGroups == 0) {
        const std::int64_t few = std::min<std::int64_t>(kGroups, i + rows - r);
        dropout_factors(a_, s_.query_begin + r, h_, few, seen.begin,
                        seen_keys(a_, s_, r + few - 1).end, factors_ + (r - i) * ld_, ld_);
      }
      weight_row(r, seen, pr, dsr, factors_ + (r - i) * ld_);
      for (float* row : {pr, dsr}) zero_unseen(seen, from, padded(reach), row);
      if (bias_) bias_row(r, seen, dsr);
    }
    tile_product(rows, a_.d_k, reach - from, {ds_ + at, ld_, 1},
                 {k_ + from * a_.k.stride, a_.k.stride},
                 {b_.d_q.floats() + (s_.query_begin + i) * a_.q.stride + h_ * a_.d_k, a_.q.stride,
                  b_.accumulate_q});
  }

  // Makes P M of Q K^T, and d_S of d_O V^T, in one row. `factors`: M, where there is dropout.
  void weight_row(std::int64_t r, const SeenKeys& seen, float* pr, float* dsr,
                  const float* factors) {
    const std::int64_t query = s_.query_begin + r;
    const float log_sum = a_.log_sums[query * a_.heads + h_];
    const float* out = a_.out.floats() + query * ldo_ + h_ * a_.d_v;
    Floats products = {};
    columns(a_.d_v, [&](std::int64_t c, auto w) {
      products = multiply_add(load(d_o_ + r * ldo_ + c, w), load(out + c, w), products);
    });
    const float delta = sum(products);
    const bool drop = a_.dropout.rate > 0;
    seen_columns(seen, [&](std::int64_t c, auto w, std::int64_t first) {
      Floats score = load(pr + c) * a_.scale;
      if (bias_) score += load(bias_ + c - r);
      const auto seen_alone = [&](Floats x) { return fill_before(fill_after(x, w, 0), first, 0); };
      const Floats weight = seen_alone(vec::exp(score - log_sum)),
                   m = drop ? load(factors + c) : splat(1);
      store(dsr + c, seen_alone(a_.scale * weight * (m * load(dsr + c) - delta)));
      store(pr + c, weight * m);
    });
  }

  // The gradient of the bias by the scores of one row.
  void bias_row(std::int64_t r, const SeenKeys& seen, const float* dsr) {
    float* const sums = b_.d_bias + (s_.query_begin + r) * a_.heads * a_.bias.count;
    std::fill_n(sums + h_ * a_.bias.count, a_.bias.count, 0.0f);
    for (std::int64_t c = seen.begin; c < seen.end; ++c)
      sums[a_.bias.element(h_, c - r)] += dsr[c] / a_.scale;
  }

  // Adds to d_K and d_V of the keys from j on what the queries [begin, end) give, of those that see
  // one of these keys. Others' stretch of P and d_S may be unset; theirs is set for all keys of the
  // block, since both blocks and vectors begin at multiples of kRows.
  void key_rows(std::int64_t begin, std::int64_t end, std::int64_t j, std::int64_t rows) {
    const std::int64_t window = a_.segments.window;
    const std::int64_t first = a_.causal    ? j
                               : window > 0 ? std::max<std::int64_t>(j - window, 0)
                                            : 0;
    const std::int64_t from = std::clamp(first, begin, end);
    const std::int64_t depth = (window > 0 ? std::clamp(j + rows + window, from, end) : end) - from;
    if (depth == 0 && begin > 0) return;
    tile_product(rows, a_.d_k, depth, {ds_ + (from - begin) * ld_ + j, 1, ld_},
                 {q_ + from * a_.q.stride, a_.q.stride},
                 {b_.d_k.floats() + (s_.key_begin + j) * a_.k.stride + h_ * a_.d_k, a_.k.stride,
                  b_.accumulate_k || begin > 0});
    tile_product(rows, a_.d_v, depth, {p_ + (from - begin) * ld_ + j, 1, ld_},
                 {d_o_ + from * ldo_, ldo_},
                 {b_.d_v.floats() + (s_.key_begin + j) * a_.v.stride + h_ * a_.d_v, a_.v.stride,
                  b_.accumulate_v || begin > 0});
  }

  const AttentionBackward& b_;
  const Attention& a_;
  const Segment& s_;
  const int h_;
  const std::int64_t queries_, keys_, ld_, ldo_;
  const float *q_, *k_, *d_o_;
  float *kt_, *vt_, *p_, *ds_, *factors_;
  const float* bias_;
};

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
    float *scores = my.of(my.scores, kRows * ld), *factors = my.of(my.weights, kRows * ld);
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
                     {a.q.floats() + first * a.q.stride + h * a.d_k, a.q.stride, 1},
                     {kt + from, ld}, {scores + from, ld});
        float sums[kRows];
        softmax(a, s, {i, rows, scores, ld}, bias, sums);
        if (a.dropout.rate > 0) dropout_factors(a, first, h, rows, from, reach, factors, ld);
        for (std::int64_t r = 0; r < rows; ++r) {
          float* row = scores + r * ld;
          const SeenKeys seen = seen_keys(a, s, i + r);
          if (log_sums) log_sums[(first + r) * a.heads + h] = sums[r];
          if (weights) {
            float* to = weights + (h * queries + i + r) * keys;
            std::fill(to, to + seen.begin, 0.0f);
            std::copy(row + seen.begin, row + seen.end, to + seen.begin);
            std::fill(to + seen.end, to + keys, 0.0f);
          }
          if (a.dropout.rate > 0)
            seen_columns(seen, [&](std::int64_t c, auto, std::int64_t) {
              store(row + c, load(row + c) * load(factors + r * ld + c));
            });
          zero_unseen(seen, from, reach, row);
        }
        tile_product(rows, a.d_v, reach - from, {scores + from, ld, 1},
                     {values + from * a.v.stride, a.v.stride},
                     {out + first * ldo + h * a.d_v, ldo});
      }
    }
    if (weights) weights += a.heads * queries * keys;
  }
}

void CpuBackend::attention_backward(const AttentionBackward& b) const {
  const Attention& a = b.forward;
  const bool shared = b.d_q.at == b.d_k.at || b.d_q.at == b.d_v.at || b.d_k.at == b.d_v.at;
  TT_CHECK(!shared || (b.accumulate_q && b.accumulate_k && b.accumulate_v));
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count)))
    for (int h = 0; h < a.heads; ++h) BackwardHead(b, s, h, scratch()).run();
}

namespace {

// scores[t] of the query q for `Keys` keys, one or four.
template <int Keys>
void scores_of(const CachedAttention& a, const float* q, const float* w, const float* const* keys,
               std::int64_t column, float* scores) {
  Floats totals[Keys] = {};
  columns(a.d_k, [&](std::int64_t c, auto width) {
    const Floats query = load(q + c, width);
    for (int i = 0; i < Keys; ++i) {
      const Floats key = load(keys[i] + column + c, width);
      // lanes past the end add w = 0
      totals[i] = w ? totals[i] + load(w + c, width) * vec::tanh(query + key)
                    : multiply_add(query, key, totals[i]);
    }
  });
  const float scale = w ? 1 : a.scale;
  if constexpr (Keys == 4) {
    const F4 four = sums(totals[0], totals[1], totals[2], totals[3]) * scale;
    std::memcpy(scores, &four, sizeof four);
  } else {
    for (int i = 0; i < Keys; ++i) scores[i] = sum(totals[i]) * scale;
  }
}

// to[Vectors vectors of columns] = the sum of `weights` times values.
template <int Vectors, class Width = Full>
void weigh(std::int64_t steps, const float* weights, Floats inverse, const float* const* cached,
           std::int64_t column, float* to, Width width = {}) {
  Floats totals[Vectors] = {};
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
  float *const all_scores = my.of(my.scores, a.heads * ld), *const of_heads =
                                                                my.of(my.weights, a.heads);
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
    // Each step is done for all heads, so that none waits for the one before.
    for (int h = 0; h < a.heads; ++h) {
      float* scores = all_scores + h * ld;
      for (std::int64_t t = 0; a.bias.table && t < a.steps; ++t)
        scores[t] += a.bias.table[a.bias.element(h, t + 1 - a.steps)];
      Floats top = splat(-INFINITY);
      columns(a.steps, [&](std::int64_t c, auto w) {
        top = max(top, fill_after(load(scores + c), w, -INFINITY));
      });
      of_heads[h] = largest(top);
    }
    for (int h = 0; h < a.heads; ++h) {
      float* scores = all_scores + h * ld;
      Floats mass = {};
      columns(a.steps, [&](std::int64_t c, auto w) {
        const Floats e = fill_after(vec::exp(load(scores + c) - of_heads[h]), w, 0);
        store(scores + c, e);
        mass += e;
      });
      of_heads[h] = 1 / sum(mass);
    }
    for (int h = 0; h < a.heads; ++h) {
      const float* scores = all_scores + h * ld;
      const Floats inverse = splat(of_heads[h]);
      float* to = a.out + (r * a.heads + h) * a.d_v;
      const std::int64_t column = a.value_column + h * a.d_v;
      std::int64_t c = 0;
      for (; c + 64 <= a.d_v; c += 64)
        weigh<64 / kWidth>(a.steps, scores, inverse, cached, column + c, to + c);
      for (; c + 32 <= a.d_v; c += 32)
        weigh<32 / kWidth>(a.steps, scores, inverse, cached, column + c, to + c);
      columns(a.d_v - c, [&](std::int64_t rest, auto w) {
        weigh<1>(a.steps, scores, inverse, cached, column + c + rest, to + c + rest, w);
      });
    }
  }
}

}  // namespace tt
