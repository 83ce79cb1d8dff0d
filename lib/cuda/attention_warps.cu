// Attention on tensor cores, as attention.cu has it in float32: a warp for 16 queries of a head,
// and in the backward pass for 16 keys too. Nothing passes through shared memory: what a warp reads
// twice is in the cache. Factors are rounded, sums are float32, and the result for a row does not
// depend on its place among the 16.
#include "cuda/attention.h"
#include "cuda/seen_keys.h"
#include "cuda/warp_products.h"

namespace tt::gpu {

namespace {

constexpr int kChunk = 2 * kWarpKeys;    // keys between two looks at the peaks
constexpr std::int64_t kMostWarps = 4;   // of a block of the backward pass
constexpr std::int64_t kMostWide = 128;  // columns of a head
constexpr int kFetched = 64;             // rows that are asked for before they are needed

// A head of a segment. A head of the usual width has kernels of its own, which ask about no column.
template <class T, int kParts>
struct Head : SegmentHead {
  using Rows = HeadRows<T, kParts, kParts == 2>;
  Rows q, k, v;

  __device__ Head(const Attention& a, unsigned column) : SegmentHead(segment_head(a, column)) {
    q = rows(a.q.as<T>(), a.q.stride, s.query_begin, queries, a.d_k);
    k = rows(a.k.as<T>(), a.k.stride, s.key_begin, keys, a.d_k);
    v = rows(a.v.as<T>(), a.v.stride, s.key_begin, keys, a.d_v);
  }
  __device__ Rows rows(const T* x, std::int64_t ld, std::int64_t begin, std::int64_t count,
                       std::int64_t width) const {
    return {x + begin * ld + h * width, ld, static_cast<int>(count), static_cast<int>(width)};
  }
};

// A block asks for rows at once, since it otherwise waits for one after another.
template <class Rows>
__device__ void prefetch_rows(const Rows& x) {
  for (int i = static_cast<int>(threadIdx.x); i < x.count && i < kFetched;
       i += static_cast<int>(blockDim.x))
    for (int c = 0; c < x.width; c += 128 / static_cast<int>(sizeof *x.at)) prefetch(x.row(i) + c);
}

// The keys that a query sees.
struct Seen {
  int first, end;
  __device__ bool has(int key) const { return key >= first && key < end; }
};
template <class Head>
__device__ Seen seen(const Attention& a, const Head& w, int i) {
  if (i >= w.q.count) return {0, 0};
  return {static_cast<int>(first_seen(a, i)), static_cast<int>(end_seen(a, w.keys, i))};
}

TT_CALLED __device__ float dropped(Dropout dropout, std::uint64_t element) {
  return dropout_factor(dropout, element);
}
// The factor of dropout on the weight of query i and a key.
__device__ float factor(const Attention& a, const SegmentHead& w, int i, int key) {
  return a.dropout.rate == 0 ? 1 : dropped(a.dropout, weight_number(a, w, i, key));
}

// The tiles of a head follow each other, since they read the same keys.
template <class T, class Format, int kParts>
__global__ void __launch_bounds__(kWarp, kParts < 4 ? 16 : 8) attend(Attention a, unsigned tiles) {
  const Head<T, kParts> w(a, blockIdx.x / tiles);
  const int begin = kWarpRows * static_cast<int>(blockIdx.x % tiles);
  if (begin >= w.q.count) return;
  prefetch_rows(w.k);
  prefetch_rows(w.v);
  const int r = lane() / 4, c = lane() % 4, row[2] = {begin + r, begin + r + 8};
  const Seen sees[2] = {seen(a, w, row[0]), seen(a, w, row[1])};
  const int from = static_cast<int>(first_seen(a, begin)) / kChunk * kChunk;
  const int last = begin + kWarpRows - 1 < w.q.count ? begin + kWarpRows - 1 : w.q.count - 1;
  const int reach = static_cast<int>(end_seen(a, w.keys, last));
  const Factors<Format, kParts> upper(load_terms(w.q, row[0])), lower(load_terms(w.q, row[1]));
  // s[n][e] is of key j + 8 n + 2 c + e % 2 and row[e / 2].
  using Scores = float[4][4];
  const auto score = [&](int j, Scores& s) {
    TT_UNROLL
    for (int n = 0; n < 4; ++n) {
      add_dots(s[n], upper, lower, Factors<Format, kParts>(load_terms(w.k, j + 8 * n + r)));
      TT_UNROLL
      for (int e = 0; e < 4; ++e)
        s[n][e] = sees[e / 2].has(j + 8 * n + 2 * c + e % 2) ? s[n][e] * a.scale : -INFINITY;
    }
  };
  WarpSums<Format, kParts> out;
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
      const float base = top == -INFINITY ? 0 : top, shrink = power_of_e(peak[half] - base);
      peak[half] = top;
      mass[half] *= shrink;
      out.scale(half, shrink);
      TT_UNROLL
      for (int n = 0; n < 4; ++n) {
        TT_UNROLL
        for (int e = 2 * half; e < 2 * half + 2; ++e) {
          s[n][e] = power_of_e(s[n][e] - base);
          mass[half] += s[n][e];
        }
      }
    }
    if (a.dropout.rate != 0) {
      TT_UNROLL
      for (int n = 0; n < 4; ++n) {
        TT_UNROLL
        for (int e = 0; e < 4; ++e) s[n][e] *= factor(a, w, row[e / 2], j + 8 * n + 2 * c + e % 2);
      }
    }
    TT_UNROLL
    for (int n = 0; n < 4; n += 2) {
      const float pair[2][4] = {{s[n][0], s[n][1], s[n][2], s[n][3]},
                                {s[n + 1][0], s[n + 1][1], s[n + 1][2], s[n + 1][3]}};
      out.add(pair, load_slices(w.v, j + 8 * n));
    }
  }
  TT_UNROLL
  for (int half = 0; half < 2; ++half) {
    mass[half] = over_four(mass[half], Sum());
    out.scale(half, mass[half] == 0 ? 0 : 1 / mass[half]);  // a NaN stays
    if (row[half] >= w.q.count) continue;
    const std::int64_t at = (w.s.query_begin + row[half]) * a.heads + w.h;
    out.put(half, a.out.as<T>() + at * a.d_v, w.v.width, false);
    if (a.log_sums && c == 0) a.log_sums[at] = peak[half] + logf(mass[half]);
  }
  if (!a.weights) return;
  float* weights = a.weights + block_begin(a, w);
  for (int j = 0; j < w.k.count; j += kChunk) {
    float s[4][4] = {};
    score(j, s);
    for (int n = 0; n < 4; ++n)
      for (int e = 0; e < 4; ++e) {
        const int i = row[e / 2], key = j + 8 * n + 2 * c + e % 2;
        if (i < w.q.count && key < w.k.count)
          weights[i * w.keys + key] =
              sees[e / 2].has(key) ? power_of_e(s[n][e] - peak[e / 2]) / mass[e / 2] : 0;
      }
  }
}

