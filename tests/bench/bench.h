// Shared by all benchmarks: the ceiling for comparison, the timing, and the table.
//
// A result is a ratio of two times measured together. Each round runs the case and then its
// ceiling, on every thread at once, each thread on its own data; the table shows the median over
// the rounds. Kernels are timed by processor time of their threads: other processes that take the
// processor do not count, but those that take cache or memory bandwidth do.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tensor/backend.h"

namespace tt {

struct BenchOptions {
  int threads = 1;
  double seconds = 0.4;            // per case, ceiling included
  std::vector<std::string> words;  // only cases whose name contains one of them; none: all
};

// One case: what a call does, and how to prepare a thread for calling it.
struct BenchCase {
  std::string name;
  double rows = 1, elements = 1;  // of one call; for ns per row and per element
  double flops = 0;               // of one call, when it is held against the product rate
  double bytes =
      0;  // that one call must read and write at least, when it is held against copying as much
  std::function<std::function<void()>(int thread)> prepare;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options);

  const BenchOptions& options() const { return options_; }
  const Backend& backend() const;
  bool wanted(const std::string& name) const;
  // The best product rate of all threads together, in FLOP/s, over a few shapes and by both kinds
  // of product: measured when the Bench was made.
  double product_rate() const { return product_rate_; }

  // Has the next line printed under this heading.
  void heading(const std::string& title) const;
  // Measures a case and prints its line, when it is wanted.
  void measure(const BenchCase& c) const;

  // Measures the product rate now, for about `seconds`: what a whole program is held against,
  // before and after it ran.
  double product_rate_now(double seconds) const;

 private:
  std::function<void()> ceiling_product(int thread) const;

  BenchOptions options_;
  mutable std::string title_;  // printed with the first case that is wanted
  double product_rate_ = 0;
  std::int64_t ceiling_size_ = 0;  // of the square matrices with the best rate
  bool ceiling_rows_ = false;      // reached by row_product, and not by product
};

double median(std::vector<double> values);

// A group of measurements: a file defines one object of this type, and main() runs them in the
// order of their names.
struct BenchGroup {
  BenchGroup(const char* name, void (*run)(const Bench&));
  const char* name;
  void (*run)(const Bench&);
};
std::vector<BenchGroup>& bench_groups();

}  // namespace tt
