// Sums over the rows of a matrix, column by column, in two steps whose order depends only on the shape: blocks of rows, then over
// the blocks.
#pragma once

#include <utility>

#include "cuda/rows.h"

namespace tt::gpu {

constexpr int kStripe = 32, kRowLanes = 8;  // a block: 32 columns, and 8 threads for each
constexpr std::int64_t kStretch = 256;      // rows of a block

// What value(r, c) is: a number, or several.
template <class Value>
using SumOf = decltype(std::declval<Value>()(0, 0));

// partial [stretches, d]: sums of value(r, c) over each stretch.
template <class Value>
__global__ void sum_stretches(Value value, std::int64_t n, std::int64_t d, SumOf<Value>* partial) {
  auto* room = shared<SumOf<Value>>();
  const int column = static_cast<int>(threadIdx.x) % kStripe, row = static_cast<int>(threadIdx.x) / kStripe;
  const std::int64_t c = static_cast<std::int64_t>(blockIdx.x) * kStripe + column, begin = blockIdx.y * kStretch;
  const std::int64_t end = begin + kStretch < n ? begin + kStretch : n;
  SumOf<Value> sum = {};
  if (c < d)
    for (std::int64_t r = begin + row; r < end; r += kRowLanes) sum += value(r, c);
  room[threadIdx.x] = sum;
  for (int half = kRowLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (row < half) room[threadIdx.x] += room[static_cast<int>(threadIdx.x) + half * kStripe];
  }
  if (row == 0 && c < d) partial[blockIdx.y * d + c] = room[threadIdx.x];
}

template <class T, class Put>
__global__ void sum_partials(const T* partial, std::int64_t stretches, std::int64_t d, Put put) {
  const std::int64_t c = element();
  if (c >= d) return;
  T sum = {};
  for (std::int64_t s = 0; s < stretches; ++s) sum += partial[s * d + c];
  put(c, sum);
}

// Where sums go.
struct Columns {
  bool accumulate;
  float* sums;
  __device__ void operator()(std::int64_t c, float sum) const { sums[c] = accumulate ? sums[c] + sum : sum; }
};

// Calls put(c, the sum of value(r, c) over r < n) for c < d, both function objects that the device calls; partial: [ceil(n /
// kStretch), d].
template <class Value, class Put>
void sum_columns(const Device& device, const Value& value, std::int64_t n, std::int64_t d, const Put& put,
                 SumOf<Value>* partial) {
  if (d == 0) return;
  const std::int64_t stretches = divide_up(n, kStretch);
  launch(device, blocks(divide_up(d, kStripe), stretches), kStripe * kRowLanes, kStripe * kRowLanes * sizeof(SumOf<Value>),
         sum_stretches<Value>, value, n, d, partial);
  launch_elements(device, d, sum_partials<SumOf<Value>, Put>, static_cast<const SumOf<Value>*>(partial), stretches, d, put);
}

// The same in scratch memory.
template <class Value, class Put>
void sum_columns(const Device& device, const Value& value, std::int64_t n, std::int64_t d, const Put& put) {
  const Scratch scratch(device, static_cast<std::size_t>(divide_up(n, kStretch) * d) * sizeof(SumOf<Value>));
  sum_columns(device, value, n, d, put, scratch.template at<SumOf<Value>>());
}

}  // namespace tt::gpu
