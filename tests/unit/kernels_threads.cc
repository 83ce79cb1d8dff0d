// BLAS stays on the thread that called it, and calls on several threads do not disturb each other.
#include <cblas.h>
#include <time.h>

#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "cpu/cpu.h"
#include "tests/catch.h"

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
  const double process = seconds(CLOCK_PROCESS_CPUTIME_ID), thread = seconds(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < 8; ++i)
    backend.product({false, false, kSize, kSize, kSize, a.data(), kSize, b.data(), kSize, false, c.data(), kSize});
  const double mine = seconds(CLOCK_THREAD_CPUTIME_ID) - thread, all = seconds(CLOCK_PROCESS_CPUTIME_ID) - process;
  // Processor time, not time: what other threads of this process consumed while this one multiplied.
  CHECK(all - mine < 0.1 * mine);
}

TEST_CASE("products on four threads at once give the bits that each gives alone") {
  const CpuBackend backend;
  constexpr std::int64_t kTasks = 16, m = 70, n = 200, k = 300;
  std::vector<float> a(kTasks * m * k), b(k * n), alone(kTasks * m * n), together(kTasks * m * n, -1);
  Random numbers(1);
  for (auto* x : {&a, &b})
    for (float& v : *x) v = numbers.normal();
  const auto multiply = [&](std::size_t task, std::vector<float>& c) {
    backend.product({false, false, m, n, k, a.data() + task * m * k, k, b.data(), n, false, c.data() + task * m * n, n});
  };
  for (std::size_t i = 0; i < kTasks; ++i) multiply(i, alone);
  ThreadPool pool(4);
  pool.run(kTasks, [&](std::size_t i, int) { multiply(i, together); });
  CHECK(alone == together);
}

}  // namespace
}  // namespace tt
