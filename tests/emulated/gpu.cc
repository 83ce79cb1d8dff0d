// The GPU functions that lib/cuda needs, on a machine without a GPU: the threads of a block are
// fibres; memory and products are the host's.
//
// Threads of a block run one at a time, each until it waits for others or ends; every second launch
// takes blocks and threads in reverse order, so that a result that depends on the order differs
// between calls. Shared memory is initially NaN, and exactly as large as requested (so that the
// address sanitizer sees overruns). A thread that others wait for in vain is a failed check.
//
// For the thread sanitizer each thread of a block is one of its own, and only what orders memory on
// a GPU does so here: the start and the end of a launch, __syncthreads() in a block, __syncwarp()
// in a warp; not a shuffle or a vote. So it finds an access to shared or global memory that races
// with one by another thread of its block, or by a thread of the block before.
#include "cuda/gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cuda/cuda.h"
#include "cuda/device.h"
#include "cuda/failure.h"
#include "tensor/bfloat16.h"
#include "tests/emulated/fibre.h"
#include "tests/emulated/gpu.h"

namespace tt::gpu {
namespace {

// A barrier: the last thread to arrive releases all.
struct Barrier {
  int members = 0, waiting = 0, passed = 0;
  std::uint64_t order[2] = {};  // what is ordered by one round, while the next begins
};

struct Thread {
  Fibre fibre;
  ThreadIndex index;
  const Barrier* waits_at = nullptr;
  int waits_for = 0;  // what `passed` must have become

  bool can_run() const { return !fibre.done() && (!waits_at || waits_at->passed >= waits_for); }
};

struct Warp {
  Barrier barrier{kWarp};
  alignas(16) unsigned char given[2][kWarp *
                                     kGiven];  // one round may be read while the next is written
  int round[kWarp] = {};                       // of each thread
};

// Shared by the threads of a block. There is a new one for each: nothing orders two blocks.
struct Block {
  Barrier barrier;
  std::vector<Warp> warps;
  std::vector<unsigned char> shared;
  std::uint64_t begin = 0;  // orders what came before the launch

  Block(int threads, std::size_t shared_bytes)
      : barrier{threads}, warps(static_cast<std::size_t>(threads / kWarp)),
        shared(shared_bytes, 0xFF) {}
};

// Threads of one number in two blocks, one after the other, are two for the thread sanitizer.
#if defined(TT_TSAN)
constexpr int kSets = 2;
#else
constexpr int kSets = 1;
#endif

// One processor of the host as a GPU.
struct Processor {
  std::deque<Thread> threads;  // kSets for each of a block; never fewer than before
  std::unique_ptr<Block> block;
  Thread* running = nullptr;
  bool backwards = false;
  std::uint64_t end = 0;  // orders what comes after the launch

  void wait(Barrier& barrier, bool orders);
  void run_block(std::size_t first, dim3 grid, dim3 at, const std::function<void()>& function);
};

thread_local Processor* processor = nullptr;  // while it runs a kernel

void Processor::wait(Barrier& barrier, bool orders) {
  Thread& self = *running;
  void* order = &barrier.order[barrier.passed % 2];
  if (orders) happens_before(order);
  if (++barrier.waiting == barrier.members) {
    barrier.waiting = 0;
    ++barrier.passed;
  } else {
    self.waits_at = &barrier;
    self.waits_for = barrier.passed + 1;
    self.fibre.pause();
    self.waits_at = nullptr;
  }
  if (orders) happens_after(order);
}

// Requires that `block` is new.
void Processor::run_block(std::size_t first, dim3 grid, dim3 at,
                          const std::function<void()>& function) {
  const int n = block->barrier.members;
  happens_before(&block->begin);
  for (int i = 0; i < n; ++i) {
    Thread& thread = threads[first + static_cast<std::size_t>(i)];
    thread.index = {dim3(static_cast<unsigned>(i)), at, dim3(static_cast<unsigned>(n)), grid};
    thread.waits_at = nullptr;
    thread.fibre.start(function);
  }
  for (int left = n; left > 0;) {
    bool moved = false;
    for (int i = 0; i < n; ++i) {
      Thread& thread = threads[first + static_cast<std::size_t>(backwards ? n - 1 - i : i)];
      if (!thread.can_run()) continue;
      running = &thread;
      thread.fibre.resume();
      running = nullptr;
      moved = true;
      if (thread.fibre.done()) --left;
    }
    TT_CHECK(moved || left == 0);  // threads wait for others that have ended, or wait elsewhere
  }
  TT_CHECK(block->barrier.waiting == 0);
}

}  // namespace

}  // namespace tt::gpu

namespace tt {

EmulatedGpu& emulated_gpu() {
  static EmulatedGpu gpu;
  return gpu;
}

}  // namespace tt