// With the weights P and the factors M of dropout: d_S = scale P (M (d_O V^T) - d_O . O).
template <class T, class Format, int kParts>
class Backward {
 public:
  __device__ Backward(const AttentionBackward& b, float* deltas)
      : b_(b), a_(b.forward), w_(a_, blockIdx.x),
        d_o_(w_.rows(b.d_out.as<T>(), a_.heads * a_.d_v, w_.s.query_begin, w_.queries, a_.d_v)),
        deltas_(deltas), r_(lane() / 4), c_(lane() % 4) {}

  __device__ void run() {
    prefetch_rows(w_.k);
    prefetch_rows(w_.v);
    prefetch_rows(w_.q);
    prefetch_rows(d_o_);
    const int warps = static_cast<int>(blockDim.x) / kWarp,
              warp = static_cast<int>(threadIdx.x) / kWarp;
    for (int i = kWarpRows * warp; i < w_.q.count; i += kWarpRows * warps) query_gradients(i);
    __syncthreads();  // the keys need deltas
    for (int j = kWarpRows * warp; j < w_.k.count; j += kWarpRows * warps) key_gradients(j);
  }

 private:
  using AsFactors = Factors<Format, kParts>;
  using Sums = WarpSums<Format, kParts>;
  using AsTerms = Terms<typename Head<T, kParts>::Rows::Fours, kParts>;

  __device__ std::int64_t place(int i) const { return (w_.s.query_begin + i) * a_.heads + w_.h; }
  // A weight, from the dot product that it comes from.
  __device__ float weight(bool here, float dot, float log_sum) const {
    return here ? power_of_e(dot * a_.scale - log_sum) : 0;
  }
  // The gradient of the dot product of a pair with weight p, whose element of d_O V^T is d.
  __device__ float of_dot(bool here, float p, float factor, float d, float delta) const {
    return here ? a_.scale * p * (factor * d - delta) : 0;
  }

  // deltas [queries, H]: d_O . O, for rows that are threads' r and r + 8.
  __device__ float delta(const AsTerms& d_o, int i) const {
    const AsTerms o =
        load_terms(w_.rows(a_.out.as<T>(), d_o_.ld, w_.s.query_begin, w_.queries, a_.d_v), i);
    float sum = 0;
    TT_UNROLL
    for (int t = 0; t < 2 * kParts; ++t) {
      TT_UNROLL
      for (int e = 0; e < 4; ++e) sum += number(d_o.at[t].at[e]) * number(o.at[t].at[e]);
    }
    sum = over_four(sum, Sum());
    if (i < w_.q.count && c_ == 0) deltas_[place(i)] = sum;
    return sum;
  }

