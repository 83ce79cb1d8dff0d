// `make bench`: all benchmarks of tt, in percent of the rate of matrix products measured in the same run.
//
//   bench [--threads N] [--seconds S] [WORD...]      WORD: only measurements whose name contains a WORD
#include <cblas.h>
#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>

#include "base/parallel.h"
#include "tests/bench/bench.h"

namespace tt {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

// The first line that a command prints; "unknown" if it fails.
std::string answer(const char* command) {
  std::string line = "unknown";
  if (std::FILE* pipe = popen(command, "r")) {
    char text[256];
    if (std::fgets(text, sizeof text, pipe)) line.assign(text, std::strcspn(text, "\n"));
    pclose(pipe);
  }
  return line;
}

// The information needed to interpret a run later.
void describe(int argc, char** argv, const Bench& bench) {
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M", std::localtime(&now));
  std::printf("date      %s\n", date);
  std::printf("machine   %s, %d processors, OpenBLAS for %s\n", processor().c_str(), available_threads(),
              openblas_get_corename());
  std::printf("compiler  %s\n", __VERSION__);
  std::printf("commit    %s\n", answer("git describe --always --dirty 2>/dev/null").c_str());
  std::printf("command  ");
  for (int i = 0; i < argc; ++i) std::printf(" %s", argv[i]);
  std::printf(
      "\nceiling   %.1f GFLOP/s: the best product of %d thread%s at once; for what is not products, copying as many bytes\n",
      bench.product_rate() * 1e-9, bench.options().threads, bench.options().threads == 1 ? "" : "s");
}

int usage() {
  std::cerr << "usage: bench [--threads N] [--seconds S] [WORD...]\n";
  return 2;
}

int run(int argc, char** argv) {
#ifndef NDEBUG
  std::cerr << "bench: this build is not optimised; use make MODE=release bench\n";
  return 1;
#endif
  BenchOptions options;
  options.threads = available_threads();
  const option flags[] = {{"threads", required_argument, nullptr, 't'}, {"seconds", required_argument, nullptr, 's'}, {}};
  for (int flag; (flag = getopt_long(argc, argv, "", flags, nullptr)) != -1;) {
    char* end = nullptr;
    if (flag == 't') options.threads = static_cast<int>(std::strtol(optarg, &end, 10));
    else if (flag == 's') options.seconds = std::strtod(optarg, &end);
    if (!end || *end) return usage();
  }
  if (options.threads < 1 || !(options.seconds > 0)) return usage();
  options.words.assign(argv + optind, argv + argc);
  auto groups = bench_groups();
  std::sort(groups.begin(), groups.end(),
            [](const BenchGroup& a, const BenchGroup& b) { return std::strcmp(a.name, b.name) < 0; });
  const Bench bench(options);
  describe(argc, argv, bench);
  for (const BenchGroup& group : groups) group.run(bench);
  return 0;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  try {
    return tt::run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << "\n";
    return 1;
  }
}
