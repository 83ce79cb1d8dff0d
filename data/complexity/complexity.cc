// complexity: table 1 of "Attention Is All You Need", measured: time and memory of one layer,
// forward and backward, against the length n of a sequence and the width d; the kernels that wait
// for each other, counted; and how many layers it takes until the last row of the output depends
// on the first of the input, by its gradient.
//
//   complexity measure [--lengths N,...] [--widths D,...] [--window R] [--seconds S]
//                        a line for each layer, n and d, as TSV
//   complexity fit [FILE]
//                        exponents of n and d in such a table
//
// Each point is measured in a process of its own, whose largest resident memory is what the layer
// took.
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/report.h"
#include "cpu/cpu.h"
#include "data/complexity/chain.h"
#include "data/complexity/layer.h"
#include "tensor/meter.h"
#include "tools/main.h"

namespace tt::table1 {
namespace {

struct Flags {
  std::vector<std::int64_t> lengths = {16, 32, 64, 128, 256, 512, 1024, 2048, 4096},
                            widths = {64, 128, 256, 512, 1024};
  std::int64_t window = 16;
  double seconds = 0.2;
  std::string input = "-";
};

double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double resident_mib() {
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_maxrss) / 1024;
}

struct Point {
  double seconds, mib, flops, sequential;
};

// Kernels of a forward pass that wait for each other.
std::int64_t sequential(const std::string& kind, std::int64_t n, std::int64_t d,
                        const Flags& flags) {
  const CpuBackend cpu;
  const Chain chain(cpu);
  const std::vector<float> x(static_cast<std::size_t>(n * d));
  std::vector<float> y(x.size());
  make_layer(kind, chain, n, d, flags.window)->forward(x.data(), y.data());
  return chain.longest();
}

Point measure(const std::string& kind, std::int64_t n, std::int64_t d, const Flags& flags) {
  const CpuBackend cpu;
  std::vector<float> x(static_cast<std::size_t>(n * d)), y(x.size()), d_y(x.size()), d_x(x.size());
  Random random(1);
  for (float& v : x) v = random.normal();
  for (float& v : d_y) v = random.normal();
  const auto layer = make_layer(kind, cpu, n, d, flags.window);
  const double before = resident_mib();
  const auto once = [&](Layer& of) {
    of.forward(x.data(), y.data());
    of.backward(x.data(), y.data(), d_y.data(), d_x.data());
  };
  once(*layer);
  Point point{0, resident_mib() - before, 0, 0};
  std::vector<double> times;
  for (double spent = 0; times.size() < 3 || (spent < flags.seconds && times.size() < 1000);) {
    const double began = processor_seconds();
    once(*layer);
    times.push_back(processor_seconds() - began);
    spent += times.back();
    if (spent > 10 * flags.seconds && spent > 1) break;
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  point.seconds = times[times.size() / 2];
  const Meter meter(cpu);
  const auto counted = make_layer(kind, meter, n, d, flags.window);
  once(*counted);
  point.flops = meter.flops() + counted->uncounted();
  point.sequential = static_cast<double>(sequential(kind, n, d, flags));
  return point;
}

// The results of measure() in a child process.
Point measure_apart(const std::string& kind, std::int64_t n, std::int64_t d, const Flags& flags) {
  int ends[2];
  if (pipe(ends) != 0) throw Error("cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) throw Error("cannot start a process");
  Point point{};
  if (child == 0) {
    int status = 1;
    try {
      point = measure(kind, n, d, flags);
      status = write(ends[1], &point, sizeof point) == sizeof point ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "complexity: %s\n", error.what());
    }
    _exit(status);
  }
  close(ends[1]);
  const bool whole = read(ends[0], &point, sizeof point) == sizeof point;
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  if (!whole || status != 0)
    throw Error(kind, " of n ", n, " and d ", d, " could not be measured; is there memory enough?");
  return point;
}

// The sequential operations between the first row of the input and the last of the output: layers
// until its gradient gets there, times those of a layer.
std::int64_t path_length(const std::string& kind, std::int64_t n, const Flags& flags) {
  constexpr std::int64_t kWidth = 8;
  const CpuBackend cpu;
  const auto layer = make_layer(kind, cpu, n, kWidth, flags.window);
  const std::int64_t waits = sequential(kind, n, kWidth, flags);
  std::vector<float> x(static_cast<std::size_t>(n * kWidth)), y(x.size()), d_x(x.size()),
      d_y(x.size(), 0.0f);
  Random random(1);
  for (float& v : x) v = random.normal();
  std::fill(d_y.end() - kWidth, d_y.end(), 1.0f);
  for (std::int64_t layers = 1; layers <= n; ++layers) {
    layer->forward(x.data(), y.data());
    layer->backward(x.data(), y.data(), d_y.data(), d_x.data());
    if (std::any_of(d_x.begin(), d_x.begin() + kWidth, [](float g) { return g != 0; }))
      return layers * waits;
    // Which rows are reached, and not how weakly.
    for (std::size_t i = 0; i < d_x.size(); ++i) d_y[i] = d_x[i] == 0 ? 0.0f : 1.0f;
  }
  throw Error(kind, ": no path from the first to the last of ", n, " rows");
}

constexpr const char* kHead = "layer\tn\td\tms\tMiB\tGFLOP\tsequential\tpath";

void check(const Flags& flags) {
  for (const std::int64_t n : flags.lengths)
    if (n < 1) throw Error("--lengths: ", n, "; a length is 1 or more");
  for (const std::int64_t d : flags.widths)
    if (d < 1 || (d > 64 && d % 64 != 0))
      throw Error("--widths: ", d, "; a width is 1 to 64, or a multiple of 64");
  if (flags.window < 1) throw Error("--window: ", flags.window, "; it is 1 or more");
}

int measure_all(const Flags& flags) {
  check(flags);
  constexpr std::int64_t kLongestPath = 64;  // gradients do not vanish on the way
  Output out("-");
  out.line(kHead);
  for (const std::string& kind : layer_kinds())
    for (const std::int64_t d : flags.widths)
      for (const std::int64_t n : flags.lengths) {
        const Point p = measure_apart(kind, n, d, flags);
        char line[200], path[24] = "-";
        if (n <= kLongestPath)
          std::snprintf(path, sizeof path, "%lld",
                        static_cast<long long>(path_length(kind, n, flags)));
        std::snprintf(line, sizeof line, "%s\t%lld\t%lld\t%.4g\t%.2f\t%.4g\t%.0f\t%s", kind.c_str(),
                      static_cast<long long>(n), static_cast<long long>(d), 1e3 * p.seconds, p.mib,
                      1e-9 * p.flops, p.sequential, path);
        out.line(line);
        out.flush();
      }
  out.close();
  return kDone;
}

struct Line {
  double n, d, ms, mib, gflop, sequential, path;  // path is NaN where it was not measured
};

using Column = double Line::*;

// p and q of c n^p d^q by least squares of logarithms; lines without a positive value are left out.
std::array<double, 2> exponents(const std::vector<Line>& lines, Column value) {
  double m[2][2] = {}, v[2] = {}, mean[3] = {}, count = 0;
  std::vector<std::array<double, 3>> logs;
  for (const Line& l : lines)
    if (l.*value > 0) logs.push_back({std::log(l.n), std::log(l.d), std::log(l.*value)});
  for (const auto& row : logs)
    for (std::size_t i = 0; i < 3; ++i) mean[i] += row[i];
  count = static_cast<double>(logs.size());
  for (double& x : mean) x /= count;
  for (const auto& row : logs)
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) m[i][j] += (row[i] - mean[i]) * (row[j] - mean[j]);
      v[i] += (row[i] - mean[i]) * (row[2] - mean[2]);
    }
  const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  if (std::abs(det) < 1e-9) return {NAN, NAN};
  return {(v[0] * m[1][1] - v[1] * m[0][1]) / det, (v[1] * m[0][0] - v[0] * m[1][0]) / det};
}