  // d_Q = d_S K, for the queries from `begin` on.
  __device__ void query_gradients(int begin) const {
    const int row[2] = {begin + r_, begin + r_ + 8};
    const AsTerms d_o[2] = {load_terms(d_o_, row[0]), load_terms(d_o_, row[1])};
    const float deltas[2] = {delta(d_o[0], row[0]), delta(d_o[1], row[1])};
    const AsFactors d_upper(d_o[0]), d_lower(d_o[1]), upper(load_terms(w_.q, row[0])),
        lower(load_terms(w_.q, row[1]));
    const Seen sees[2] = {seen(a_, w_, row[0]), seen(a_, w_, row[1])};
    float log_sums[2];
    TT_UNROLL
    for (int half = 0; half < 2; ++half)
      log_sums[half] = row[half] < w_.q.count ? a_.log_sums[place(row[half])] : 0;
    const int from = static_cast<int>(first_seen(a_, begin)) / kWarpKeys * kWarpKeys;
    const int last = begin + kWarpRows - 1 < w_.q.count ? begin + kWarpRows - 1 : w_.q.count - 1;
    const int reach = static_cast<int>(end_seen(a_, w_.keys, last));
    Sums d_q;
    for (int j = from; j < reach; j += kWarpKeys) {
      float s[2][4] = {}, d[2][4] = {};
      TT_UNROLL
      for (int n = 0; n < 2; ++n) {
        add_dots(s[n], upper, lower, AsFactors(load_terms(w_.k, j + 8 * n + r_)));
        add_dots(d[n], d_upper, d_lower, AsFactors(load_terms(w_.v, j + 8 * n + r_)));
        TT_UNROLL
        for (int e = 0; e < 4; ++e) {
          const int key = j + 8 * n + 2 * c_ + e % 2, half = e / 2;
          const bool here = sees[half].has(key);
          s[n][e] = of_dot(here, weight(here, s[n][e], log_sums[half]),
                           factor(a_, w_, row[half], key), d[n][e], deltas[half]);
        }
      }
      d_q.add(s, load_slices(w_.k, j));
    }
    TT_UNROLL
    for (int half = 0; half < 2; ++half)
      if (row[half] < w_.q.count)
        d_q.put(half, b_.d_q.as<T>() + (w_.q.row(row[half]) - a_.q.as<T>()), w_.q.width,
                b_.accumulate_q);
  }

  // d_K = d_S^T Q and d_V = (P M)^T d_O, for the keys from `begin` on.
  __device__ void key_gradients(int begin) const {
    const int row[2] = {begin + r_, begin + r_ + 8};
    const AsFactors k_upper(load_terms(w_.k, row[0])), k_lower(load_terms(w_.k, row[1]));
    const AsFactors v_upper(load_terms(w_.v, row[0])), v_lower(load_terms(w_.v, row[1]));
    // Queries before the first of these keys, or too far from them, see none of them.
    const int window = static_cast<int>(a_.segments.window), last = begin + kWarpRows - 1;
    const int near = window > 0 && begin > window ? begin - window : 0;
    const int from = a_.causal ? begin : near / kWarpKeys * kWarpKeys;
    const int end = window > 0 && last + window + 1 < w_.q.count ? last + window + 1 : w_.q.count;
    Sums d_k, d_v;
    for (int i = from; i < end; i += kWarpKeys) {
      float s[2][4] = {}, d[2][4] = {}, p[2][4];
      TT_UNROLL
      for (int n = 0; n < 2; ++n) {
        add_dots(s[n], k_upper, k_lower, AsFactors(load_terms(w_.q, i + 8 * n + r_)));
        add_dots(d[n], v_upper, v_lower, AsFactors(load_terms(d_o_, i + 8 * n + r_)));
        TT_UNROLL
        for (int j = 0; j < 2; ++j) {
          const int query = i + 8 * n + 2 * c_ + j;
          const Seen sees = seen(a_, w_, query);
          const std::int64_t at = place(query < w_.q.count ? query : w_.q.count - 1);
          const float log_sum = a_.log_sums[at], delta = deltas_[at];
          TT_UNROLL
          for (int e = j; e < 4; e += 2) {
            const bool here = sees.has(row[e / 2]);
            const float m = factor(a_, w_, query, row[e / 2]), all = weight(here, s[n][e], log_sum);
            s[n][e] = of_dot(here, all, m, d[n][e], delta);
            p[n][e] = all * m;
          }
        }
      }
      d_k.add(s, load_slices(w_.q, i));
      d_v.add(p, load_slices(d_o_, i));
    }
    TT_UNROLL
    for (int half = 0; half < 2; ++half) {
      if (row[half] >= w_.k.count) continue;
      d_k.put(half, b_.d_k.as<T>() + (w_.k.row(row[half]) - a_.k.as<T>()), w_.k.width,
              b_.accumulate_k);
      d_v.put(half, b_.d_v.as<T>() + (w_.v.row(row[half]) - a_.v.as<T>()), w_.v.width,
              b_.accumulate_v);  // d_v may be d_k
    }
  }

