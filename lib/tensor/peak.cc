#include "tensor/peak.h"

#include <time.h>

#include <vector>

namespace tt {
namespace {

constexpr std::int64_t kSize = 512;

double thread_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

double product_rate(const Backend& backend, ThreadPool& pool, double seconds) {
  std::vector<double> rates(static_cast<std::size_t>(pool.threads()));
  pool.run(rates.size(), [&](std::size_t i, int) {
    std::vector<float> m(3 * kSize * kSize, 0.5f);
    const auto multiply = [&] {
      backend.product(false, false, kSize, kSize, kSize, 1, m.data(), kSize, m.data() + kSize * kSize, kSize, false, m.data() + 2 * kSize * kSize, kSize);
    };
    multiply();
    const double began = thread_seconds();
    double done = 0, flops = 0;
    do {
      multiply();
      flops += 2.0 * kSize * kSize * kSize;
      done = thread_seconds() - began;
    } while (done < seconds);
    rates[i] = flops / done;
  });
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

}  // namespace tt
