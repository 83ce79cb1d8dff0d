// Attention on tensor cores, as attention.cu has it in float32: a warp for 16 queries of a head, and in the backward pass for 16
// keys too. Nothing passes through shared memory: what a warp reads twice is in the cache. Factors are rounded to tf32, sums are
// float32, and the result for a row does not depend on its place among the 16.
#include "cuda/attention.h"
#include "cuda/seen_keys.h"
#include "cuda/warp_products.h"

namespace tt::gpu {

namespace {

constexpr int kChunk = 4 * kWarpKeys;    // keys between two looks at the peaks
constexpr std::int64_t kMostWarps = 4;   // of a block of the backward pass
constexpr std::int64_t kMostWide = 128;  // columns of a head
constexpr int kFetched = 64;             // rows that are asked for before they are needed

// Rows of a segment, of one head.
struct HeadRows {
  const float* at;
  std::int64_t ld;
  int count, width;
  __device__ const float* row(int i) const { return at + i * ld; }
};

__device__ HeadRows head_rows(const float* x, std::int64_t ld, std::int64_t begin, std::int64_t count, int h,
                              std::int64_t width) {
  return {x + begin * ld + h * width, ld, static_cast<int>(count), static_cast<int>(width)};
}
// A block asks for all rows at once, since it otherwise waits for one after another.
__device__ void prefetch_rows(const HeadRows& x) {
  for (int i = static_cast<int>(threadIdx.x); i < x.count && i < kFetched; i += static_cast<int>(blockDim.x))
    for (int c = 0; c < x.width; c += 32) prefetch(x.row(i) + c);
}
template <int kParts>
__device__ Terms<kParts> terms(const HeadRows& x, int i) {
  return load_terms<kParts>(x.row(i), x.width, i < x.count);
}
template <int kParts>
__device__ Terms<kParts> rounded_terms(const HeadRows& x, int i) {
  return nearest_tf32(terms<kParts>(x, i));
}
template <int kParts>
__device__ Slices<kParts> slices(const HeadRows& x, int i) {
  return load_slices<kParts>(x.row(i), x.width, i < x.count);
}

struct Head : SegmentHead {
  HeadRows q, k, v;
};
__device__ Head head(const Attention& a) {
  const SegmentHead w = segment_head(a);
  return {w, head_rows(a.q, a.ldq, w.s.query_begin, w.queries, w.h, a.d_k),
          head_rows(a.k, a.ldk, w.s.key_begin, w.keys, w.h, a.d_k), head_rows(a.v, a.ldv, w.s.key_begin, w.keys, w.h, a.d_v)};
}

// The keys that a query sees.
struct Seen {
  int first, end;
  __device__ bool has(int key) const { return key >= first && key < end; }
};
__device__ Seen seen(const Attention& a, const Head& w, int i) {
  if (i >= w.q.count) return {0, 0};
  return {static_cast<int>(first_seen(a, i)), static_cast<int>(end_seen(a, w.keys, i))};
}

// The number of the calling warp among those of its segment and head.
__device__ int warp_number() { return static_cast<int>(blockIdx.y * (blockDim.x / kWarp) + threadIdx.x / kWarp); }

template <int kParts>
__global__ void __launch_bounds__(kWarp, kParts < 4 ? 12 : 8) attend(Attention a) {
  const Head w = head(a);
  const int begin = kWarpRows * warp_number();
  if (begin >= w.q.count) return;
  prefetch_rows(w.k);
  prefetch_rows(w.v);
  const int r = lane() / 4, c = lane() % 4, row[2] = {begin + r, begin + r + 8};
  const Terms<kParts> upper = rounded_terms<kParts>(w.q, row[0]), lower = rounded_terms<kParts>(w.q, row[1]);
  const Seen sees[2] = {seen(a, w, row[0]), seen(a, w, row[1])};
  const int from = static_cast<int>(first_seen(a, begin)) / kChunk * kChunk;
  const int last = begin + kWarpRows - 1 < w.q.count ? begin + kWarpRows - 1 : w.q.count - 1;
  const int reach = static_cast<int>(end_seen(a, w.keys, last));
  const auto score = [&](int j, float(&s)[4][4]) {
    TT_UNROLL
    for (int n = 0; n < 4; ++n) {
      add_dots(s[n], upper, lower, rounded_terms<kParts>(w.k, j + kWarpKeys * n + r));
      TT_UNROLL
      for (int e = 0; e < 4; ++e) s[n][e] = sees[e / 2].has(j + kWarpKeys * n + 2 * c + e % 2) ? s[n][e] * a.scale : -INFINITY;
    }
  };
  WarpSums<kParts> out;
  float peak[2] = {-INFINITY, -INFINITY}, mass[2] = {0, 0};
  for (int j = from; j < reach; j += kChunk) {
    float s[4][4] = {};
    score(j, s);
    TT_UNROLL
    for (int half = 0; half < 2; ++half) {
      float top = peak[half];
      TT_UNROLL
      for (int n = 0; n < 4; ++n) top = fmaxf(top, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
      top = over_four(top, Largest());
      const float shrink = top == peak[half] ? 1 : expf(peak[half] - top);  // also where both are minus infinity
      peak[half] = top;
      mass[half] *= shrink;
      out.scale(half, shrink);
      TT_UNROLL
      for (int n = 0; n < 4; ++n) TT_UNROLL
      for (int e = 2 * half; e < 2 * half + 2; ++e) {
        const int key = j + kWarpKeys * n + 2 * c + e % 2;
        const bool here = sees[half].has(key);
        const float weight = here ? expf(s[n][e] - top) : 0;
        mass[half] += weight;
        s[n][e] = nearest_tf32(here ? weight * weight_factor(a, w, row[half], key) : 0);
      }
    }
    TT_UNROLL
    for (int n = 0; n < 4; ++n) {
      const int key = j + kWarpKeys * n + 2 * c;
      out.add(s[n], slices<kParts>(w.v, key), slices<kParts>(w.v, key + 1));
    }
  }
  TT_UNROLL
  for (int half = 0; half < 2; ++half) {
    mass[half] = over_four(mass[half], Sum());
    out.scale(half, mass[half] == 0 ? 0 : 1 / mass[half]);  // a NaN stays
    if (row[half] >= w.q.count) continue;
    const std::int64_t at = (w.s.query_begin + row[half]) * a.heads + w.h;
    out.put(half, a.out + at * a.d_v, w.v.width, false);
    if (a.log_sums && c == 0) a.log_sums[at] = peak[half] + logf(mass[half]);
  }
  if (!a.weights) return;
  float* weights = a.weights + block_begin(a, w);
  for (int j = 0; j < w.k.count; j += kChunk) {
    float s[4][4] = {};
    score(j, s);
    for (int n = 0; n < 4; ++n)
      for (int e = 0; e < 4; ++e) {
        const int i = row[e / 2], key = j + kWarpKeys * n + 2 * c + e % 2;
        if (i < w.q.count && key < w.k.count)
          weights[i * w.keys + key] = sees[e / 2].has(key) ? expf(s[n][e] - peak[e / 2]) / mass[e / 2] : 0;
      }
  }
}

// With the weights P and the factors M of dropout: d_S = scale P (M (d_O V^T) - d_O . O).
struct Backward {
  const AttentionBackward& b;
  const Attention& a;
  const Head& w;
  HeadRows d_o;
  float* deltas;  // [queries, H]: d_O . O

  __device__ std::int64_t place(int i) const { return (w.s.query_begin + i) * a.heads + w.h; }
  __device__ float weight(bool here, float dot, float log_sum) const { return here ? expf(dot * a.scale - log_sum) : 0; }
  // The gradient of the score of a pair whose weight is p, and whose d_O V^T is d.
  __device__ float of_score(bool here, float p, float factor, float d, float delta) const {
    return here ? nearest_tf32(a.scale * p * (factor * d - delta)) : 0;
  }
};

// d_Q = d_S K, for the queries from `begin` on.
template <int kParts>
__device__ void query_gradients(const Backward& x, int begin) {
  const Head& w = x.w;
  const int r = lane() / 4, c = lane() % 4, row[2] = {begin + r, begin + r + 8};
  Terms<kParts> d_o[2] = {terms<kParts>(x.d_o, row[0]), terms<kParts>(x.d_o, row[1])};
  float delta[2] = {0, 0}, log_sum[2] = {0, 0};
  TT_UNROLL
  for (int half = 0; half < 2; ++half) {
    const HeadRows out = head_rows(x.a.out, x.d_o.ld, w.s.query_begin, w.queries, w.h, x.a.d_v);
    const Terms<kParts> o = terms<kParts>(out, row[half]);
    TT_UNROLL
    for (int t = 0; t < 2 * kParts; ++t) TT_UNROLL
    for (int e = 0; e < 4; ++e) delta[half] += d_o[half].at[t].at[e] * o.at[t].at[e];
    delta[half] = over_four(delta[half], Sum());
    d_o[half] = nearest_tf32(d_o[half]);
    if (row[half] >= w.q.count) continue;
    log_sum[half] = x.a.log_sums[x.place(row[half])];
    if (c == 0) x.deltas[x.place(row[half])] = delta[half];
  }
  const Terms<kParts> upper = rounded_terms<kParts>(w.q, row[0]), lower = rounded_terms<kParts>(w.q, row[1]);
  const Seen sees[2] = {seen(x.a, w, row[0]), seen(x.a, w, row[1])};
  const int from = static_cast<int>(first_seen(x.a, begin)) / kWarpKeys * kWarpKeys;
  const int last = begin + kWarpRows - 1 < w.q.count ? begin + kWarpRows - 1 : w.q.count - 1;
  const int reach = static_cast<int>(end_seen(x.a, w.keys, last));
  WarpSums<kParts> d_q;
  for (int j = from; j < reach; j += kWarpKeys) {
    float s[4] = {}, d[4] = {};
    add_dots(s, upper, lower, rounded_terms<kParts>(w.k, j + r));
    add_dots(d, d_o[0], d_o[1], rounded_terms<kParts>(w.v, j + r));
    TT_UNROLL
    for (int e = 0; e < 4; ++e) {
      const int key = j + 2 * c + e % 2;
      const bool here = sees[e / 2].has(key);
      const float factor = here ? weight_factor(x.a, w, row[e / 2], key) : 1;
      s[e] = x.of_score(here, x.weight(here, s[e], log_sum[e / 2]), factor, d[e], delta[e / 2]);
    }
    d_q.add(s, slices<kParts>(w.k, j + 2 * c), slices<kParts>(w.k, j + 2 * c + 1));
  }
  TT_UNROLL
  for (int half = 0; half < 2; ++half)
    if (row[half] < w.q.count) d_q.put(half, x.b.d_q + (w.q.row(row[half]) - x.a.q), w.q.width, x.b.accumulate_q);
}

// d_K = d_S^T Q and d_V = (P M)^T d_O, for the keys from `begin` on.
template <int kParts>
__device__ void key_gradients(const Backward& x, int begin) {
  const Head& w = x.w;
  const int r = lane() / 4, c = lane() % 4, row[2] = {begin + r, begin + r + 8};
  const Terms<kParts> k[2] = {rounded_terms<kParts>(w.k, row[0]), rounded_terms<kParts>(w.k, row[1])};
  const Terms<kParts> v[2] = {rounded_terms<kParts>(w.v, row[0]), rounded_terms<kParts>(w.v, row[1])};
  // Queries before the first of these keys, or too far from them, see none of them.
  const int window = static_cast<int>(x.a.segments.window), last = begin + kWarpRows - 1;
  const int near = window > 0 && begin > window ? begin - window : 0, from = x.a.causal ? begin : near / kWarpKeys * kWarpKeys;
  const int end = window > 0 && last + window + 1 < w.q.count ? last + window + 1 : w.q.count;
  WarpSums<kParts> d_k, d_v;
  for (int i = from; i < end; i += kWarpKeys) {
    float s[4] = {}, d[4] = {}, p[4];
    add_dots(s, k[0], k[1], rounded_terms<kParts>(w.q, i + r));
    add_dots(d, v[0], v[1], rounded_terms<kParts>(x.d_o, i + r));
    TT_UNROLL
    for (int j = 0; j < 2; ++j) {
      const int query = i + 2 * c + j;
      const Seen sees = seen(x.a, w, query);
      const bool real = query < w.q.count;
      const float log_sum = real ? x.a.log_sums[x.place(query)] : 0, delta = real ? x.deltas[x.place(query)] : 0;
      TT_UNROLL
      for (int e = j; e < 4; e += 2) {
        const bool here = sees.has(row[e / 2]);
        const float factor = here ? weight_factor(x.a, w, query, row[e / 2]) : 1, weight = x.weight(here, s[e], log_sum);
        s[e] = x.of_score(here, weight, factor, d[e], delta);
        p[e] = nearest_tf32(weight * factor);
      }
    }
    d_k.add(s, slices<kParts>(w.q, i + 2 * c), slices<kParts>(w.q, i + 2 * c + 1));
    d_v.add(p, slices<kParts>(x.d_o, i + 2 * c), slices<kParts>(x.d_o, i + 2 * c + 1));
  }
  TT_UNROLL
  for (int half = 0; half < 2; ++half) {
    if (row[half] >= w.k.count) continue;
    d_k.put(half, x.b.d_k + (w.k.row(row[half]) - x.a.k), w.k.width, x.b.accumulate_k);
    d_v.put(half, x.b.d_v + (w.v.row(row[half]) - x.a.v), w.v.width, x.b.accumulate_v);  // d_v may be d_k
  }
}

// A block for each segment and head: first the queries, then the keys, which need what the queries have summed.
template <int kParts>
__global__ void __launch_bounds__(kMostWarps* kWarp, kParts < 4 ? 3 : 2) attend_backward(AttentionBackward b, float* deltas) {
  const Attention& a = b.forward;
  const Head w = head(a);
  const Backward x{b, a, w, head_rows(b.d_out, a.heads * a.d_v, w.s.query_begin, w.queries, w.h, a.d_v), deltas};
  for (const HeadRows& rows : {w.k, w.v, w.q, x.d_o}) prefetch_rows(rows);
  const int step = static_cast<int>(blockDim.x) / kWarp * kWarpRows, begin = warp_number() * kWarpRows;
  for (int i = begin; i < w.q.count; i += step) query_gradients<kParts>(x, i);
  __syncthreads();
  for (int j = begin; j < w.k.count; j += step) key_gradients<kParts>(x, j);
}

// The kernel for heads of this width.
template <class Kernel>
Kernel fitting(const Attention& a, Kernel narrow, Kernel middle, Kernel wide) {
  const std::int64_t most = a.d_k < a.d_v ? a.d_v : a.d_k;
  return most <= 32 ? narrow : most <= 64 ? middle : wide;
}

}  // namespace

bool fits_warps(const Attention& a) {
  return a.d_k % 4 + a.d_v % 4 + a.ldq % 4 + a.ldk % 4 + a.ldv % 4 == 0 && a.d_k <= kMostWide && a.d_v <= kMostWide &&
         whole(a.q, sizeof(Four)) && whole(a.k, sizeof(Four)) && whole(a.v, sizeof(Four)) && whole(a.out, sizeof(Four));
}

void attend_with_warps(const Device& device, const Attention& a) {
  launch(device, tiles(a, a.segments.longest_queries, kWarpRows), kWarp, 0, fitting(a, attend<1>, attend<2>, attend<4>), a);
}

bool fits_warps(const AttentionBackward& b) {
  return fits_warps(b.forward) && whole(b.d_out, sizeof(Four)) && whole(b.d_q, sizeof(Four)) && whole(b.d_k, sizeof(Four)) &&
         whole(b.d_v, sizeof(Four));
}

void attend_backward_with_warps(const Device& device, const AttentionBackward& b) {
  const Attention& a = b.forward;
  const std::int64_t queries = a.segments.longest_queries, keys = a.segments.longest_keys;
  const std::int64_t warps = divide_up(queries < keys ? keys : queries, 2 * kWarpRows);
  const Scratch scratch(device, static_cast<std::size_t>(a.segments.queries * a.heads) * sizeof(float));
  launch(device, blocks(a.segments.count * a.heads),
         (warps < 1            ? 1
          : warps < kMostWarps ? warps
                               : kMostWarps) *
             kWarp,
         0, fitting(a, attend_backward<1>, attend_backward<2>, attend_backward<4>), b, scratch.at<float>());
}

}  // namespace tt::gpu
