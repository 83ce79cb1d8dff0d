#include "tensor/peak.h"

#include <time.h>

#include <algorithm>
#include <vector>

#include "tensor/device_array.h"

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
    const std::vector<float> filled(3 * kSize * kSize, 0.5f);
    const DeviceArray<float> m(backend, filled);
    float *a = m.data(), *b = a + kSize * kSize, *c = b + kSize * kSize;
    for (const bool rows : {false, true}) {
      const auto multiply = [&] {
        if (rows) backend.row_product({false, kSize, kSize, kSize, a, b, c});
        else backend.product({false, false, kSize, kSize, kSize, a, kSize, b, kSize, false, c, kSize});
      };
      multiply();
      const double began = thread_seconds();
      double done = 0, flops = 0;
      do {
        multiply();
        flops += 2.0 * kSize * kSize * kSize;
        done = thread_seconds() - began;
      } while (done < seconds / 2);
      rates[i] = std::max(rates[i], flops / done);
    }
  });
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

}  // namespace tt
