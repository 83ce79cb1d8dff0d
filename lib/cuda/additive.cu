// Attention whose scores are w . tanh(q + k) (Bahdanau et al. 2015): a block for each query and
// head, the scores of its keys in the memory that the block shares.
//
// Backward, the blocks of queries write the gradients of their scores and their weights to memory,
// from which blocks of keys make what is theirs; each query adds up its own share of w's gradient,
// and these are summed by columns. So nothing is added by two blocks.
#include <algorithm>

#include "base/error.h"
#include "cuda/column_sums.h"
#include "cuda/cuda.h"
#include "cuda/seen_keys.h"

namespace tt {

using namespace gpu;

namespace {

constexpr int kQueryThreads = 2 * kWarp;

// The shared memory of a block, which has one query.
struct Room {
  float *of_warps, *scores, *gradients;  // [warps], [keys], [keys]: the latter backwards only
  __device__ explicit Room(std::int64_t keys)
      : of_warps(shared<float>()), scores(of_warps + kQueryThreads / kWarp),
        gradients(scores + keys) {}
};

// scores[j] = w . tanh(q + k_j) for the keys from `first` to before `end`, and the largest of them.
// A warp makes each.
__device__ float score_keys(const AdditiveAttention& k, const SegmentHead& w, std::int64_t i,
                            std::int64_t first, std::int64_t end, const Room& room) {
  const Attention& a = k.inputs;
  const float *q = a.q.floats() + (w.s.query_begin + i) * a.q.stride + w.h * a.d_k,
              *weight = k.w + w.h * a.d_k;
  float peak = -INFINITY;
  for (std::int64_t j = first + threadIdx.x / kWarp; j < end; j += kQueryThreads / kWarp) {
    const float* key = a.k.floats() + (w.s.key_begin + j) * a.k.stride + w.h * a.d_k;
    float sum = 0;
    for (std::int64_t c = lane(); c < a.d_k; c += kWarp)
      sum = fmaf(weight[c], tanhf(q[c] + key[c]), sum);
    sum = over_warp(sum, Sum());
    if (lane() == 0) room.scores[j] = sum;
    peak = fmaxf(peak, sum);
  }
  return over_block(peak, room.of_warps, Largest());
}

__global__ void attend_additively(AdditiveAttention k) {
  const Attention& a = k.inputs;
  const SegmentHead w = segment_head(a);
  const std::int64_t i = blockIdx.y, row = w.s.query_begin + i;
  if (i >= w.queries) return;
  const Room room(a.segments.longest_keys);
  const std::int64_t end = end_seen(a, w.keys, i), first = smaller(first_seen(a, i), end);
  const float peak = score_keys(k, w, i, first, end, room);
  float mass = 0;
  for (std::int64_t j = first + threadIdx.x; j < end; j += kQueryThreads) {
    room.scores[j] = expf(room.scores[j] - peak);
    mass += room.scores[j];
  }
  mass = over_block(mass, room.of_warps, Sum());
  if (threadIdx.x == 0 && a.log_sums) a.log_sums[row * a.heads + w.h] = peak + logf(mass);
  float* weights = a.weights ? a.weights + block_begin(a, w) + i * w.keys : nullptr;
  for (std::int64_t j = threadIdx.x; weights && j < w.keys; j += kQueryThreads)
    weights[j] = j >= first && j < end ? room.scores[j] / mass : 0;
  __syncthreads();
  for (std::int64_t j = first + threadIdx.x; j < end; j += kQueryThreads)
    room.scores[j] = room.scores[j] / mass * weight_factor(a, w, i, j);
  __syncthreads();
  for (std::int64_t c = threadIdx.x; c < a.d_v; c += kQueryThreads) {
    float sum = 0;
    for (std::int64_t j = first; j < end; ++j)
      sum = fmaf(room.scores[j], a.v.floats()[(w.s.key_begin + j) * a.v.stride + w.h * a.d_v + c],
                 sum);
    a.out.floats()[(row * a.heads + w.h) * a.d_v + c] = sum;
  }
}

// Blocks [queries, keys] as those of Attention::weights: the weights times the factors of dropout,
// and the gradients of the scores.
struct Pairs {
  float *weights, *gradients;
};

// d_q of one query, and its share of d_w, in a row [H K] of `shares` for each query of a segment.
__global__ void additive_query_gradients(AdditiveAttentionBackward b, Pairs pairs, float* shares) {
  const Attention& a = b.rest.forward;
  const SegmentHead w = segment_head(a);
  const std::int64_t i = blockIdx.y, row = w.s.query_begin + i;
  if (i >= w.queries) return;
  const Room room(a.segments.longest_keys);
  const std::int64_t end = end_seen(a, w.keys, i), first = smaller(first_seen(a, i), end),
                     begin = block_begin(a, w) + i * w.keys;
  score_keys({a, b.w}, w, i, first, end, room);
  const float *d_o = b.rest.d_out.floats() + (row * a.heads + w.h) * a.d_v,
              *out = a.out.floats() + (row * a.heads + w.h) * a.d_v;
  float delta = 0;
  for (std::int64_t c = threadIdx.x; c < a.d_v; c += kQueryThreads)
    delta = fmaf(d_o[c], out[c], delta);
  delta = over_block(delta, room.of_warps, Sum());
  for (std::int64_t j = first + threadIdx.x / kWarp; j < end; j += kQueryThreads / kWarp) {
    const float* v = a.v.floats() + (w.s.key_begin + j) * a.v.stride + w.h * a.d_v;
    float sum = 0;
    for (std::int64_t c = lane(); c < a.d_v; c += kWarp) sum = fmaf(d_o[c], v[c], sum);
    sum = over_warp(sum, Sum());
    if (lane() == 0) room.gradients[j] = sum;
  }
  __syncthreads();
  for (std::int64_t j = threadIdx.x; j < w.keys; j += kQueryThreads) {
    const bool here = j >= first && j < end;
    const float p = here ? expf(room.scores[j] - a.log_sums[row * a.heads + w.h]) : 0,
                m = here ? weight_factor(a, w, i, j) : 0;
    pairs.weights[begin + j] = p * m;
    pairs.gradients[begin + j] = here ? p * (m * room.gradients[j] - delta) : 0;
    if (here) room.gradients[j] = pairs.gradients[begin + j];
  }
  __syncthreads();
  std::int64_t number = i;  // of the query among all of the segments'
  for (std::int64_t n = 0; n < w.number; ++n)
    number += a.segments.at[n].query_end - a.segments.at[n].query_begin;
  for (std::int64_t c = threadIdx.x; c < a.d_k; c += kQueryThreads) {
    const std::int64_t column = w.h * a.d_k + c;
    const float q = a.q.floats()[row * a.q.stride + column], weight = b.w[column];
    float d_q = 0, share = 0;
    for (std::int64_t j = first; j < end; ++j) {
      const float t = tanhf(q + a.k.floats()[(w.s.key_begin + j) * a.k.stride + column]),
                  g = room.gradients[j];
      share = fmaf(g, t, share);
      d_q = fmaf(g * weight, 1 - t * t, d_q);
    }
    shares[number * a.heads * a.d_k + column] = share;
    float& to = b.rest.d_q.floats()[row * a.q.stride + column];
    to = b.rest.accumulate_q ? to + d_q : d_q;
  }
}

// d_k and d_v of one key.
__global__ void additive_key_gradients(AdditiveAttentionBackward b, Pairs pairs) {
  const Attention& a = b.rest.forward;
  const SegmentHead w = segment_head(a);
  const std::int64_t j = blockIdx.y, row = w.s.key_begin + j, begin = block_begin(a, w) + j;
  if (j >= w.keys) return;
  for (std::int64_t c = threadIdx.x; c < a.d_k; c += kQueryThreads) {
    const std::int64_t column = w.h * a.d_k + c;
    const float k = a.k.floats()[row * a.k.stride + column], weight = b.w[column];
    float d_k = 0;
    for (std::int64_t i = 0; i < w.queries; ++i) {
      const float t = tanhf(a.q.floats()[(w.s.query_begin + i) * a.q.stride + column] + k);
      d_k = fmaf(pairs.gradients[begin + i * w.keys] * weight, 1 - t * t, d_k);
    }
    float& to = b.rest.d_k.floats()[row * a.k.stride + column];
    to = b.rest.accumulate_k ? to + d_k : d_k;
  }
  __syncthreads();  // d_v may be d_k
  for (std::int64_t c = threadIdx.x; c < a.d_v; c += kQueryThreads) {
    const std::int64_t column = w.h * a.d_v + c;
    float d_v = 0;
    for (std::int64_t i = 0; i < w.queries; ++i)
      d_v = fmaf(pairs.weights[begin + i * w.keys],
                 b.rest.d_out.floats()[(w.s.query_begin + i) * a.heads * a.d_v + column], d_v);
    float& to = b.rest.d_v.floats()[row * a.v.stride + column];
    to = b.rest.accumulate_v ? to + d_v : d_v;
  }
}

std::size_t room_bytes(const Attention& a, int rows) {
  const std::size_t bytes =
      (static_cast<std::size_t>(rows) * static_cast<std::size_t>(a.segments.longest_keys) +
       kQueryThreads / kWarp) *
      sizeof(float);
  const std::int64_t longest = std::max(a.segments.longest_queries, a.segments.longest_keys);
  if (bytes > kMostShared || longest > kMostAcross)
    throw Error("attention between ", longest,
                " tokens at once is too long for this GPU; use the CPU");
  return bytes;
}

}  // namespace

void CudaBackend::additive_attention(const AdditiveAttention& k) const {
  const Segments& s = k.inputs.segments;
  launch(*device_, blocks(s.count * k.inputs.heads, s.longest_queries), kQueryThreads,
         room_bytes(k.inputs, 1), attend_additively, k);
}

void CudaBackend::additive_attention_backward(const AdditiveAttentionBackward& b) const {
  const Attention& a = b.rest.forward;
  const Segments& s = a.segments;
  const auto pairs = static_cast<std::int64_t>(s.pairs) * a.heads;
  const std::int64_t wide = a.heads * a.d_k, stretches = divide_up(s.queries, kStretch);
  const Scratch scratch(
      *device_,
      static_cast<std::size_t>(2 * pairs + (s.queries + stretches) * wide) * sizeof(float));
  float *at = scratch.at<float>(), *shares = at + 2 * pairs, *partial = shares + s.queries * wide;
  launch(*device_, blocks(s.count * a.heads, s.longest_queries), kQueryThreads, room_bytes(a, 2),
         additive_query_gradients, b, Pairs{at, at + pairs}, shares);
  launch(*device_, blocks(s.count * a.heads, s.longest_keys), kQueryThreads, 0,
         additive_key_gradients, b, Pairs{at, at + pairs});
  sum_columns(*device_, Elements{shares, wide}, s.queries, wide, Columns{b.accumulate_w, b.d_w},
              partial);
}

}  // namespace tt
