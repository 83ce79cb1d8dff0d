#include "tensor/peak.h"

#include <time.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "tensor/bfloat16.h"
#include "tensor/device_array.h"

namespace tt {
namespace {

constexpr std::int64_t kSize = 512, kMostDevice = 4096;

double seconds_of(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Of products of n x n matrices, for about `seconds`.
double device_rate(const Backend& backend, std::int64_t n, double seconds) {
  const std::vector<float> values = varied(n * n);
  const DeviceArray<float> m(backend, values);
  const auto sums = DeviceArray<float>::unset(backend, n * n);
  std::vector<Bfloat16> halves;
  if (backend.rounds()) std::transform(values.begin(), values.end(), std::back_inserter(halves), nearest_bfloat16);
  const DeviceArray<Bfloat16> half(backend, halves);
  const Bfloat16* rounded = halves.empty() ? nullptr : half.data();
  const auto multiply = [&] {
    backend.product({false, false, n, n, n, m.data(), n, m.data(), n, false, sums.data(), n, rounded, rounded});
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

// Of a device, which has one queue, whatever threads fill it: of matrices as large as it needs to be busy.
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
