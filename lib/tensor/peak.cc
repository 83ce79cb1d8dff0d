#include "tensor/peak.h"

#include <time.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "tensor/device_array.h"

namespace tt {
namespace {

constexpr std::int64_t kSize = 512, kMostDevice = 4096;

double seconds_of(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The rate of products of n x n matrices, for about `seconds`.
double device_rate(const Backend& backend, std::int64_t n, double seconds) {
  const std::vector<float> values = varied(n * n);
  const DeviceArray<float> m(backend, values);
  const auto sums = DeviceArray<float>::unset(backend, n * n);
  ConstMatrix factor = float32(m.data(), n, n);
  DeviceArray<float> converted;
  if (const ElementType type = backend.traits().factors; type != factor.type) {
    converted = DeviceArray<float>::unset(
        backend, static_cast<std::int64_t>(bytes_of(type, n, n) / sizeof(float)));
    const Matrix to = matrix(converted.data(), type, n, n);
    backend.round({factor, to});
    factor = to;
  }
  const auto multiply = [&] {
    backend.product({false, false, factor, factor, false, float32(sums.data(), n, n)});
    backend.synchronise();
  };
  multiply();
  const double began = seconds_of(CLOCK_MONOTONIC);
  double done = 0, flops = 0;
  do {
    multiply();
    flops += 2.0 * static_cast<double>(n * n * n);
    done = seconds_of(CLOCK_MONOTONIC) - began;
  } while (done < seconds);
  return flops / done;
}

// The rate of a device, which has one queue, whatever threads fill it: of matrices as large as it
// needs to be busy.
double device_rate(const Backend& backend, double seconds) {
  std::int64_t n = kSize;
  double rate = 0;
  const auto cube = [&] { return 2.0 * static_cast<double>(n * n * n); };
  for (;; n *= 2) {
    rate = std::max(rate, device_rate(backend, n, seconds / 8));
    if (n >= kMostDevice || 8 * cube() > rate * seconds / 8) return rate;
  }
}

}  // namespace

std::vector<float> varied(std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  Random random(1);
  for (float& x : values) x = 2 * random.uniform() - 1;
  return values;
}

double product_rate(const Backend& backend, ThreadPool& pool, double seconds) {
  if (backend.traits().queue) try {
      return device_rate(backend, seconds);
    } catch (const Error&) {
      return 0;  // what was computed is worth more than this, so memory may be full
    }
  const auto thread_seconds = [] { return seconds_of(CLOCK_THREAD_CPUTIME_ID); };
  std::vector<double> rates(static_cast<std::size_t>(pool.threads()));
  pool.run(rates.size(), [&](std::size_t i, int) {
    const std::vector<float> filled(3 * kSize * kSize, 0.5f);
    const DeviceArray<float> m(backend, filled);
    const auto square = [&](int i) { return float32(m.data() + i * kSize * kSize, kSize, kSize); };
    const Matrix a = square(0), b = square(1), c = square(2);
    for (const bool rows : {false, true}) {
      const auto multiply = [&] {
        if (rows) backend.row_product({false, a, b, c});
        else backend.product({false, false, a, b, false, c});
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