namespace tt::gpu {

ThreadIndex& thread_index() { return processor->running->index; }

void* shared_memory() { return processor->block->shared.data(); }

void sync_block() { processor->wait(processor->block->barrier, true); }

namespace {

Warp& warp() { return processor->block->warps[processor->running->index.thread.x / kWarp]; }

}  // namespace

void sync_warp() { processor->wait(warp().barrier, true); }

void* room_of_warp() {
  Warp& of = warp();
  return of.given[of.round[processor->running->index.thread.x % kWarp]++ % 2];
}

void meet_warp() { processor->wait(warp().barrier, false); }

void run(dim3 grid, std::int64_t n, std::size_t shared_bytes,
         const std::function<void()>& function) {
  static thread_local Processor p;
  processor = &p;
  TT_CHECK(p.running == nullptr && n >= 1 && n <= 1024 && n % kWarp == 0 &&
           shared_bytes <= kMostShared);
  std::atomic<std::int64_t>& left = emulated_gpu().launches;
  for (std::int64_t before = left; before >= 0;) {
    if (before == 0) gpu_failed("to start a kernel", "an emulated failure");
    if (left.compare_exchange_weak(before, before - 1)) break;
  }
  TT_CHECK(grid.x < (1u << 31) && grid.y < (1u << 16) && grid.z < (1u << 16));
  const std::size_t members = static_cast<std::size_t>(n);
  while (p.threads.size() < kSets * members) p.threads.emplace_back();
  p.backwards = !p.backwards;
  const std::function<void()> thread = [&] {
    happens_after(&p.block->begin);
    function();
    happens_before(&p.end);
  };
  const std::int64_t count = std::int64_t{grid.x} * grid.y * grid.z;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t b = p.backwards ? count - 1 - i : i;
    {
      const Unwatched memory;  // may be that of the block before, which nothing orders
      p.block.reset();
      p.block = std::make_unique<Block>(static_cast<int>(n), shared_bytes);
    }
    p.run_block(static_cast<std::size_t>(i % kSets) * members, grid,
                dim3(static_cast<unsigned>(b % grid.x), static_cast<unsigned>(b / grid.x % grid.y),
                     static_cast<unsigned>(b / grid.x / grid.y)),
                thread);
  }
  happens_after(&p.end);
}

// Memory and products.

struct Device::Library {
  CpuBackend cpu;
  std::mutex mutex;
  std::map<void*, std::size_t> sizes;  // of what is allocated
  std::size_t left = emulated_gpu().memory;
};

Device::Device(int number, Precision precision)
    : number_(number), precision_(precision), library_(std::make_unique<Library>()) {
  if (number_ != 0) no_such_gpu(number_, 1);
}
Device::~Device() { release(scratch_); }
void Device::use() const {}
void* Device::allocate(std::size_t bytes) const {
  const std::lock_guard lock(library_->mutex);
  if (bytes > library_->left) out_of_memory(bytes, library_->left, emulated_gpu().memory);
  void* at = library_->cpu.allocate(bytes);
  std::memset(at, 0xFF, bytes);
  library_->left -= library_->sizes[at] = bytes;
  return at;
}
void Device::release(void* memory) const {
  if (!memory) return;
  const std::lock_guard lock(library_->mutex);
  library_->left += library_->sizes.at(memory);
  library_->sizes.erase(memory);
  library_->cpu.release(memory);
}
void Device::upload(void* to, const void* from, std::size_t bytes) const {
  library_->cpu.upload(to, from, bytes);
}
void Device::download(void* to, const void* from, std::size_t bytes) const {
  synchronise();
  library_->cpu.download(to, from, bytes);
}
// A GPU says what has failed when it is asked next.
void Device::synchronise() const {
  if (emulated_gpu().launches == 0) gpu_failed("while it computed", "an emulated failure");
}

bool Device::multiply(const Product& p) const {
  if (reinterpret_cast<std::uintptr_t>(p.bias) % 16 != 0)
    gpu_failed("while it computed", "misaligned address");
  TT_CHECK(p.a.type == p.b.type);
  Product of = p;
  if (!emulated_gpu().adds_bias) of.bias = nullptr;
  std::vector<float> wide_a, wide_b, wide_c;
  const auto widened = [](const ConstMatrix& from, std::vector<float>& to) {
    if (from.type == ElementType::float32) return from;
    to.resize(static_cast<std::size_t>(from.rows * from.columns));
    for (std::int64_t r = 0; r < from.rows; ++r)
      std::transform(from.as<Bfloat16>() + r * from.stride,
                     from.as<Bfloat16>() + r * from.stride + from.columns,
                     to.begin() + r * from.columns, widen);
    return ConstMatrix(float32(to.data(), from.rows, from.columns));
  };
  of.a = widened(p.a, wide_a);
  of.b = widened(p.b, wide_b);
  const bool rounds = p.c.type == ElementType::bfloat16;
  if (rounds) {
    wide_c.resize(static_cast<std::size_t>(p.c.rows * p.c.columns));
    of.c = float32(wide_c.data(), p.c.rows, p.c.columns);
  }
  library_->cpu.product(of);
  for (std::int64_t r = 0; rounds && r < p.c.rows; ++r) {
    const float* row = of.c.floats() + r * of.c.stride;
    std::transform(row, row + of.c.columns, p.c.as<Bfloat16>() + r * p.c.stride, nearest_bfloat16);
  }
  return of.bias == p.bias;
}

}  // namespace tt::gpu

namespace tt {

CudaBackend::CudaBackend(int number, Precision precision)
    : device_(std::make_unique<gpu::Device>(number, precision)) {}
CudaBackend::~CudaBackend() = default;
void* CudaBackend::allocate(std::size_t bytes) const { return device_->allocate(bytes); }
void CudaBackend::release(void* memory) const { device_->release(memory); }
void CudaBackend::upload(void* to, const void* from, std::size_t bytes) const {
  device_->upload(to, from, bytes);
}
void CudaBackend::download(void* to, const void* from, std::size_t bytes) const {
  device_->download(to, from, bytes);
}
void CudaBackend::synchronise() const { device_->synchronise(); }

}  // namespace tt
