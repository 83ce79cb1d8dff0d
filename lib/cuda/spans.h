// Rows in registers: what kernels of norms, activations and dropout share.
//
// A warp has rows, or parts of rows, span by span: 256 columns, of which a thread has two fours,
// 128 apart. So a warp reads and writes whole lines of memory, and all its reads are under way at
// once.
#pragma once

#include <array>

#include "base/error.h"
#include "cuda/rows.h"

namespace tt::gpu {

// Numbers that are read at once.
template <int kWide>
struct alignas(kWide * sizeof(float)) Numbers {
  float at[kWide];
};
using Four = Numbers<4>;
template <int kWide>
struct alignas(kWide * sizeof(Bfloat16)) Rounded {
  Bfloat16 at[kWide];
};
using FourRounded = Rounded<4>;

__device__ inline FourRounded nearest(const Four& x) {
  FourRounded y;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t pairs[2];
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pairs[0]) : "f"(x.at[1]), "f"(x.at[0]));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pairs[1]) : "f"(x.at[3]), "f"(x.at[2]));
  memcpy(&y, pairs, sizeof y);
#else
  for (int e = 0; e < 4; ++e) y.at[e] = nearest(x.at[e]);
#endif
  return y;
}

__device__ inline float number(float x) { return x; }
__device__ inline float number(Bfloat16 x) { return widen(x); }
__device__ inline Four widen(const FourRounded& x) {
  return {{widen(x.at[0]), widen(x.at[1]), widen(x.at[2]), widen(x.at[3])}};
}

__host__ __device__ inline bool whole(const void* at, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}

struct Values {
  Four at[2];
};
struct RoundedValues {
  FourRounded at[2];
};
__device__ inline const Values& widen(const Values& x) { return x; }
__device__ inline Values widen(const RoundedValues& x) {
  return {{widen(x.at[0]), widen(x.at[1])}};
}

// Calls f(i, e) for the numbers e of both fours i of a span.
template <class F>
__device__ void each_value(F f) {
  TT_UNROLL
  for (int i = 0; i < 2; ++i) {
    TT_UNROLL
    for (int e = 0; e < 4; ++e) f(i, e);
  }
}

constexpr int kSpanColumns = 8 * kWarp;

// With kWhole rows are whole spans, every one of which that is asked for exists, and every pointer
// is a multiple of 16 bytes: nothing is asked about columns.
template <bool kWhole = false>
class Span {
 public:
  // Span `number` of row r of matrices with n rows and d columns; it need not exist.
  __device__ Span(std::int64_t r, std::int64_t n, std::int64_t number, std::int64_t d)
      : r_(r), d_(static_cast<int>(d)), first_(kSpanColumns * static_cast<int>(number)),
        rows_(r < n) {}

  __device__ bool here(int i, int e = 0) const { return rows_ && (kWhole || column(i) + e < d_); }

  // The values of a row of d columns; zeros where there are none.
  __device__ Values load_row(const float* row) const {
    Values x = {};
    if (in_fours(row, sizeof(Four))) {
      TT_UNROLL
      for (int i = 0; i < 2; ++i)
        if (here(i)) x.at[i] = *reinterpret_cast<const Four*>(row + column(i));
    } else {
      each_value([&](int i, int e) {
        if (here(i, e)) x.at[i].at[e] = row[column(i) + e];
      });
    }
    return x;
  }
  __device__ Values load(const float* matrix) const { return load_row(matrix + r_ * d_); }
  // The values of a bfloat16 matrix.
  __device__ RoundedValues load(const Bfloat16* matrix) const {
    const Bfloat16* row = matrix + r_ * ceil8(d_);
    RoundedValues x = {};
    if (in_fours(row, sizeof(FourRounded))) {
      TT_UNROLL
      for (int i = 0; i < 2; ++i)
        if (here(i)) x.at[i] = *reinterpret_cast<const FourRounded*>(row + column(i));
    } else {
      each_value([&](int i, int e) {
        if (here(i, e)) x.at[i].at[e] = row[column(i) + e];
      });
    }
    return x;
  }

  __device__ void store(const Values& x, float* matrix) const { store_row(x, matrix + r_ * d_); }
  __device__ void store_row(const Values& x, float* row) const {
    if (in_fours(row, sizeof(Four))) {
      TT_UNROLL
      for (int i = 0; i < 2; ++i)
        if (here(i)) *reinterpret_cast<Four*>(row + column(i)) = x.at[i];
    } else {
      each_value([&](int i, int e) {
        if (here(i, e)) row[column(i) + e] = x.at[i].at[e];
      });
    }
  }

  // With the zeros behind a row. Null: it is not wanted.
  __device__ void round(const Values& x, Bfloat16* matrix) const {
    if (!matrix || !rows_) return;
    const int ld = static_cast<int>(ceil8(d_));
    Bfloat16* row = matrix + r_ * ld;
    if (in_fours(row, sizeof(FourRounded))) {
      TT_UNROLL
      for (int i = 0; i < 2; ++i)
        if (column(i) < ld)
          *reinterpret_cast<FourRounded*>(row + column(i)) =
              here(i) ? nearest(x.at[i]) : FourRounded{};
    } else {
      each_value([&](int i, int e) {
        if (column(i) + e < ld)
          row[column(i) + e] = here(i, e) ? nearest(x.at[i].at[e]) : Bfloat16{0};
      });
    }
  }