  const AttentionBackward& b_;
  const Attention& a_;
  const Head<T, kParts> w_;
  const typename Head<T, kParts>::Rows d_o_;
  float* deltas_;
  const int r_, c_;
};

// A block for each segment and head.
template <class T, class Format, int kParts>
__global__ void __launch_bounds__(kMostWarps* kWarp, kParts < 4 ? 3 : 2)
    attend_backward(AttentionBackward b, float* deltas) {
  Backward<T, Format, kParts>(b, deltas).run();
}

// The kernel for this precision and for heads of this width.
template <class Kernel>
struct Kernels {
  Kernel narrow, usual, wide;

  Kernel fitting(const Attention& a) const {
    return a.d_k == 64 && a.d_v == 64 ? usual : a.d_k <= 32 && a.d_v <= 32 ? narrow : wide;
  }
};
template <class T, class Format>
Kernels<void (*)(Attention, unsigned)> forward() {
  return {attend<T, Format, 1>, attend<T, Format, 2>, attend<T, Format, 4>};
}
template <class T, class Format>
Kernels<void (*)(AttentionBackward, float*)> backward() {
  return {attend_backward<T, Format, 1>, attend_backward<T, Format, 2>,
          attend_backward<T, Format, 4>};
}
bool in_bfloat16(const Device& device) { return device.precision() == Precision::bfloat16; }

}  // namespace

bool fits_warps(const Attention& a) {
  if (a.q.type == ElementType::bfloat16) return true;  // as traits() say
  return !a.bias.table &&
         a.d_k % 4 + a.d_v % 4 + a.q.stride % 4 + a.k.stride % 4 + a.v.stride % 4 == 0 &&
         a.d_k <= kMostWide && a.d_v <= kMostWide && whole(a.q.at, sizeof(Four)) &&
         whole(a.k.at, sizeof(Four)) && whole(a.v.at, sizeof(Four)) &&
         whole(a.out.at, sizeof(Four));
}

bool fits_warps(const AttentionBackward& b) {
  if (b.forward.q.type == ElementType::bfloat16) return true;
  return fits_warps(b.forward) && whole(b.d_out.at, sizeof(Four)) &&
         whole(b.d_q.at, sizeof(Four)) && whole(b.d_k.at, sizeof(Four)) &&
         whole(b.d_v.at, sizeof(Four));
}

void attend_with_warps(const Device& device, const Attention& a) {
  const auto kernels = a.q.type == ElementType::bfloat16 ? forward<Bfloat16, InBfloat16>()
                       : in_bfloat16(device)             ? forward<float, InBfloat16>()
                                                         : forward<float, InTf32>();
  const std::int64_t tiles = divide_up(a.segments.longest_queries, kWarpRows);
  launch(device, blocks(a.segments.count * a.heads * tiles), kWarp, 0, kernels.fitting(a), a,
         static_cast<unsigned>(tiles));
}

void attend_backward_with_warps(const Device& device, const AttentionBackward& b) {
  const Attention& a = b.forward;
  const auto kernels = a.q.type == ElementType::bfloat16 ? backward<Bfloat16, InBfloat16>()
                       : in_bfloat16(device)             ? backward<float, InBfloat16>()
                                                         : backward<float, InTf32>();
  const std::int64_t queries = a.segments.longest_queries, keys = a.segments.longest_keys;
  const std::int64_t warps = divide_up(queries < keys ? keys : queries, 2 * kWarpRows);
  const Scratch scratch(device,
                        static_cast<std::size_t>(a.segments.queries * a.heads) * sizeof(float));
  launch(device, blocks(a.segments.count * a.heads),
         (warps < 1            ? 1
          : warps < kMostWarps ? warps
                               : kMostWarps) *
             kWarp,
         0, kernels.fitting(a), b, scratch.at<float>());
}

}  // namespace tt::gpu

namespace tt {

Traits CudaBackend::traits() const {
  Traits mine{.host_memory = false, .queue = true};
  if (device_->precision() != Precision::bfloat16) return mine;
  mine.factors = mine.results = mine.weights = ElementType::bfloat16;
  mine.result_heads = gpu::kMostWide;
  return mine;
}

}  // namespace tt
