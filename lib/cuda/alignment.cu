// Guided alignment (Garg et al. 2019): a block for each segment, which has its queries one after
// another, so that nothing is added by two blocks, and the scores of their keys in the memory that
// the block shares.
#include "base/error.h"
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

// The queries of a segment; sums [segments] gets what they add.
__global__ void align(AlignmentLoss a, double* sums) {
  const Segment s = a.segments.at[blockIdx.x];
  const std::int64_t keys = s.key_end - s.key_begin, width = a.q.columns;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  float *of_warps = shared<float>(), *scores = of_warps + warps;
  const float* k = a.k.floats() + s.key_begin * a.k.stride;
  double total = 0;  // of thread 0
  for (std::int64_t t = s.query_begin; t < s.query_end; ++t) {
    const std::int32_t begin = a.begins[t], end = a.begins[t + 1];
    if (begin == end) continue;
    const float* q = a.q.floats() + t * a.q.stride;
    float peak = -INFINITY, mass = 0;
    for (std::int64_t j = threadIdx.x / kWarp; j < keys; j += warps) {
      float dot = 0;
      for (std::int64_t c = lane(); c < width; c += kWarp)
        dot = fmaf(q[c], k[j * a.k.stride + c], dot);
      dot = a.scale * over_warp(dot, Sum());
      if (lane() == 0) scores[j] = dot;
      peak = fmaxf(peak, dot);
    }
    peak = over_block(peak, of_warps, Largest());
    for (std::int64_t j = threadIdx.x; j < keys; j += blockDim.x) mass += expf(scores[j] - peak);
    const float log_sum = peak + logf(over_block(mass, of_warps, Sum())),
                share = 1 / static_cast<float>(end - begin);
    if (threadIdx.x == 0) {
      float mean = 0;
      for (std::int32_t l = begin; l < end; ++l)
        mean = fmaf(share, scores[a.linked[l] - s.key_begin], mean);
      total += static_cast<double>(log_sum) - static_cast<double>(mean);
    }
    __syncthreads();
    if (a.gradient_scale == 0) continue;
    const float factor = a.scale * a.gradient_scale;
    for (std::int64_t j = threadIdx.x; j < keys; j += blockDim.x)
      scores[j] = factor * expf(scores[j] - log_sum);
    __syncthreads();
    if (threadIdx.x == 0)
      for (std::int32_t l = begin; l < end; ++l)
        scores[a.linked[l] - s.key_begin] -= factor * share;
    __syncthreads();
    for (std::int64_t c = threadIdx.x; c < width; c += blockDim.x) {
      float d_q = 0;
      for (std::int64_t j = 0; j < keys; ++j) d_q = fmaf(scores[j], k[j * a.k.stride + c], d_q);
      a.d_q.floats()[t * a.q.stride + c] += d_q;
    }
    for (std::int64_t e = threadIdx.x; e < keys * width; e += blockDim.x) {
      float& d_k = a.d_k.floats()[(s.key_begin + e / width) * a.k.stride + e % width];
      d_k = fmaf(scores[e / width], q[e % width], d_k);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// One block: *sum += the segments'.
__global__ void add_segments(const double* sums, std::int64_t n, double* sum) {
  double mine = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) mine += sums[i];
  mine = over_block(mine, shared<double>(), Sum());
  if (threadIdx.x == 0) *sum += mine;
}

}  // namespace

void CudaBackend::alignment_loss(const AlignmentLoss& a) const {
  const std::int64_t n = a.segments.count;
  if (n == 0) return;
  const std::size_t bytes =
      (kThreads / kWarp + static_cast<std::size_t>(a.segments.longest_keys)) * sizeof(float);
  if (bytes > kMostShared)
    throw Error("an alignment with ", a.segments.longest_keys,
                " tokens is too long for this GPU; use the CPU");
  const Scratch scratch(*device_, static_cast<std::size_t>(n) * sizeof(double));
  double* sums = scratch.at<double>();
  launch(*device_, blocks(n), kThreads, bytes, align, a, sums);
  if (a.sum)
    launch(*device_, blocks(1), kThreads, kThreads / kWarp * sizeof(double), add_segments, sums, n,
           a.sum);
}

}  // namespace tt
