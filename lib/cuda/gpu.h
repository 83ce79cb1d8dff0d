// How kernels are written and launched: the interface between this folder and the machine that runs
// it.
//
// A kernel is a plain function of its thread's place (blockIdx, threadIdx), the shared memory of
// its block, and its arguments. nvcc compiles it for GPUs. Any other C++ compiler compiles the same
// source for a machine without one: there the threads of a block take turns on one processor, and
// the functions declared under "emulated" below are defined in tests/. So every kernel is tested
// without a GPU, and the thread sanitizer finds its races.
//
// Kernels may use dim3, threadIdx, blockIdx, blockDim, gridDim (threads only in x), shared(),
// __syncthreads(), __syncwarp(), shuffle(), shuffle_xor(), vote(), add_products(), prefetch(),
// store_alike(), and what tensor_cores.h has. All threads of a block must reach the same
// __syncthreads(), all 32 of a warp the same __syncwarp(), shuffle, vote and product.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "cuda/device.h"

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include <functional>
#endif

namespace tt::gpu {

// Before a loop over registers, whose numbers must be known when it is compiled.
#ifdef __CUDA_ARCH__
#define TT_UNROLL _Pragma("unroll")
#else
#define TT_UNROLL
#endif
// A function that is called, where copies of it would be many.
#ifdef __CUDACC__
#define TT_CALLED __noinline__
#else
#define TT_CALLED
#endif

constexpr int kWarp = 32;
constexpr std::size_t kPlainShared = 48 << 10;  // more shared memory must be requested explicitly
constexpr std::size_t kMostShared = 64 << 10;   // available on every GPU since 2018
constexpr std::int64_t kMostAcross = 65535;     // blocks of a grid in y

#ifdef __CUDACC__

// Throws Error, saying what was attempted, if the call failed.
void check(cudaError_t result, const char* attempted);

// The shared memory of the block, of the size given at launch.
template <class T>
__device__ T* shared() {
  extern __shared__ __align__(16) unsigned char tt_shared[];
  return reinterpret_cast<T*>(tt_shared);
}

// The value of thread `from` of the same warp.
template <class T>
__device__ T shuffle(T x, int from) {
  return __shfl_sync(0xFFFFFFFFu, x, from);
}

// The value of the thread of the same warp whose number differs in the bits of `mask`.
template <class T>
__device__ T shuffle_xor(T x, int mask) {
  return __shfl_xor_sync(0xFFFFFFFFu, x, mask);
}

// Numbers of all threads of the warp, to be read by all of them together.
template <int kCount>
class OfWarp {
 public:
  __device__ explicit OfWarp(const float (&mine)[kCount]) : mine_(mine) {}
  __device__ float operator()(int thread, int i) const { return shuffle(mine_[i], thread); }

 private:
  const float (&mine_)[kCount];
};

// A bit for each thread of the warp: what it asked.
__device__ inline std::uint32_t vote(bool asked) { return __ballot_sync(0xFFFFFFFFu, asked); }

// Asks for the 128 bytes around an address, to have them in the cache when they are read.
__device__ inline void prefetch(const void* at) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

// A store beside which other threads may store the same number.
__device__ inline void store_alike(float* at, float x) { *at = x; }

// sum + the products of four signed bytes each.
__device__ inline std::int32_t add_products(std::int32_t sum, std::uint32_t a, std::uint32_t b) {
  return __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
}

// Queues a kernel on the device. Nothing happens if the grid is empty. Throws Error if it cannot be
// started, or an earlier one failed.
template <class... Parameters, class... Arguments>
void launch(const Device& device, dim3 grid, std::int64_t threads, std::size_t shared_bytes,
            void (*kernel)(Parameters...), const Arguments&... arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  device.use();
  // Always the same, since another thread may be launching this kernel with more.
  if (shared_bytes > kPlainShared)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(kMostShared)),
          "to set a kernel's shared memory");
  kernel<<<grid, static_cast<unsigned>(threads), shared_bytes,
           static_cast<cudaStream_t>(device.stream())>>>(arguments...);
  check(cudaGetLastError(), "to start a kernel");
}