  // Calls f(i, e, factor) with the factors of dropout. The whole warp must call it. Each thread
  // draws a lane of one of the four groups of a span (tensor/dropout.h), and a vote tells all
  // threads which elements of a part are kept.
  template <class F>
  __device__ void dropped(const Dropout& dropout, F f) const {
    if (dropout.rate == 0) return each_value([&](int i, int e) { f(i, e, 1.0f); });
    const auto group = static_cast<std::uint64_t>(r_ * ((d_ + 63) / 64) + first_ / 64 + lane() / 8);
    const DropoutLane mine(dropout, group, lane() % 8);
    std::uint32_t kept = 0;
    TT_UNROLL
    for (int part = 0; part < 8; ++part) {
      const std::uint32_t of_part = vote(mine.factor(part) != 0);
      if (lane() % 16 / 2 == part) kept = of_part;
    }
    const float scale = 1.0f / (1.0f - dropout.rate);
    each_value([&](int i, int e) {
      f(i, e, kept >> (16 * i + lane() / 16 * 8 + lane() % 2 * 4 + e) & 1 ? scale : 0);
    });
  }

 private:
  __device__ int column(int i) const { return first_ + 4 * (kWarp * i + lane()); }
  __device__ bool in_fours(const void* row, std::size_t bytes) const {
    return kWhole || (d_ % 4 == 0 && whole(row, bytes));
  }

  std::int64_t r_;
  int d_, first_;
  bool rows_;
};

// Whether Span<true> may be used, of spans that exist.
template <class... Pointers>
bool in_whole_spans(std::int64_t d, const Pointers*... at) {
  return d % kSpanColumns == 0 && (whole(at, 16) && ...);
}

__host__ __device__ inline std::int64_t spans_of_row(std::int64_t d) {
  return divide_up(d, kSpanColumns);
}

// to[c] for the columns c of span `number`: what number(i, e) is, summed over the warps of the
// block, whose shared memory it needs (bytes_for_sums()).
template <class T, class Number>
__device__ void sum_over_warps(T* to, std::int64_t number, std::int64_t d, Number value) {
  auto* room = shared<T>();  // [warps, kSpanColumns]
  const int warps = static_cast<int>(blockDim.x) / kWarp,
            warp = static_cast<int>(threadIdx.x) / kWarp;
  __syncthreads();
  each_value([&](int i, int e) {
    room[warp * kSpanColumns + 4 * (kWarp * i + lane()) + e] = value(i, e);
  });
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < kSpanColumns && number * kSpanColumns + c < d;
       c += static_cast<int>(blockDim.x)) {
    T sum = room[c];
    for (int w = 1; w < warps; ++w) sum += room[w * kSpanColumns + c];
    to[number * kSpanColumns + c] = sum;
  }
}
template <class T>
std::size_t bytes_for_sums() {
  return kRowsOfBlock * kSpanColumns * sizeof(T);
}
// The rows of a block that makes such sums, a warp for each row at a time.
constexpr std::int64_t kRowsOfStretch = 64;

// Kernels in which a warp has kCount spans of a row, kSpans if nothing else is said.
constexpr int kSpans = 2;
struct SpansOfWarp {
  std::int64_t r, first;  // the row, and the first of its spans
};
template <int kCount = kSpans>
__device__ SpansOfWarp spans_of_warp(std::int64_t d) {
  const std::int64_t parts = (d + kSpanColumns * kCount - 1) / (kSpanColumns * kCount),
                     i = warp_row();
  return {i / parts, i % parts * kCount};
}
template <int kCount = kSpans, class... Parameters, class... Arguments>
void launch_spans(const Device& device, std::int64_t n, std::int64_t d,
                  void (*kernel)(Parameters...), const Arguments&... arguments) {
  launch_rows(device, n * divide_up(spans_of_row(d), kCount), kernel, arguments...);
}

// Before a loop over spans of a warp that has kCount: up to kInRegisters of them stay in registers,
// whether or not they exist.
constexpr int kInRegisters = 4;
#ifdef __CUDA_ARCH__
#define TT_UNROLL_SPANS _Pragma("unroll (kCount <= kInRegisters ? kCount : 1)")
#else
#define TT_UNROLL_SPANS
#endif
// How many such a loop visits, of rows of d columns.
template <int kCount>
__device__ int visited_spans(std::int64_t d) {
  return kCount <= kInRegisters ? kCount : static_cast<int>(spans_of_row(d));
}

// The one of the kernels with 1, 2, 4, and 8, 16, 32 and 64 spans of a warp that suits rows of d
// columns: a warp has a whole row. Of the last ones the driver keeps local memory for all threads
// that a GPU can run: GiB. The `whole` ones are for rows of exactly so many spans, for which
// in_whole_spans() holds.
template <class Kernel>
Kernel fitting_spans(std::int64_t d, bool in_whole, const std::array<Kernel, 3>& whole,
                     const std::array<Kernel, 3>& some, const std::array<Kernel, 4>& many) {
  const std::int64_t spans = spans_of_row(d);
  if (spans > 64)
    throw Error("rows of ", d, " columns are too wide for this GPU; use fewer, or the CPU");
  if (spans > kInRegisters) return many[spans <= 8 ? 0 : spans <= 16 ? 1 : spans <= 32 ? 2 : 3];
  const std::size_t i = spans <= 1 ? 0 : spans <= 2 ? 1 : 2;
  return (in_whole && spans == std::int64_t{1} << i ? whole : some)[i];
}

}  // namespace tt::gpu
