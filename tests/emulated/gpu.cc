// The GPU functions that lib/cuda needs, on a machine without a GPU: the threads of a block are fibres; memory and products are
// the host's.
//
// Threads of a block run one at a time, each until it waits for others or ends; every second launch takes blocks and threads in
// reverse order, so that a result that depends on the order differs between calls. Shared memory is initially NaN, and exactly as
// large as requested (so that the address sanitizer sees overruns). A thread that others wait for in vain is a failed check.
#include "cuda/gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
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
};

struct Thread {
  Fibre fibre;
  Place place;
  const Barrier* waits_at = nullptr;
  int waits_for = 0;  // what `passed` must have become

  bool can_run() const { return !fibre.done() && (!waits_at || waits_at->passed >= waits_for); }
};

struct Warp {
  Barrier barrier;
  std::uint64_t given[2][kWarp];  // one round may be read while the next is written
  int round[kWarp];               // of each thread
};

// One processor of the host as a GPU.
struct Processor {
  std::deque<Thread> threads;  // never fewer than before
  std::vector<Warp> warps;
  Barrier block;
  std::vector<unsigned char> shared;
  Thread* running = nullptr;
  Place nowhere;
  bool backwards = false;

  void wait(Barrier& barrier);
  void run_block(dim3 grid, dim3 at, int n, const std::function<void()>& function);
};

thread_local Processor processor;

void Processor::wait(Barrier& barrier) {
  Thread& self = *running;
  if (++barrier.waiting == barrier.members) {
    barrier.waiting = 0;
    ++barrier.passed;
    return;
  }
  self.waits_at = &barrier;
  self.waits_for = barrier.passed + 1;
  self.fibre.pause();
  self.waits_at = nullptr;
}

void Processor::run_block(dim3 grid, dim3 at, int n, const std::function<void()>& function) {
  block = {n, 0, 0};
  for (Warp& warp : warps) {
    warp.barrier = {kWarp, 0, 0};
    std::memset(warp.round, 0, sizeof warp.round);
  }
  for (int i = 0; i < n; ++i) {
    Thread& thread = threads[static_cast<std::size_t>(i)];
    thread.place = {dim3(static_cast<unsigned>(i)), at, dim3(static_cast<unsigned>(n)), grid};
    thread.waits_at = nullptr;
    thread.fibre.start(function);
  }
  for (int left = n; left > 0;) {
    bool moved = false;
    for (int i = 0; i < n; ++i) {
      Thread& thread = threads[static_cast<std::size_t>(backwards ? n - 1 - i : i)];
      if (!thread.can_run()) continue;
      running = &thread;
      thread.fibre.resume();
      running = nullptr;
      moved = true;
      if (thread.fibre.done()) --left;
    }
    TT_CHECK(moved || left == 0);  // threads wait for others that have ended, or wait elsewhere
  }
  TT_CHECK(block.waiting == 0);
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

Place& place() { return processor.running ? processor.running->place : processor.nowhere; }

void* shared_memory() { return processor.shared.data(); }

void sync_block() { processor.wait(processor.block); }

namespace {

// What the threads of the warp give, each for itself.
const std::uint64_t* given_by_warp(std::uint64_t mine) {
  const std::size_t i = processor.running->place.thread.x;
  Warp& warp = processor.warps[i / kWarp];
  const std::size_t me = i % kWarp;
  std::uint64_t* all = warp.given[warp.round[me]++ % 2];
  all[me] = mine;
  processor.wait(warp.barrier);
  return all;
}

}  // namespace

std::uint64_t exchange(std::uint64_t given, int from) { return given_by_warp(given)[from]; }

std::uint32_t vote(bool asked) {
  const std::uint64_t* all = given_by_warp(asked);
  std::uint32_t bits = 0;
  for (int i = 0; i < kWarp; ++i) bits |= static_cast<std::uint32_t>(all[i]) << i;
  return bits;
}

void run(dim3 grid, std::int64_t n, std::size_t shared_bytes, const std::function<void()>& function) {
  Processor& p = processor;
  TT_CHECK(p.running == nullptr && n >= 1 && n <= 1024 && n % kWarp == 0 && shared_bytes <= kMostShared);
  std::atomic<std::int64_t>& left = emulated_gpu().launches;
  for (std::int64_t before = left; before >= 0;) {
    if (before == 0) gpu_failed("to start a kernel", "an emulated failure");
    if (left.compare_exchange_weak(before, before - 1)) break;
  }
  TT_CHECK(grid.x < (1u << 31) && grid.y < (1u << 16) && grid.z < (1u << 16));
  while (p.threads.size() < static_cast<std::size_t>(n)) p.threads.emplace_back();
  p.warps.resize(static_cast<std::size_t>(n / kWarp));
  p.backwards = !p.backwards;
  const std::int64_t count = std::int64_t{grid.x} * grid.y * grid.z;
  std::vector<unsigned char>(shared_bytes).swap(p.shared);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t b = p.backwards ? count - 1 - i : i;
    std::fill(p.shared.begin(), p.shared.end(), static_cast<unsigned char>(0xFF));
    p.run_block(grid,
                dim3(static_cast<unsigned>(b % grid.x), static_cast<unsigned>(b / grid.x % grid.y),
                     static_cast<unsigned>(b / grid.x / grid.y)),
                static_cast<int>(n), function);
  }
}