// Table 1: exponents of n and d in the operations of a layer, and of n in sequential operations and
// in the longest path.
const std::map<std::string, const char*> kTheory = {{"self-attention", "2\t1\t0\t0"},
                                                    {"restricted", "1\t1\t0\t1"},
                                                    {"recurrent", "1\t2\t1\t1"},
                                                    {"convolution", "1\t2\t0\t1"},
                                                    {"separable", "1\t2\t0\t1"}};

int fit(const Flags& flags) {
  LineReader in(flags.input);
  std::map<std::string, std::vector<Line>> table;
  std::string line, kind;
  while (in.next(line)) {
    if (in.line_number() == 1 && line == kHead) continue;
    std::istringstream fields(line);
    Line l{};
    std::string path;
    bool good = fields >> kind >> l.n >> l.d >> l.ms >> l.mib >> l.gflop >> l.sequential >> path &&
                kTheory.contains(kind);
    if (path == "-") l.path = NAN;
    else good = good && std::istringstream(path) >> l.path;
    if (!good) throw Error(in.where(), ": no line of complexity measure: ", in_quotes(line));
    table[kind].push_back(l);
  }
  for (const std::string& name : layer_kinds())
    if (std::isnan(exponents(table[name], &Line::gflop)[0]))
      throw Error(in.name(), ": has less than two n and two d of ", name,
                  ", from which no exponent follows");
  Output out("-");
  out.line(
      "layer\tn, theory\td, theory\tsequential, theory\tpath, theory\tFLOP ~ n\tFLOP ~ d\ttime ~ "
      "n\ttime ~ d\tMiB ~ "
      "n\tsequential ~ n\tpath ~ n");
  for (const std::string& name : layer_kinds()) {
    std::vector<Line> lines = table[name];
    const auto flop = exponents(lines, &Line::gflop),
               sequential = exponents(lines, &Line::sequential),
               path = exponents(lines, &Line::path);
    // Time and memory follow the theory where there is much to do.
    std::sort(lines.begin(), lines.end(),
              [](const Line& a, const Line& b) { return a.gflop > b.gflop; });
    lines.resize(std::max<std::size_t>(lines.size() / 2, std::min<std::size_t>(lines.size(), 4)));
    const auto time = exponents(lines, &Line::ms), memory = exponents(lines, &Line::mib);
    char text[300];
    std::snprintf(text, sizeof text, "%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f",
                  name.c_str(), kTheory.at(name), flop[0], flop[1], time[0], time[1], memory[0],
                  sequential[0], path[0]);
    out.line(text);
  }
  out.close();
  return kDone;
}

