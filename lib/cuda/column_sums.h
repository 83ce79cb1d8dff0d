// Sums over the rows of a matrix, column by column, in two steps whose order depends only on the shape: blocks of rows, then over
// the blocks.
#pragma once

#include "cuda/rows.h"

namespace tt::gpu {

constexpr int kStripe = 32, kRowLanes = 8;  // a block: 32 columns, and 8 threads for each
constexpr std::int64_t kStretch = 256;      // rows of a block

// partial [stretches, d]: sums of value(r, c) over each stretch.
template <class Value>
__global__ void sum_stretches(Value value, std::int64_t n, std::int64_t d, float* partial) {
  float* room = shared<float>();
  const int column = static_cast<int>(threadIdx.x) % kStripe, row = static_cast<int>(threadIdx.x) / kStripe;
  const std::int64_t c = static_cast<std::int64_t>(blockIdx.x) * kStripe + column, begin = blockIdx.y * kStretch;
  const std::int64_t end = begin + kStretch < n ? begin + kStretch : n;
  float sum = 0;
  if (c < d)
    for (std::int64_t r = begin + row; r < end; r += kRowLanes) sum += value(r, c);
  room[threadIdx.x] = sum;
  for (int half = kRowLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (row < half) room[threadIdx.x] += room[static_cast<int>(threadIdx.x) + half * kStripe];
  }
  if (row == 0 && c < d) partial[blockIdx.y * d + c] = room[threadIdx.x];
}

static __global__ void sum_partials(const float* partial, std::int64_t stretches, std::int64_t d, bool accumulate, float* sums) {
  const std::int64_t c = element();
  if (c >= d) return;
  float sum = 0;
  for (std::int64_t s = 0; s < stretches; ++s) sum += partial[s * d + c];
  sums[c] = accumulate ? sums[c] + sum : sum;
}

// sums [d] = (accumulate ? sums : 0) + the sums of value(r, c), a function object that the device calls; partial: [ceil(n /
// kStretch), d].
template <class Value>
void sum_columns(const Device& device, const Value& value, std::int64_t n, std::int64_t d, bool accumulate, float* sums,
                 float* partial) {
  if (d == 0) return;
  const std::int64_t stretches = divide_up(n, kStretch);
  launch(device, blocks(divide_up(d, kStripe), stretches), kStripe * kRowLanes, kStripe * kRowLanes * sizeof(float),
         sum_stretches<Value>, value, n, d, partial);
  launch_elements(device, d, sum_partials, static_cast<const float*>(partial), stretches, d, accumulate, sums);
}

// The same in scratch memory.
template <class Value>
void sum_columns(const Device& device, const Value& value, std::int64_t n, std::int64_t d, bool accumulate, float* sums) {
  const Scratch scratch(device, static_cast<std::size_t>(divide_up(n, kStretch) * d) * sizeof(float));
  sum_columns(device, value, n, d, accumulate, sums, scratch.at<float>());
}

}  // namespace tt::gpu
