#include "tensor/peak.h"

#include <time.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "tensor/bfloat16.h"
#include "tensor/device_array.h"

namespace tt {
namespace {

constexpr std::int64_t kSize = 512, kDeviceSize = 4096;

double seconds_of(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// What a device does while its host waits: it has one queue, whatever threads fill it.
double device_rate(const Backend& backend, double seconds) {
  constexpr std::int64_t n = kDeviceSize;
  const DeviceArray<float> m(backend, std::vector<float>(n * n, 0.5f)), sums(backend, n * n);
  const DeviceArray<Bfloat16> half(backend, std::vector<Bfloat16>(backend.rounds() ? n * n : 0, nearest_bfloat16(0.5f)));
  const Bfloat16* rounded = backend.rounds() ? half.data() : nullptr;
  const auto multiply = [&] {
    backend.product({false, false, n, n, n, m.data(), n, m.data(), n, false, sums.data(), n, rounded, rounded});
  };
  multiply();
  backend.synchronise();
  const double began = seconds_of(CLOCK_MONOTONIC);
  double done = 0, flops = 0;
  do {
    multiply();
    backend.synchronise();
    flops += 2.0 * n * n * n;
    done = seconds_of(CLOCK_MONOTONIC) - began;
  } while (done < seconds);
  return flops / done;
}

}  // namespace

double product_rate(const Backend& backend, ThreadPool& pool, double seconds) {
  if (!backend.is_host()) try {
      return device_rate(backend, seconds);
    } catch (const Error&) {
      return 0;  // what was computed is worth more than this, so memory may be full
    }
  const auto thread_seconds = [] { return seconds_of(CLOCK_THREAD_CPUTIME_ID); };
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
