// Training and translation as a whole, in percent of the product rate: floating-point operations of
// the model's products, on real tokens, over the total time. The text is random with realistic
// lengths; the work does not depend on the words.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "base/random.h"
#include "base/report.h"
#include "base/thread_pool.h"
#include "cpu/cpu.h"
#include "decode/translator.h"
#include "nn/worker.h"
#include "tests/bench/batches.h"
#include "tests/bench/bench.h"
#include "train/updater.h"

namespace tt {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Runs `work`, which returns its operations and tokens, between two measurements of the ceiling,
// and prints the medians over the rounds.
struct Work {
  Meter meter;
  double tokens = 0;
};

// The kernels that took most of the time, and their share of the time of all kernels.
std::string where_time_went(const Meter& meter) {
  std::vector<int> order;
  for (int k = 0; k < Meter::kKernels; ++k) order.push_back(k);
  const auto seconds = [&](int k) { return meter.lines()[static_cast<std::size_t>(k)].seconds; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return seconds(a) > seconds(b); });
  std::string text;
  for (int i = 0; i < 6; ++i) {
    char part[64];
    std::snprintf(
        part, sizeof part, "%s%s %.0f %%", i ? ", " : "",
        Meter::name(order[static_cast<std::size_t>(i)]),
        100 * seconds(order[static_cast<std::size_t>(i)]) / std::max(1e-9, meter.seconds()));
    text += part;
  }
  return text;
}

void measure_program(const Bench& bench, const char* name, const std::function<Work()>& work) {
  constexpr int kRounds = 5;
  work();
  std::vector<double> parts, rates, tokens;
  Meter meter(bench.backend());
  for (int round = 0; round < kRounds; ++round) {
    const double before = bench.product_rate_now(0.2), began = now();
    const Work done = work();
    const double seconds = now() - began, ceiling = std::max(before, bench.product_rate_now(0.2));
    parts.push_back(100 * done.meter.flops() / seconds / ceiling);
    rates.push_back(done.meter.flops() / seconds / 1e9);
    meter.add(done.meter);
    tokens.push_back(done.tokens / seconds);
  }
  std::printf("%-28s %6.1f %%  %7.1f GFLOP/s  %8.0f target tokens/s  %s\n%-28s %s\n", name,
              median(parts), median(rates), median(tokens), human_bytes(peak_memory()).c_str(), "",
              where_time_went(meter).c_str());
}

// The numbers that products are of, and what a name ends in.
struct Numbers {
  const char* suffix;
  Precision precision = Precision::float32;
  WeightForm form = WeightForm::float32;

  const Backend& backend(const Bench& bench) const {
    static const CpuBackend rounded(Precision::bfloat16);
    return precision == Precision::bfloat16 ? rounded : bench.backend();
  }
};
constexpr Numbers kFloat32{""}, kBfloat16{".bfloat16", Precision::bfloat16},
    kInt8{".int8", Precision::float32, WeightForm::int8};

Config bench_config(const char* name, int vocabulary, ModelType type = ModelType::transformer) {
  Config config = preset(name, type);
  config.source_vocab = config.target_vocab = vocabulary;
  config.tokens = 4096;
  return config;
}

void train_preset(const Bench& bench, const char* name, int vocabulary, std::int64_t length,
                  const Numbers& numbers, ModelType type = ModelType::transformer) {
  const std::string title =
      std::string(type == ModelType::lstm ? "training.lstm." : "training.") + name + numbers.suffix;
  if (!bench.wanted(title)) return;
  const Config config = bench_config(name, vocabulary, type);
  const Backend& backend = numbers.backend(bench);
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  ThreadPool pool(bench.options().threads);
  Updater updater(*model, backend, pool);
  std::int64_t update = 0;
  const auto shards = random_update(config, length, 1);
  measure_program(bench, title.c_str(), [&] {
    Work work{Meter(backend)};
    updater.reset_meter();
    for (int i = 0; i < (config.d_model <= 128 ? 4 : 1); ++i)
      work.tokens += static_cast<double>(updater.update(++update, shards).loss.tokens);
    work.meter.add(updater.meter());
    return work;
  });
}

// Every thread searches a batch of 64 sentences, whose translations are as long as their sources.
void translate_preset(const Bench& bench, const char* name, int vocabulary, std::int64_t length,
                      const Numbers& numbers) {
  const std::string title = std::string("translation.") + name + numbers.suffix;
  if (!bench.wanted(title)) return;
  const Config config = bench_config(name, vocabulary);
  const Backend& backend = numbers.backend(bench);
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  model->params().freeze(numbers.form);
  ThreadPool pool(bench.options().threads);
  Workers workers(backend, model->params(), pool.threads());
  measure_program(bench, title.c_str(), [&] {
    for (Worker& worker : workers) worker.meter.reset();
    std::vector<double> tokens(static_cast<std::size_t>(pool.threads()));
    pool.run(tokens.size(), [&](std::size_t task, int thread) {
      Random random(7, task);
      Sequences source;
      std::vector<SearchRequest> requests;
      for (int i = 0; i < 64; ++i) {
        requests.emplace_back().limit = random_length(length, random);
        append_sentence(source, requests.back().limit, vocabulary, random);
        tokens[task] += static_cast<double>(requests.back().limit);
      }
      Tape& tape = workers[thread].tape;
      tape.clear();
      const auto state = model->start(tape, source);
      search(*state, requests, 1, 2, SearchOptions{});
    });
    Work done{Meter(backend)};
    for (const Worker& worker : workers) done.meter.add(worker.meter);
    for (const double t : tokens) done.tokens += t;
    return done;
  });
}

void run(const Bench& bench) {
  bench.heading("programs, in percent of the product rate");
  for (const Numbers& numbers : {kFloat32, kBfloat16}) {
    train_preset(bench, "tiny", 10000, 15, numbers);
    train_preset(bench, "base", 32000, 27, numbers);
  }
  train_preset(bench, "base", 32000, 27, kFloat32, ModelType::lstm);
  for (const Numbers& numbers : {kFloat32, kBfloat16, kInt8}) {
    translate_preset(bench, "tiny", 10000, 15, numbers);
    translate_preset(bench, "base", 32000, 27, numbers);
  }
}

const BenchGroup group("programs", run);

}  // namespace
}  // namespace tt