Value numbers(std::vector<std::int64_t>& to) {
  return {"LIST", [&to](const std::string& list) {
            std::vector<std::int64_t> found;
            for (const std::string& part : split(list))
              if (const std::string problem = number(found.emplace_back(), 1, 1 << 20).read(part);
                  !problem.empty())
                return problem;
            to = found;
            return std::string();
          }};
}

}  // namespace
}  // namespace tt::table1

int main(int argc, char** argv) {
  using namespace tt;
  table1::Flags flags;
  const std::vector<Option> measuring{
      {"--lengths", table1::numbers(flags.lengths), "n, separated by commas"},
      {"--widths", table1::numbers(flags.widths),
       "d, separated by commas: less than 64, or multiples of it"},
      {"--window", number(flags.window, 1, 1 << 20).as("R"), "rows that restricted attention sees"},
      {"--seconds", number(flags.seconds, 0, 3600).as("S"), "processor time of one measurement"},
  };
  return run_tool(
      argc, argv,
      {.name = "complexity",
       .summary = "Measures the layers of table 1.",
       .groups = {},
       .commands = {{.name = "measure",
                     .summary = "time and memory of each layer, n and d",
                     .groups = {{"Options", measuring}},
                     .work = [&] { return table1::measure_all(flags); }},
                    {.name = "fit",
                     .summary = "exponents of n and d",
                     .groups = {{"Options",
                                 {{"FILE", file(flags.input), "what measure printed; -: stdin"}}}},
                     .work = [&] { return table1::fit(flags); }}}});
}
