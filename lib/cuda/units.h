// Rows in registers: what kernels of norms, activations and dropout share.
//
// A unit is half of a group of 64 columns, as dropout draws its random words (tensor/dropout.h): of every eight columns the first
// or the last four. A thread has a unit of a row at a time, so that all its reads are under way at once, and four blocks of random
// words serve its 32 columns.
#pragma once

#include "base/error.h"
#include "cuda/rows.h"

namespace tt::gpu {

// Numbers that are read at once.
template <int kWide>
struct alignas(kWide * sizeof(float)) Numbers {
  float at[kWide];
};
using Four = Numbers<4>;
struct alignas(8) FourRounded {
  Bfloat16 at[4];
};

__device__ inline FourRounded nearest(const Four& x) {
  FourRounded y;
  TT_UNROLL
  for (int e = 0; e < 4; ++e) y.at[e] = nearest(x.at[e]);
  return y;
}

__host__ __device__ inline bool whole(const void* at, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}

struct Values {
  Four at[8];
};

// Calls f(i, e) for the numbers e of all fours i of a unit.
template <class F>
__device__ void each_value(F f) {
  TT_UNROLL
  for (int i = 0; i < 8; ++i) TT_UNROLL
  for (int e = 0; e < 4; ++e) f(i, e);
}

class Unit {
 public:
  // Unit `number` of row r of matrices with n rows and d columns; it need not exist.
  __device__ Unit(std::int64_t r, std::int64_t n, std::int64_t number, std::int64_t d)
      : r_(r), d_(d), first_(64 * (number / 2) + 4 * (number % 2)), rows_(r < n) {}

  __device__ std::int64_t row() const { return r_; }
  // The same unit of another row, which exists.
  __device__ Unit at_row(std::int64_t r) const {
    Unit other = *this;
    other.r_ = r;
    return other;
  }
  __device__ bool here(int i, int e = 0) const { return rows_ && column(i) + e < d_; }

  // Of a row of d columns; zeros where there are none.
  __device__ Values load_row(const float* row) const {
    Values x = {};
    if (d_ % 4 == 0 && whole(row, sizeof(Four))) {
      TT_UNROLL
      for (int i = 0; i < 8; ++i)
        if (here(i)) x.at[i] = *reinterpret_cast<const Four*>(row + column(i));
    } else {
      each_value([&](int i, int e) {
        if (here(i, e)) x.at[i].at[e] = row[column(i) + e];
      });
    }
    return x;
  }
  __device__ Values load(const float* matrix) const { return load_row(matrix + r_ * d_); }

  __device__ void store(const Values& x, float* matrix) const { store_row(x, matrix + r_ * d_); }
  __device__ void store_row(const Values& x, float* row) const {
    if (d_ % 4 == 0 && whole(row, sizeof(Four))) {
      TT_UNROLL
      for (int i = 0; i < 8; ++i)
        if (here(i)) *reinterpret_cast<Four*>(row + column(i)) = x.at[i];
    } else {
      each_value([&](int i, int e) {
        if (here(i, e)) row[column(i) + e] = x.at[i].at[e];
      });
    }
  }

  // As Round makes it, with the zeros behind a row. Null: it is not wanted.
  __device__ void round(const Values& x, Bfloat16* matrix) const {
    if (!matrix || !rows_) return;
    const std::int64_t ld = ceil8(d_);
    Bfloat16* row = matrix + r_ * ld;
    const bool fours = whole(row, sizeof(FourRounded));
    TT_UNROLL
    for (int i = 0; i < 8; ++i) {
      if (column(i) >= ld) continue;
      FourRounded y;
      TT_UNROLL
      for (int e = 0; e < 4; ++e) y.at[e] = here(i, e) ? nearest(x.at[i].at[e]) : Bfloat16{0};
      if (fours) {
        *reinterpret_cast<FourRounded*>(row + column(i)) = y;
      } else {
        TT_UNROLL
        for (int e = 0; e < 4; ++e) row[column(i) + e] = y.at[e];
      }
    }
  }

  // Calls f(i, e, factor) with the factors of dropout.
  template <class F>
  __device__ void dropped(const Dropout& dropout, F f) const {
    if (dropout.rate == 0) return each_value([&](int i, int e) { f(i, e, 1.0f); });
    const auto group = static_cast<std::uint64_t>(r_ * ((d_ + 63) / 64) + first_ / 64);
    TT_UNROLL
    for (int e = 0; e < 4; ++e) {
      const DropoutLane lane(dropout, group, static_cast<int>(first_ % 64) + e);
      TT_UNROLL
      for (int i = 0; i < 8; ++i) f(i, e, lane.factor(i));
    }
  }

 private:
  __device__ std::int64_t column(int i) const { return first_ + 8 * i; }

  std::int64_t r_, d_, first_;
  bool rows_;
};

inline std::int64_t units_of_row(std::int64_t d) { return 2 * divide_up(d, 64); }

// Kernels with a thread for each unit.
constexpr int kUnitThreads = 128;
__device__ inline Unit unit_of_thread(std::int64_t n, std::int64_t d, std::int64_t units) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kUnitThreads + threadIdx.x;
  return {i / units, n, i % units, d};
}
inline std::int64_t blocks_of_units(std::int64_t n, std::int64_t d) { return divide_up(n * units_of_row(d), kUnitThreads); }
template <class Arguments>
void launch_units(const Device& device, std::int64_t n, std::int64_t d, void (*kernel)(Arguments, std::int64_t),
                  const Arguments& k) {
  launch(device, blocks(blocks_of_units(n, d)), kUnitThreads, 0, kernel, k, units_of_row(d));
}

// Kernels in which each row belongs to a warp or to a part of one, whose threads have kUnits of it each.
struct RowShare {
  std::int64_t r;
  int thread, threads;

  __device__ explicit RowShare(int threads_) : threads(threads_) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kUnitThreads + threadIdx.x;
    r = i / threads;
    thread = static_cast<int>(threadIdx.x) % threads;
  }
  __device__ Unit unit(int u, std::int64_t n, std::int64_t d) const {
    return {r, n, thread + static_cast<std::int64_t>(u) * threads, d};
  }
  // Combines x over the threads of a row. Every thread must call it.
  template <class Combine>
  __device__ float over_row(float x, Combine combine) const {
    for (int mask = threads / 2; mask > 0; mask /= 2) x = combine(x, shuffle_xor(x, mask));
    return x;
  }
};

// Launches that of four kernels, with 1, 2, 4 and 32 units of a thread, which suits rows of d columns.
template <class Arguments>
void launch_row_shares(const Device& device, std::int64_t n, std::int64_t d, const Arguments& k, void (*one)(Arguments, int),
                       void (*two)(Arguments, int), void (*four)(Arguments, int), void (*many)(Arguments, int)) {
  const std::int64_t units = units_of_row(d);
  if (units > 32 * kWarp) throw Error("rows of ", d, " columns are too wide for this GPU; use fewer, or --device cpu");
  std::int64_t threads = 2;
  while (threads < units && threads < kWarp) threads *= 2;
  launch(device, blocks(divide_up(n * threads, kUnitThreads)), kUnitThreads, 0,
         units <= kWarp       ? one
         : units <= 2 * kWarp ? two
         : units <= 4 * kWarp ? four
                              : many,
         k, static_cast<int>(threads));
}

}  // namespace tt::gpu
