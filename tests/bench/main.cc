// `make bench`: all benchmarks of tt, in percent of the rate of matrix products measured in the
// same run.
//
//   bench [--threads N] [--seconds S] [WORD...]
//       WORD: only measurements whose name contains a WORD
//   bench --device cuda[:N] [--precision bfloat16] [--seconds 60] [--tokens 25000]
//         [--vocabulary 32000] [--lengths FILE] [WORD...]
//       the same of a GPU, updates of so many tokens per side; FILE gets the lengths of the
//       sentences, for other programs' measurements;
//       --device paper computes nothing: what every kernel needs for an update, and how long that
//       takes at best on an H200
#include <cblas.h>
#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "base/thread_pool.h"
#include "tests/bench/bench.h"
#include "tests/bench/device.h"

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
void describe(int argc, char** argv) {
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M", std::localtime(&now));
  std::printf("date      %s\n", date);
  std::printf("machine   %s, %d processors, OpenBLAS for %s\n", processor().c_str(),
              available_threads(), openblas_get_corename());
  std::printf("compiler  %s\n", __VERSION__);
  std::printf("commit    %s\n", answer("git describe --always --dirty 2>/dev/null").c_str());
  std::printf("command  ");
  for (int i = 0; i < argc; ++i) std::printf(" %s", argv[i]);
  std::printf("\n");
}

int usage() {
  std::cerr << "usage: bench [--threads N] [--seconds S] [WORD...]\n"
               "       bench --device cuda[:N] [--precision bfloat16] [--seconds S] [--tokens N] "
               "[--vocabulary N] [--lengths "
               "FILE] [WORD...]\n";
  return 2;
}

int run(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF,
               0);  // what was measured is told even if what follows never ends
#ifndef NDEBUG
  std::cerr << "bench: this build is not optimised; use make MODE=release bench\n";
  return 1;
#endif
  BenchOptions options;
  options.threads = available_threads();
  DeviceBenchOptions on_device;
  on_device.device.precision = "bfloat16";
  double seconds = 0, tokens = static_cast<double>(on_device.tokens),
         vocabulary = on_device.vocabulary, threads = options.threads;
  const option flags[] = {
      {"threads", required_argument, nullptr, 't'}, {"seconds", required_argument, nullptr, 's'},
      {"device", required_argument, nullptr, 'd'},  {"precision", required_argument, nullptr, 'p'},
      {"tokens", required_argument, nullptr, 'n'},  {"vocabulary", required_argument, nullptr, 'v'},
      {"lengths", required_argument, nullptr, 'l'}, {}};
  const std::map<int, double*> numbers = {
      {'t', &threads}, {'s', &seconds}, {'n', &tokens}, {'v', &vocabulary}};
  const std::map<int, std::string*> texts = {
      {'d', &on_device.device.name}, {'p', &on_device.device.precision}, {'l', &on_device.lengths}};
  bool device = false;
  for (int flag; (flag = getopt_long(argc, argv, "", flags, nullptr)) != -1;) {
    device = device || flag == 'd';
    if (texts.contains(flag)) {
      *texts.at(flag) = optarg;
      continue;
    }
    char* end = nullptr;
    if (numbers.contains(flag)) *numbers.at(flag) = std::strtod(optarg, &end);
    if (!end || *end || !(*numbers.at(flag) > 0)) return usage();
  }
  options.threads = static_cast<int>(threads);
  if (options.threads < 1 || tokens < 64 || vocabulary < 16) return usage();
  options.words.assign(argv + optind, argv + argc);
  describe(argc, argv);
  if (device) {
    on_device.tokens = static_cast<std::int64_t>(tokens);
    on_device.vocabulary = static_cast<int>(vocabulary);
    if (seconds > 0) on_device.seconds = seconds;
    on_device.words = options.words;
    bench_device(on_device);
    return 0;
  }
  if (seconds > 0) options.seconds = seconds;
  auto groups = bench_groups();
  std::sort(groups.begin(), groups.end(), [](const BenchGroup& a, const BenchGroup& b) {
    return std::strcmp(a.name, b.name) < 0;
  });
  const Bench bench(options);
  std::printf(
      "ceiling   %.1f GFLOP/s: the best product of %d thread%s at once; for what is not products, "
      "copying as many bytes\n",
      bench.product_rate() * 1e-9, options.threads, options.threads == 1 ? "" : "s");
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
