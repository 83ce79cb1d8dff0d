// BLAS stays on the thread that called it, calls on several threads do not disturb each other, and
// threads of the emulated GPU wait for each other; tests/cli/races-on-an-emulated-gpu.sh runs what
// the thread sanitizer must call a race.
#include <cblas.h>
#include <time.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "cpu/cpu.h"
#include "tests/catch.h"
#if !defined(TT_CUDA)
#include "cuda/device.h"
#include "cuda/gpu.h"
#endif

namespace tt {
namespace {

double seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

TEST_CASE("a product runs on the calling thread alone") {
  const CpuBackend backend;
  CHECK(openblas_get_num_threads() == 1);
  constexpr std::int64_t kSize = 1024;
  std::vector<float> a(kSize * kSize, 0.5f), b(a), c(a);
  // Processor time, not time: what other threads of this process consume while this one multiplies.
  // The library's own wait for work in a loop for a while after they were made.
  double mine = 0, others = 0;
  for (int tries = 0; tries < 20; ++tries) {
    const double process = seconds(CLOCK_PROCESS_CPUTIME_ID),
                 thread = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < 8; ++i)
      backend.product({false, false, float32(a.data(), kSize, kSize),
                       float32(b.data(), kSize, kSize), false, float32(c.data(), kSize, kSize)});
    mine = seconds(CLOCK_THREAD_CPUTIME_ID) - thread;
    others = seconds(CLOCK_PROCESS_CPUTIME_ID) - process - mine;
    if (others < 0.1 * mine) break;
  }
  CHECK(others < 0.1 * mine);
}

TEST_CASE("products on four threads at once give the bits that each gives alone") {
  const CpuBackend backend;
  constexpr std::int64_t kTasks = 16, m = 70, n = 200, k = 300;
  std::vector<float> a(kTasks * m * k), b(k * n), alone(kTasks * m * n),
      together(kTasks * m * n, -1);
  Random numbers(1);
  for (auto* x : {&a, &b})
    for (float& v : *x) v = numbers.normal();
  const auto multiply = [&](std::size_t task, std::vector<float>& c) {
    backend.product({false, false, float32(a.data() + task * m * k, m, k), float32(b.data(), k, n),
                     false, float32(c.data() + task * m * n, m, n)});
  };
  for (std::size_t i = 0; i < kTasks; ++i) multiply(i, alone);
  ThreadPool pool(4);
  pool.run(kTasks, [&](std::size_t i, int) { multiply(i, together); });
  CHECK(alone == together);
}

}  // namespace
}  // namespace tt

#if !defined(TT_CUDA)
namespace tt::gpu {
namespace {

enum class Order { none, shuffle, warp, block };

void order_by(Order order) {
  if (order == Order::shuffle) shuffle(0, 0);
  if (order == Order::warp) __syncwarp();
  if (order == Order::block) __syncthreads();
}

// Each thread reads what the one `distance` behind it has written.
void read_neighbour(Order order, unsigned distance, float* out) {
  auto* room = shared<float>();
  room[threadIdx.x] = static_cast<float>(threadIdx.x);
  order_by(order);
  out[blockIdx.x * blockDim.x + threadIdx.x] = room[(threadIdx.x + distance) % blockDim.x];
}
void read_all(Order order, unsigned distance) {
  const Device device(0, Precision::float32);
  std::vector<float> out(3 * 64);
  launch(device, blocks(3), 64, 64 * sizeof(float), read_neighbour, order, distance, out.data());
  for (unsigned i = 0; order == Order::block && i < out.size(); ++i)
    CHECK(out[i] == static_cast<float>((i + distance) % 64));
}

// Block b + 1 writes from `step` numbers behind where block b does.
void overwrite(std::int64_t step, float* out) { out[blockIdx.x * step + threadIdx.x] = 1; }
void write_all(std::int64_t step) {
  const Device device(0, Precision::float32);
  std::vector<float> out(3 * 64);
  for (int launches = 0; launches < 2; ++launches)
    launch(device, blocks(3), 32, 0, overwrite, step, out.data());
  CHECK(std::count(out.begin(), out.end(), 1.0f) == 2 * step + 32);
}

TEST_CASE("race on the emulated GPU: nothing", "[.][race]") { read_all(Order::none, 1); }
TEST_CASE("race on the emulated GPU: a shuffle", "[.][race]") { read_all(Order::shuffle, 1); }
TEST_CASE("race on the emulated GPU: a warp's barrier for a block", "[.][race]") {
  read_all(Order::warp, 32);
}
TEST_CASE("race on the emulated GPU: the same threads of two blocks", "[.][race]") { write_all(0); }
TEST_CASE("race on the emulated GPU: other threads of two blocks", "[.][race]") { write_all(16); }
TEST_CASE("no race on the emulated GPU: a block's barrier", "[race]") {
  read_all(Order::block, 33);
}
TEST_CASE("no race on the emulated GPU: two launches", "[race]") { write_all(32); }

}  // namespace
}  // namespace tt::gpu
#endif
