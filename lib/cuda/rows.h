// Shared by kernels that iterate over rows: sums over a warp and a block, and dropout factors.
#pragma once

#include "cuda/gpu.h"

namespace tt::gpu {

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Largest {  // NaN is ignored; it shows in the sums
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// e^x; what is lost for a large x is lost in rounding it to a number of the exponent's size.
__device__ inline float power_of_e(float x) { return exp2f(x * 1.44269504f); }

// Combines x over the threads of a warp; all get the same bits.
template <class T, class Combine>
__device__ T over_warp(T x, Combine combine) {
  for (int mask = kWarp / 2; mask > 0; mask /= 2) x = combine(x, shuffle_xor(x, mask));
  return x;
}

// Combines over a block of whole warps; `room` is shared memory for one T per warp. Every thread
// must call it.
template <class T, class Combine>
__device__ T over_block(T x, T* room, Combine combine) {
  x = over_warp(x, combine);
  const int warps = static_cast<int>(blockDim.x) / kWarp,
            warp = static_cast<int>(threadIdx.x) / kWarp;
  __syncthreads();  // the previous call may still be reading `room`
  if (threadIdx.x % kWarp == 0) room[warp] = x;
  __syncthreads();
  T all = room[0];
  for (int i = 1; i < warps; ++i) all = combine(all, room[i]);
  return all;
}

__host__ __device__ inline std::int64_t ceil8(std::int64_t n) { return (n + 7) / 8 * 8; }

// nearest_bfloat16() of tensor/bfloat16.h, except for the bits of a NaN.
__device__ inline Bfloat16 nearest(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  Bfloat16 y;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
#else
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  const bool nan = (bits & 0x7FFFFFFF) > 0x7F800000;
  return static_cast<Bfloat16>(nan ? 0x7FC0 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
#endif
}

__device__ inline float widen(Bfloat16 x) {
  const std::uint32_t bits = std::uint32_t{x} << 16;
  float wide;
  memcpy(&wide, &bits, sizeof wide);
  return wide;
}

// The destination of a result, of which there may be a copy: as float32 and as bfloat16, each null
// if it is not wanted.
struct Written {
  float* wide;
  Bfloat16* rounded;
  explicit Written(const Matrix& to, const Matrix& copy = {})
      : wide(to.is(ElementType::float32) ? to.floats() : nullptr),
        rounded(to.is(ElementType::bfloat16) ? to.as<Bfloat16>() : copy.as<Bfloat16>()) {}
};

// Element [r, c] of a bfloat16 matrix with d columns; null: it is not wanted. The last column
// brings the zeros behind it.
__device__ inline void put_rounded(Bfloat16* to, std::int64_t r, std::int64_t c, std::int64_t d,
                                   float x) {
  if (!to) return;
  Bfloat16* row = to + r * ceil8(d);
  row[c] = nearest(x);
  if (c == d - 1)
    for (std::int64_t i = d; i < ceil8(d); ++i) row[i] = 0;
}

// philox() of base/random.h.
struct Words {
  std::uint32_t word[4];
};
__device__ inline Words philox(std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                               std::uint32_t c3, std::uint64_t key) {
  std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c0, p1 = std::uint64_t{0xCD9E8D57} * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {{c0, c1, c2, c3}};
}

// One lane of a group of 64 elements, as defined by tensor/dropout.h: eight elements, 8 apart, for
// one block of random words.
class DropoutLane {
 public:
  __device__ DropoutLane(const Dropout& d, std::uint64_t group, int lane)
      : threshold_(static_cast<std::uint32_t>(d.rate * 65536.0f + 0.5f)),
        scale_(1.0f / (1.0f - d.rate)) {
    if (d.rate == 0) return;
    const std::uint64_t counter = 8 * group + static_cast<std::uint64_t>(lane);
    words_ = philox(static_cast<std::uint32_t>(counter),
                    d.site + (static_cast<std::uint32_t>(counter >> 32) << 16), d.update, d.shard,
                    d.seed);
  }
  // The factor of element `part` of the eight: 0 or 1 / (1 - rate).
  __device__ float factor(int part) const {
    if (threshold_ == 0 && scale_ == 1) return 1;
    const std::uint32_t half =
        part % 2 ? words_.word[part / 2] >> 16 : words_.word[part / 2] & 0xFFFF;
    return half < threshold_ ? 0 : scale_;
  }

 private:
  Words words_ = {};
  std::uint32_t threshold_;
  float scale_;
};

__device__ inline float dropout_factor(const Dropout& d, std::uint64_t element) {
  return d.rate == 0 ? 1
                     : DropoutLane(d, element / 64, static_cast<int>(element % 8))
                           .factor(static_cast<int>(element % 64 / 8));
}

// Kernels with a warp for each row.
constexpr int kRowsOfBlock = 4;
__device__ inline std::int64_t warp_row() {
  return static_cast<std::int64_t>(blockIdx.x) * kRowsOfBlock + threadIdx.x / kWarp;
}
__device__ inline int lane() { return static_cast<int>(threadIdx.x) % kWarp; }

template <class... Parameters, class... Arguments>
void launch_rows(const Device& device, std::int64_t rows, void (*kernel)(Parameters...),
                 const Arguments&... arguments) {
  launch(device, blocks(divide_up(rows, kRowsOfBlock)), kRowsOfBlock * kWarp, 0, kernel,
         arguments...);
}

// Kernels with a thread for each element.
constexpr int kThreads = 256;
__device__ inline std::int64_t element() {
  return static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
}

// The number of threads of a block for a row of n elements: whole warps, no more than have work.
inline std::int64_t row_threads(std::int64_t n) {
  return n < kThreads ? divide_up(n < 1 ? 1 : n, kWarp) * kWarp : kThreads;
}

template <class... Parameters, class... Arguments>
void launch_elements(const Device& device, std::int64_t n, void (*kernel)(Parameters...),
                     const Arguments&... arguments) {
  launch(device, blocks(divide_up(n, kThreads)), kThreads, 0, kernel, arguments...);
}

}  // namespace tt::gpu
