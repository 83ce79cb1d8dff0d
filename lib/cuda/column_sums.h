// Sums over the rows of a matrix, column by column, in two steps whose order depends only on the
// shape: blocks of rows, then over the blocks.
#pragma once

#include <type_traits>
#include <utility>

#include "cuda/rows.h"

namespace tt::gpu {

constexpr int kStripe = 32, kRowLanes = 8;  // a block: 32 columns, and 8 threads for each
constexpr std::int64_t kStretch = 256;      // rows of a block
constexpr int kReads = 4;

__device__ inline std::int64_t column_of_block() {
  return static_cast<std::int64_t>(blockIdx.x) * kStripe + threadIdx.x % kStripe;
}

// The types of what value.read(r, c) reads of element [r, c], and of what value.of(read, r, c)
// makes of it, which is summed.
template <class Value>
using ReadOf = decltype(std::declval<Value>().read(0, 0));
template <class Value>
using SumOf = decltype(std::declval<Value>().of(std::declval<ReadOf<Value>>(), 0, 0));

// The sum over rows begin to end, for the thread in row 0 of each column; a thread has several
// reads under way.
template <class Value>
__device__ SumOf<Value> sum_of_block(const Value& value, std::int64_t begin, std::int64_t end,
                                     std::int64_t d) {
  auto* room = shared<SumOf<Value>>();
  const int row = static_cast<int>(threadIdx.x) / kStripe;
  const std::int64_t c = column_of_block();
  SumOf<Value> sum = {};
  for (std::int64_t first = begin + row; c < d && first < end; first += kReads * kRowLanes) {
    ReadOf<Value> x[kReads] = {};
    TT_UNROLL
    for (int i = 0; i < kReads; ++i)
      if (const std::int64_t r = first + i * kRowLanes; r < end) x[i] = value.read(r, c);
    TT_UNROLL
    for (int i = 0; i < kReads; ++i)
      if (const std::int64_t r = first + i * kRowLanes; r < end) sum += value.of(x[i], r, c);
  }
  room[threadIdx.x] = sum;
  for (int half = kRowLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (row < half) room[threadIdx.x] += room[static_cast<int>(threadIdx.x) + half * kStripe];
  }
  return room[threadIdx.x];
}

// partial [stretches, d]: sums over each stretch.
template <class Value>
__global__ void sum_stretches(Value value, std::int64_t n, std::int64_t d, SumOf<Value>* partial) {
  const std::int64_t begin = blockIdx.y * kStretch, c = column_of_block();
  const SumOf<Value> sum =
      sum_of_block(value, begin, begin + kStretch < n ? begin + kStretch : n, d);
  if (threadIdx.x < kStripe && c < d) partial[blockIdx.y * d + c] = sum;
}

// The elements of a matrix.
template <class T>
struct Elements {
  const T* x;
  std::int64_t d;
  __device__ T read(std::int64_t r, std::int64_t c) const { return x[r * d + c]; }
  __device__ T of(const T& element, std::int64_t, std::int64_t) const { return element; }
};
template <class T>
Elements(T*, std::int64_t) -> Elements<std::remove_const_t<T>>;

template <class T, class Put>
__global__ void sum_all(Elements<T> partial, std::int64_t stretches, std::int64_t d, Put put) {
  const std::int64_t c = column_of_block();
  const T sum = sum_of_block(partial, 0, stretches, d);
  if (threadIdx.x < kStripe && c < d) put(c, sum);
}

// The destination of sums.
struct Columns {
  bool accumulate;
  float* sums;
  __device__ void operator()(std::int64_t c, float sum) const {
    sums[c] = accumulate ? sums[c] + sum : sum;
  }
};

// Calls put(c, the sum over all rows of partial [stretches, d]) for c < d, a function object that
// the device calls.
template <class T, class Put>
void sum_partials(const Device& device, const T* partial, std::int64_t stretches, std::int64_t d,
                  const Put& put) {
  launch(device, blocks(divide_up(d, kStripe)), kStripe * kRowLanes,
         kStripe * kRowLanes * sizeof(T), sum_all<T, Put>, Elements<T>{partial, d}, stretches, d,
         put);
}

// Puts the sums of `value` over rows r < n; partial: [ceil(n / kStretch), d].
template <class Value, class Put>
void sum_columns(const Device& device, const Value& value, std::int64_t n, std::int64_t d,
                 const Put& put, SumOf<Value>* partial) {
  if (d == 0) return;
  const std::int64_t stretches = divide_up(n, kStretch);
  launch(device, blocks(divide_up(d, kStripe), stretches), kStripe * kRowLanes,
         kStripe * kRowLanes * sizeof(SumOf<Value>), sum_stretches<Value>, value, n, d, partial);
  sum_partials(device, partial, stretches, d, put);
}

// Puts the sums of `value`, with the partial ones in scratch memory.
template <class Value, class Put>
void sum_columns(const Device& device, const Value& value, std::int64_t n, std::int64_t d,
                 const Put& put) {
  const Scratch scratch(
      device, static_cast<std::size_t>(divide_up(n, kStretch) * d) * sizeof(SumOf<Value>));
  sum_columns(device, value, n, d, put, scratch.template at<SumOf<Value>>());
}

}  // namespace tt::gpu