#else  // emulated

#define __global__
#define __device__
#define __host__
#define __restrict__
#define __launch_bounds__(...)

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

// The indices of the running thread.
struct ThreadIndex {
  dim3 thread, block, threads, grid;
};
ThreadIndex& thread_index();
#define threadIdx (::tt::gpu::thread_index().thread)
#define blockIdx (::tt::gpu::thread_index().block)
#define blockDim (::tt::gpu::thread_index().threads)
#define gridDim (::tt::gpu::thread_index().grid)
#define __syncthreads ::tt::gpu::sync_block
#define __syncwarp ::tt::gpu::sync_warp

void sync_block();
void sync_warp();
void* shared_memory();
// Memory for what the threads of the warp give, kGiven bytes each, until the second call after
// this; and a barrier that orders nothing else.
constexpr std::size_t kGiven = 64;
void* room_of_warp();
void meet_warp();
// Runs `thread` once for every thread of every block.
void run(dim3 grid, std::int64_t threads, std::size_t shared_bytes,
         const std::function<void()>& thread);

template <class T>
T* shared() {
  return static_cast<T*>(shared_memory());
}

// The thread sanitizer would take what follows for races.
#define TT_UNWATCHED __attribute__((no_sanitize("thread")))

// The values that all threads of the warp give.
template <class T>
TT_UNWATCHED const T* given_by_warp(const T& mine) {
  static_assert(sizeof(T) <= kGiven);
  auto* all = static_cast<T*>(room_of_warp());
  all[threadIdx.x % kWarp] = mine;
  meet_warp();
  return all;
}

template <class T>
TT_UNWATCHED T shuffle(T x, int from) {
  return given_by_warp(x)[from];
}

template <class T>
T shuffle_xor(T x, int mask) {
  return shuffle(x, static_cast<int>(threadIdx.x) % kWarp ^ mask);
}

template <int kCount>
class OfWarp {
 public:
  TT_UNWATCHED explicit OfWarp(const float (&mine)[kCount]) {
    Numbers numbers;
    for (int i = 0; i < kCount; ++i) numbers.at[i] = mine[i];
    all_ = given_by_warp(numbers);
  }
  TT_UNWATCHED float operator()(int thread, int i) const { return all_[thread].at[i]; }

 private:
  struct Numbers {
    float at[kCount];
  };
  const Numbers* all_;
};

TT_UNWATCHED inline std::uint32_t vote(bool asked) {
  const bool* all = given_by_warp(asked);
  std::uint32_t bits = 0;
  for (int i = 0; i < kWarp; ++i) bits |= std::uint32_t{all[i]} << i;
  return bits;
}

inline void prefetch(const void*) {}
inline void store_alike(float* at, float x) { __atomic_store(at, &x, __ATOMIC_RELAXED); }

inline std::int32_t add_products(std::int32_t sum, std::uint32_t a, std::uint32_t b) {
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<std::int8_t>(a >> i & 0xFF) * static_cast<std::int8_t>(b >> i & 0xFF);
  return sum;
}

template <class... Parameters, class... Arguments>
void launch(const Device&, dim3 grid, std::int64_t threads, std::size_t shared_bytes,
            void (*kernel)(Parameters...), const Arguments&... arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  run(grid, threads, shared_bytes, [&] { kernel(arguments...); });
}

#endif

// A grid of `n` by `m` blocks. Throws Error if a GPU has no such grids.
inline dim3 blocks(std::int64_t n, std::int64_t m = 1) {
  if (n >= std::int64_t{1} << 31 || m > kMostAcross)
    throw Error("a kernel of ", n, " x ", m,
                " blocks is more than a GPU takes; use smaller batches");
  return dim3(static_cast<unsigned>(n), static_cast<unsigned>(m));
}
__host__ __device__ inline std::int64_t divide_up(std::int64_t n, std::int64_t by) {
  return (n + by - 1) / by;
}

}  // namespace tt::gpu
