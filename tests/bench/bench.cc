// Timing and the table of measurements; see bench.h.
#include "tests/bench/bench.h"

#include <time.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "cpu/cpu.h"

namespace tt {
namespace {

constexpr int kRounds = 7;

const CpuBackend cpu;

double thread_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The mean seconds per call of `calls` calls.
double time_calls(const std::function<void()>& call, std::int64_t calls) {
  const double began = thread_seconds();
  for (std::int64_t i = 0; i < calls; ++i) call();
  return (thread_seconds() - began) / static_cast<double>(calls);
}

// The number of calls that take about `seconds`.
std::int64_t calls_for(const std::function<void()>& call, double seconds) {
  call();
  std::int64_t calls = 1;
  for (;;) {
    const double each = time_calls(call, calls), all = each * static_cast<double>(calls);
    if (all > seconds / 4) return std::max<std::int64_t>(1, std::llround(seconds / each));
    calls *= 4;
  }
}

struct Times {
  double one = 0, other = 0;  // seconds per call
};

// Medians over rounds in which every thread runs `one` and then `other`, all of them at the same
// time.
template <class Prepare1, class Prepare2>
Times time_pair(int threads, double seconds, const Prepare1& prepare_one,
                const Prepare2& prepare_other) {
  std::vector<std::vector<double>> ones(kRounds), others(kRounds);
  for (int r = 0; r < kRounds; ++r) {
    ones[static_cast<std::size_t>(r)].resize(static_cast<std::size_t>(threads));
    others[static_cast<std::size_t>(r)].resize(static_cast<std::size_t>(threads));
  }
  std::barrier together(threads);
  const auto work = [&](int thread) {
    const std::function<void()> one = prepare_one(thread), other = prepare_other(thread);
    const double share = seconds / (2 * kRounds);
    const std::int64_t calls_one = calls_for(one, share), calls_other = calls_for(other, share);
    for (std::size_t r = 0; r < kRounds; ++r) {
      together.arrive_and_wait();
      ones[r][static_cast<std::size_t>(thread)] = time_calls(one, calls_one);
      together.arrive_and_wait();
      others[r][static_cast<std::size_t>(thread)] = time_calls(other, calls_other);
    }
  };
  std::vector<std::thread> crew;
  for (int t = 1; t < threads; ++t) crew.emplace_back(work, t);
  work(0);
  for (auto& t : crew) t.join();
  // The threads' mean in a round; over the rounds, the median of the times and that of the ratio of
  // both.
  std::vector<double> times, ratios;
  for (std::size_t r = 0; r < kRounds; ++r) {
    double one = 0, other = 0;
    for (std::size_t t = 0; t < static_cast<std::size_t>(threads); ++t)
      one += ones[r][t] / threads, other += others[r][t] / threads;
    times.push_back(one);
    ratios.push_back(other / one);
  }
  Times result;
  result.one = median(times);
  result.other = result.one * median(ratios);
  return result;
}

std::function<void()> square_product(std::int64_t size, bool rows) {
  auto m = std::make_shared<std::vector<float>>(static_cast<std::size_t>(3 * size * size), 0.5f);
  return [m, size, rows] {
    const auto square = [&](int i) { return float32(m->data() + i * size * size, size, size); };
    if (rows) cpu.row_product({false, square(0), square(1), square(2)});
    else cpu.product({false, false, square(0), square(1), false, square(2)});
  };
}

double cube(std::int64_t n) {
  return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

Bench::Bench(const BenchOptions& options) : options_(options) {
  for (const std::int64_t size : {256, 384, 512, 768, 1024})
    for (const bool rows : {false, true}) {
      const auto prepare = [&](int) { return square_product(size, rows); };
      const double rate =
          options_.threads * 2 * cube(size) / time_pair(options_.threads, 1, prepare, prepare).one;
      if (rate > product_rate_) product_rate_ = rate, ceiling_size_ = size, ceiling_rows_ = rows;
    }
}

const Backend& Bench::backend() const { return cpu; }

bool Bench::wanted(const std::string& name) const {
  return options_.words.empty() ||
         std::any_of(options_.words.begin(), options_.words.end(),
                     [&](const std::string& w) { return name.find(w) != std::string::npos; });
}

void Bench::heading(const std::string& title) const { title_ = title; }

std::function<void()> Bench::ceiling_product(int) const {
  return square_product(ceiling_size_, ceiling_rows_);
}

double Bench::product_rate_now(double seconds) const {
  const auto prepare = [&](int thread) { return ceiling_product(thread); };
  return options_.threads * 2 * cube(ceiling_size_) /
         time_pair(options_.threads, seconds, prepare, prepare).one;
}

void Bench::measure(const BenchCase& c) const {
  if (!wanted(c.name)) return;
  if (!title_.empty())
    std::printf("\n%-46s %9s %10s %9s %8s %9s\n", std::exchange(title_, "").c_str(), "ns/row",
                "ns/element", "GFLOP/s", "GB/s", "ceiling");
  double fraction;
  Times times;
  if (c.flops > 0) {
    times = time_pair(options_.threads, options_.seconds, c.prepare,
                      [&](int thread) { return ceiling_product(thread); });
    fraction = c.flops / times.one / (2 * cube(ceiling_size_) / times.other);
  } else {
    // Copying b bytes reads b and writes b.
    const auto half = static_cast<std::size_t>(std::max(64.0, c.bytes / 2));
    times = time_pair(options_.threads, options_.seconds, c.prepare, [&](int) {
      auto memory = std::make_shared<std::vector<char>>(2 * half, 'x');
      return [memory, half] {
        std::memcpy(memory->data(), memory->data() + half, half);
        asm volatile("" : : "r"(memory->data()) : "memory");
      };
    });
    fraction = times.other / times.one;
  }
  const double rate = options_.threads / times.one * 1e-9;
  const auto number = [](double x) {
    char text[32];
    if (x <= 0) return std::string("-");
    std::snprintf(text, sizeof text, x < 10 ? "%.2f" : "%.1f", x);
    return std::string(text);
  };
  std::printf("%-46s %9s %10s %9s %8s %8.0f%%\n", c.name.c_str(),
              number(times.one * 1e9 / c.rows).c_str(),
              number(times.one * 1e9 / c.elements).c_str(), number(c.flops * rate).c_str(),
              number(c.bytes * rate).c_str(), 100 * fraction);
  std::fflush(stdout);
}

BenchGroup::BenchGroup(const char* group, void (*function)(const Bench&))
    : name(group), run(function) {
  bench_groups().push_back(*this);
}

std::vector<BenchGroup>& bench_groups() {
  static std::vector<BenchGroup> groups;
  return groups;
}

}  // namespace tt