// Memory and products.

struct Device::Library {
  CpuBackend cpu;
  std::mutex mutex;
  std::map<void*, std::size_t> sizes;  // of what is allocated
  std::size_t left = emulated_gpu().memory;
};

Device::Device(int number, Precision precision) : number_(number), precision_(precision), library_(std::make_unique<Library>()) {
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
void Device::upload(void* to, const void* from, std::size_t bytes) const { library_->cpu.upload(to, from, bytes); }
void Device::download(void* to, const void* from, std::size_t bytes) const {
  synchronise();
  library_->cpu.download(to, from, bytes);
}
// A GPU says what has failed when it is asked next.
void Device::synchronise() const {
  if (emulated_gpu().launches == 0) gpu_failed("while it computed", "an emulated failure");
}

bool Device::multiply(const Product& p, Number type, const void* a, const void* b) const {
  if (reinterpret_cast<std::uintptr_t>(p.bias) % 16 != 0) gpu_failed("while it computed", "misaligned address");
  Product of = p;
  if (!emulated_gpu().adds_bias) of.bias = nullptr;
  std::vector<float> wide_a, wide_b;
  const auto widen = [](const void* from, std::int64_t rows, std::int64_t columns, std::int64_t ld, std::vector<float>& to) {
    const auto* halves = static_cast<const std::uint16_t*>(from);
    to.resize(static_cast<std::size_t>(rows * ld));
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        const std::uint32_t bits = std::uint32_t{halves[r * ld + c]} << 16;
        std::memcpy(&to[static_cast<std::size_t>(r * ld + c)], &bits, sizeof bits);
      }
    return to.data();
  };
  const bool wide = type == Number::float32;
  of.a = wide ? static_cast<const float*>(a) : widen(a, p.transpose_a ? p.k : p.m, p.transpose_a ? p.m : p.k, p.lda, wide_a);
  of.b = wide ? static_cast<const float*>(b) : widen(b, p.transpose_b ? p.n : p.k, p.transpose_b ? p.k : p.n, p.ldb, wide_b);
  std::vector<float> wide_c;
  if (p.rounded_c) {
    wide_c.resize(static_cast<std::size_t>(p.m * p.ldc));
    of.c = wide_c.data();
  }
  library_->cpu.product(of);
  for (std::int64_t r = 0; p.rounded_c && r < p.m; ++r)
    std::transform(of.c + r * p.ldc, of.c + r * p.ldc + p.n, p.rounded_c + r * p.ldc, nearest_bfloat16);
  return of.bias == p.bias;
}

}  // namespace tt::gpu

namespace tt {

CudaBackend::CudaBackend(int number, Precision precision) : device_(std::make_unique<gpu::Device>(number, precision)) {}
CudaBackend::~CudaBackend() = default;
void* CudaBackend::allocate(std::size_t bytes) const { return device_->allocate(bytes); }
void CudaBackend::release(void* memory) const { device_->release(memory); }
void CudaBackend::upload(void* to, const void* from, std::size_t bytes) const { device_->upload(to, from, bytes); }
void CudaBackend::download(void* to, const void* from, std::size_t bytes) const { device_->download(to, from, bytes); }
void CudaBackend::synchronise() const { device_->synchronise(); }

}  // namespace tt
