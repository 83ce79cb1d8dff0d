// Scaled dot-product attention (section 3.2.1) on packed rows: a block for each segment, head and
// range of queries or keys.
//
// The forward pass processes keys tile by tile with a running softmax (Milakov and Gimelshein 2018;
// Dao et al. 2022), and keeps the log-sum-exp of each row. The backward pass recomputes the weights
// from it twice: once for ranges of queries, to sum their gradients, once for ranges of keys, so no
// sum is shared by two blocks. The size of a tile depends only on the width of a head, and the
// result for a row not on its place in a tile. This is for precision float32 and for heads that
// attention_warps.cu, which multiplies on tensor cores, does not take.
#include "base/error.h"
#include "cuda/attention.h"
#include "cuda/cuda.h"
#include "cuda/seen_keys.h"
#include "cuda/tiles.h"

namespace tt {

using namespace gpu;

namespace {

constexpr int kMostRows = 32;  // of a tile: a thread of a warp for each key

// The work of a block.
struct Work : SegmentHead {
  std::int64_t begin;  // the first row of its stretch, in the segment
};

__device__ Work work(const Attention& a, int tile) {
  return {segment_head(a), static_cast<std::int64_t>(blockIdx.y) * tile};
}

// The rows of a tile that are no queries see nothing, and what is behind its keys nobody.
__device__ bool sees(const Attention& a, const Work& w, std::int64_t i, std::int64_t key) {
  return i < w.queries && key >= first_seen(a, i) && key < end_seen(a, w.keys, i);
}

// The bias of head h for a distance.
TT_CALLED __device__ float bias_of(const DistanceBias& bias, std::int64_t h,
                                   std::int64_t distance) {
  return bias.table ? bias.table[bias.element(h, distance)] : 0;
}
// The score of a query and a key with that dot product.
__device__ float score_of(const Attention& a, const Work& w, std::int64_t i, std::int64_t key,
                          float dot) {
  return dot * a.scale + bias_of(a.bias, w.h, key - i);
}

// Rows `begin`.. of a segment's queries or keys, of this head.
__device__ const float* head_rows(const float* x, std::int64_t ld, std::int64_t row, int h,
                                  std::int64_t width) {
  return x + row * ld + h * width;
}

__global__ void attend(Attention a, int tile) {
  const Work w = work(a, tile);
  if (w.begin >= w.queries) return;
  TileSpace space;
  const Tile q = space.take(tile, a.d_k), k = space.take(tile, a.d_k), v = space.take(tile, a.d_v),
             out = space.take(tile, a.d_v);
  const Tile scores = space.take(tile, tile);
  float *peaks = space.take_row(tile), *masses = space.take_row(tile),
        *shrink = space.take_row(tile);
  const int thread = static_cast<int>(threadIdx.x), warp = thread / kWarp, column = lane();
  const int rows = static_cast<int>(smaller(tile, w.queries - w.begin));
  const std::int64_t from = first_seen(a, w.begin) / tile * tile,
                     reach = end_seen(a, w.keys, w.begin + rows - 1);
  load_tile(q, head_rows(a.q.floats(), a.q.stride, w.s.query_begin + w.begin, w.h, a.d_k),
            a.q.stride, w.queries - w.begin);
  zero_tile(out);
  if (thread < tile) peaks[thread] = -INFINITY, masses[thread] = 0;
  const auto present = [&](std::int64_t j) { return static_cast<int>(smaller(tile, w.keys - j)); };
  const auto score = [&](std::int64_t j) {
    load_tile(k, head_rows(a.k.floats(), a.k.stride, w.s.key_begin + j, w.h, a.d_k), a.k.stride,
              w.keys - j);
    __syncthreads();
    multiply_tiles(rows, present(j), static_cast<int>(a.d_k), AsIs{q}, Transposed{k},
                   [&](int r, int c, float sum) {
                     scores(r, c) = sees(a, w, w.begin + r, j + c)
                                        ? score_of(a, w, w.begin + r, j + c, sum)
                                        : -INFINITY;
                   });
    __syncthreads();
  };
  for (std::int64_t j = from; j < reach; j += tile) {
    load_tile(v, head_rows(a.v.floats(), a.v.stride, w.s.key_begin + j, w.h, a.d_v), a.v.stride,
              w.keys - j);
    score(j);
    for (int r = warp; r < rows; r += kTileThreads / kWarp) {
      const bool here = column < tile && sees(a, w, w.begin + r, j + column);
      const float x = here ? scores(r, column) : -INFINITY, old = peaks[r];
      const float peak = fmaxf(old, over_warp(x, Largest()));
      const float e = here ? expf(x - peak) : 0, mass = over_warp(e, Sum());
      __syncwarp();  // all have read peaks[r]
      if (column < tile)
        scores(r, column) = here ? e * weight_factor(a, w, w.begin + r, j + column) : e;
      if (column == 0) {
        shrink[r] = old == peak ? 1 : expf(old - peak);  // also where both are minus infinity
        masses[r] = masses[r] * shrink[r] + mass;
        peaks[r] = peak;
      }
    }
    __syncthreads();
    multiply_tiles(rows, static_cast<int>(a.d_v), present(j), AsIs{scores}, AsIs{v},
                   [&](int r, int c, float sum) { out(r, c) = out(r, c) * shrink[r] + sum; });
    __syncthreads();
  }
  __syncthreads();
  const std::int64_t ldo = a.heads * a.d_v, first = w.s.query_begin + w.begin;
  each_element(rows, out.columns, [&](int r, int c) {
    a.out.floats()[(first + r) * ldo + w.h * a.d_v + c] =
        masses[r] == 0 ? 0 : out(r, c) / masses[r];  // a NaN stays
  });
  if (a.log_sums && thread < rows)
    a.log_sums[(first + thread) * a.heads + w.h] = peaks[thread] + logf(masses[thread]);
  if (!a.weights) return;
  float* weights = a.weights + block_begin(a, w);
  for (std::int64_t j = 0; j < w.keys; j += tile) {
    score(j);
    each_element(rows, present(j), [&](int r, int c) {
      weights[(w.begin + r) * w.keys + j + c] =
          sees(a, w, w.begin + r, j + c) ? expf(scores(r, c) - peaks[r]) / masses[r] : 0;
    });
    __syncthreads();
  }
}

// d_out . out for each row of a tile of queries, by a few threads, and its log-sum-exp.
__device__ void row_numbers(const AttentionBackward& b, const Work& w, std::int64_t begin, int tile,
                            const Tile& d_o, float* deltas, float* log_sums) {
  constexpr int kTogether = kTileThreads / kMostRows;
  const Attention& a = b.forward;
  const int r = static_cast<int>(threadIdx.x) / kTogether,
            part = static_cast<int>(threadIdx.x) % kTogether;
  const bool here = r < tile && begin + r < w.queries;
  const std::int64_t row = (w.s.query_begin + begin + r) * a.heads + w.h;
  float sum = 0;
  for (std::int64_t c = part; here && c < a.d_v; c += kTogether)
    sum += d_o(r, static_cast<int>(c)) * a.out.floats()[row * a.d_v + c];
  for (int mask = kTogether / 2; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
  if (r >= tile || part != 0) return;
  deltas[r] = sum;
  log_sums[r] = here ? a.log_sums[row] : 0;
}

// The tiles of a block that goes back through queries and keys, and the numbers of its queries.
struct BackwardTiles {
  Tile q, k, v, d_o, weights, gradients;
  float *deltas, *log_sums;

  __device__ BackwardTiles(TileSpace& space, const Attention& a, int tile)
      : q(space.take(tile, a.d_k)), k(space.take(tile, a.d_k)), v(space.take(tile, a.d_v)),
        d_o(space.take(tile, a.d_v)), weights(space.take(tile, tile)),
        gradients(space.take(tile, tile)), deltas(space.take_row(tile)),
        log_sums(space.take_row(tile)) {}
};

// For the queries from i and the keys from j, weights gets P M, and gradients d_S = scale P (M (d_O
// V^T) - d_O . O), where P are the weights and M the dropout factors. The whole block is
// synchronised at start and end.
__device__ void rebuild(const Attention& a, const Work& w, std::int64_t i, std::int64_t j,
                        const BackwardTiles& t) {
  const int rows = static_cast<int>(smaller(t.q.rows, w.queries - i)),
            keys = static_cast<int>(smaller(t.k.rows, w.keys - j));
  __syncthreads();
  multiply_tiles(rows, keys, t.q.columns, AsIs{t.q}, Transposed{t.k}, [&](int r, int c, float sum) {
    t.weights(r, c) =
        sees(a, w, i + r, j + c) ? expf(score_of(a, w, i + r, j + c, sum) - t.log_sums[r]) : 0;
  });
  __syncthreads();
  multiply_tiles(
      rows, keys, t.v.columns, AsIs{t.d_o}, Transposed{t.v}, [&](int r, int c, float sum) {
        const bool here = sees(a, w, i + r, j + c);
        const float p = t.weights(r, c), m = here ? weight_factor(a, w, i + r, j + c) : 1;
        t.gradients(r, c) = here ? a.scale * p * (m * sum - t.deltas[r]) : 0;
        t.weights(r, c) = p * m;
      });
  __syncthreads();
}

// d_Q = d_S K, for a range of queries.
__global__ void query_gradients(AttentionBackward b, int tile) {
  const Attention& a = b.forward;
  const Work w = work(a, tile);
  if (w.begin >= w.queries) return;
  TileSpace space;
  const BackwardTiles t(space, a, tile);
  const Tile d_q = space.take(tile, a.d_k);
  const std::int64_t ldo = a.heads * a.d_v, first = w.s.query_begin + w.begin;
  load_tile(t.q, head_rows(a.q.floats(), a.q.stride, first, w.h, a.d_k), a.q.stride,
            w.queries - w.begin);
  load_tile(t.d_o, head_rows(b.d_out.floats(), ldo, first, w.h, a.d_v), ldo, w.queries - w.begin);
  zero_tile(d_q);
  __syncthreads();
  row_numbers(b, w, w.begin, tile, t.d_o, t.deltas, t.log_sums);
  const int rows = static_cast<int>(smaller(tile, w.queries - w.begin));
  // Of each query one thread adds up what it gives to the bias, in the order of the keys.
  const int thread = static_cast<int>(threadIdx.x);
  float* const d_bias = a.bias.table && thread < rows
                            ? b.d_bias + (first + thread) * a.heads * a.bias.count
                            : nullptr;
  for (std::int64_t n = 0; d_bias && n < a.bias.count; ++n) d_bias[w.h * a.bias.count + n] = 0;
  const std::int64_t from = first_seen(a, w.begin) / tile * tile,
                     reach = end_seen(a, w.keys, w.begin + rows - 1);
  for (std::int64_t j = from; j < reach; j += tile) {
    load_tile(t.k, head_rows(a.k.floats(), a.k.stride, w.s.key_begin + j, w.h, a.d_k), a.k.stride,
              w.keys - j);
    load_tile(t.v, head_rows(a.v.floats(), a.v.stride, w.s.key_begin + j, w.h, a.d_v), a.v.stride,
              w.keys - j);
    rebuild(a, w, w.begin, j, t);
    multiply_tiles(rows, t.q.columns, static_cast<int>(smaller(tile, w.keys - j)),
                   AsIs{t.gradients}, AsIs{t.k},
                   [&](int r, int c, float sum) { d_q(r, c) += sum; });
    for (int c = 0; d_bias && c < smaller(tile, w.keys - j); ++c)
      d_bias[a.bias.element(w.h, j + c - w.begin - thread)] += t.gradients(thread, c) / a.scale;
    __syncthreads();
  }
  __syncthreads();
  each_element(rows, t.q.columns, [&](int r, int c) {
    float& to = b.d_q.floats()[(first + r) * a.q.stride + w.h * a.d_k + c];
    to = b.accumulate_q ? to + d_q(r, c) : d_q(r, c);
  });
}

// d_K = d_S^T Q and d_V = (P M)^T d_O, for a range of keys.
__global__ void key_gradients(AttentionBackward b, int tile) {
  const Attention& a = b.forward;
  const Work w = work(a, tile);
  if (w.begin >= w.keys) return;
  TileSpace space;
  const BackwardTiles t(space, a, tile);
  const Tile d_k = space.take(tile, a.d_k), d_v = space.take(tile, a.d_v);
  const std::int64_t ldo = a.heads * a.d_v, first = w.s.key_begin + w.begin;
  load_tile(t.k, head_rows(a.k.floats(), a.k.stride, first, w.h, a.d_k), a.k.stride,
            w.keys - w.begin);
  load_tile(t.v, head_rows(a.v.floats(), a.v.stride, first, w.h, a.d_v), a.v.stride,
            w.keys - w.begin);
  zero_tile(d_k);
  zero_tile(d_v);
  const int rows = static_cast<int>(smaller(tile, w.keys - w.begin));
  // Queries before the first of these keys, or too far from them, see none of them.
  const std::int64_t window = a.segments.window,
                     near = window > 0 && w.begin > window ? w.begin - window : 0;
  const std::int64_t end = window > 0 ? smaller(w.begin + rows + window, w.queries) : w.queries;
  for (std::int64_t i = a.causal ? w.begin : window > 0 ? near : 0; i < end; i += tile) {
    load_tile(t.q, head_rows(a.q.floats(), a.q.stride, w.s.query_begin + i, w.h, a.d_k), a.q.stride,
              w.queries - i);
    load_tile(t.d_o, head_rows(b.d_out.floats(), ldo, w.s.query_begin + i, w.h, a.d_v), ldo,
              w.queries - i);
    __syncthreads();
    const int present = static_cast<int>(smaller(tile, w.queries - i));
    row_numbers(b, w, i, tile, t.d_o, t.deltas, t.log_sums);
    rebuild(a, w, i, w.begin, t);
    multiply_tiles(rows, t.k.columns, present, Transposed{t.gradients}, AsIs{t.q},
                   [&](int r, int c, float sum) { d_k(r, c) += sum; });
    multiply_tiles(rows, t.v.columns, present, Transposed{t.weights}, AsIs{t.d_o},
                   [&](int r, int c, float sum) { d_v(r, c) += sum; });
    __syncthreads();
  }
  __syncthreads();
  each_element(rows, t.k.columns, [&](int r, int c) {
    float& to = b.d_k.floats()[(first + r) * a.k.stride + w.h * a.d_k + c];
    to = b.accumulate_k ? to + d_k(r, c) : d_k(r, c);
  });
  __syncthreads();  // d_v may be d_k
  each_element(rows, t.v.columns, [&](int r, int c) {
    float& to = b.d_v.floats()[(first + r) * a.v.stride + w.h * a.d_v + c];
    to = b.accumulate_v ? to + d_v(r, c) : d_v(r, c);
  });
}

// The shared memory of a block with `keyed` tiles as wide as keys, `valued` ones as wide as values,
// and `square` ones.
std::size_t tile_bytes(const Attention& a, int tile, int keyed, int valued, int square) {
  const int floats =
      keyed * tile_stride(a.d_k) + valued * tile_stride(a.d_v) + square * tile_stride(tile) + 3;
  return static_cast<std::size_t>(tile) * static_cast<std::size_t>(floats) * sizeof(float);
}

// The largest tile for which a block has enough shared memory.
int tile_rows(const Attention& a, int keyed, int valued, int square) {
  int tile = kMostRows;
  while (tile > 1 && tile_bytes(a, tile, keyed, valued, square) > kMostShared) tile /= 2;
  if (tile_bytes(a, tile, keyed, valued, square) > kMostShared)
    throw Error("heads of ", a.d_k, " and ", a.d_v,
                " columns are too wide for this GPU; use more heads, or the CPU");
  return tile;
}

// For as many queries or keys as the longest segment has.
template <class Arguments>
void launch_tiles(const Device& device, const Arguments& k, const Attention& a,
                  std::int64_t longest, int keyed, int valued, int square,
                  void (*kernel)(Arguments, int)) {
  const int tile = tile_rows(a, keyed, valued, square);
  launch(device, tiles(a, longest, tile), kTileThreads, tile_bytes(a, tile, keyed, valued, square),
         kernel, k, tile);
}

// One query and head per thread block: keys are rows of different memory blocks, so a warp computes
// each score.
__global__ void attend_cached(CachedAttention a) {
  const std::int64_t r = blockIdx.x / static_cast<unsigned>(a.heads);
  const int h = static_cast<int>(blockIdx.x % static_cast<unsigned>(a.heads)),
            warps = static_cast<int>(blockDim.x) / kWarp;
  float *room = shared<float>(), *scores = room + warps;
  const float* q = a.q + r * a.ldq + h * a.d_k;
  const auto cached = [&](std::int64_t t) {
    return a.blocks[t] + a.slots[r * a.ld_slots + t] * a.ld;
  };
  float peak = -INFINITY, mass = 0;
  for (std::int64_t t = threadIdx.x / kWarp; t < a.steps; t += warps) {
    const float* k = cached(t) + h * a.d_k;
    float sum = 0;
    for (std::int64_t c = lane(); c < a.d_k; c += kWarp)
      sum = a.additive ? fmaf(a.additive[h * a.d_k + c], tanhf(q[c] + k[c]), sum)
                       : fmaf(q[c], k[c], sum);
    sum = over_warp(sum, Sum()) * (a.additive ? 1 : a.scale);
    sum += bias_of(a.bias, h, t + 1 - a.steps);
    if (lane() == 0) scores[t] = sum;
    peak = fmaxf(peak, sum);
  }
  peak = over_block(peak, room, Largest());
  for (std::int64_t t = threadIdx.x; t < a.steps; t += blockDim.x) {
    scores[t] = expf(scores[t] - peak);
    mass += scores[t];
  }
  mass = over_block(mass, room, Sum());
  for (std::int64_t c = threadIdx.x; c < a.d_v; c += blockDim.x) {
    float sum = 0;
    for (std::int64_t t = 0; t < a.steps; ++t)
      sum = fmaf(scores[t], cached(t)[a.value_column + h * a.d_v + c], sum);
    a.out[(r * a.heads + h) * a.d_v + c] = sum / mass;
  }
}

}  // namespace

void CudaBackend::attention(const Attention& a) const {
  if (device_->precision() != Precision::float32 && fits_warps(a))
    return attend_with_warps(*device_, a);
  launch_tiles(*device_, a, a, a.segments.longest_queries, 2, 2, 1, attend);
}

void CudaBackend::attention_backward(const AttentionBackward& b) const {
  const Attention& a = b.forward;
  if (device_->precision() != Precision::float32 && fits_warps(b))
    return attend_backward_with_warps(*device_, b);
  launch_tiles(*device_, b, a, a.segments.longest_queries, 3, 2, 2, query_gradients);
  launch_tiles(*device_, b, a, a.segments.longest_keys, 3, 3, 2, key_gradients);
}

void CudaBackend::cached_attention(const CachedAttention& a) const {
  constexpr int kCacheThreads = 2 * kWarp;
  const std::size_t bytes =
      (static_cast<std::size_t>(a.steps) + kCacheThreads / kWarp) * sizeof(float);
  if (bytes > kMostShared)
    throw Error("a translation of ", a.steps, " tokens is too long for this GPU; use the CPU");
  launch(*device_, blocks(a.rows * a.heads), kCacheThreads, bytes, attend_cached, a);
}

}  // namespace tt
