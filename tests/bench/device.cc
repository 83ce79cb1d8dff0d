// A device works while the host goes on, so times are those of the clock between two moments at
// which nothing is queued.
#include "tests/bench/device.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "base/file.h"
#include "base/report.h"
#include "decode/search.h"
#include "model/model.h"
#include "tensor/peak.h"
#include "tests/bench/batches.h"
#include "train/updater.h"

namespace tt {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The peak of an H200: FLOP/s of its tensor cores in bfloat16, bytes per second, and
// seconds for a launch.
constexpr double kFlops = 990e12, kBytes = 4.8e12, kLaunch = 2e-6;

// A backend that knows how much of its memory is taken, and was at most.
class Accountant final : public Meter {
 public:
  using Meter::Meter;
  void* allocate(std::size_t bytes) const override {
    void* at = Meter::allocate(bytes);
    const std::lock_guard lock(mutex_);
    sizes_[at] = bytes;
    most_ = std::max(most_, taken_ += bytes);
    return at;
  }
  void release(void* memory) const override {
    if (!memory) return;
    {
      const std::lock_guard lock(mutex_);
      taken_ -= sizes_.at(memory);
      sizes_.erase(memory);
    }
    Meter::release(memory);
  }
  std::size_t most() const { return most_; }

 private:
  mutable std::mutex mutex_;
  mutable std::map<void*, std::size_t> sizes_;
  mutable std::size_t taken_ = 0, most_ = 0;
};

// A device in bfloat16 that computes nothing, at once: what is asked of it is counted all the same.
class Paper final : public Backend {
 public:
  void* allocate(std::size_t bytes) const override {
    void* at = std::calloc(std::max<std::size_t>(bytes, 1),
                           1);  // pages that nobody touches are never there
    if (!at) throw std::bad_alloc();
    return at;
  }
  void release(void* memory) const override { std::free(memory); }
  Traits traits() const override {
    constexpr auto kRounded = ElementType::bfloat16;
    return {false, true, kRounded, kRounded, 128, kRounded};
  }
  void upload(void*, const void*, std::size_t) const override {}
  void download(void* to, const void*, std::size_t bytes) const override {
    std::memset(to, 0, bytes);
  }
  void synchronise() const override {}
#define TT_NOTHING(name, Arguments) \
  void name(const Arguments&) const override {}
  TT_KERNELS(TT_NOTHING)
#undef TT_NOTHING
};

class DeviceBench {
 public:
  explicit DeviceBench(const DeviceBenchOptions& options)
      : options_(options), paper_(options.device.name == "paper"),
        backend_(paper_ ? std::make_unique<Paper>() : open_backend(options.device)) {}

  void run() {
    if (paper_) {
      train("base", 27, 100000);
      return train("tiny", 15, 8000);
    }
    measure_products();
    train("base", 27, 100000);
    train("tiny", 15, 8000);
    for (const std::int64_t sentences : {256, 1024})
      if (sentences == 256 || options_.tokens >= 16 * sentences)
        translate("base", 27, std::min(sentences, options_.tokens / 16));
  }

 private:
  bool wanted(const std::string& name) const {
    return options_.words.empty() ||
           std::any_of(options_.words.begin(), options_.words.end(),
                       [&](const std::string& w) { return name.find(w) != std::string::npos; });
  }

  // The ceiling: the best of square products whose inputs are there in what they are multiplied in.
  void measure_products() {
    for (const std::int64_t size : {1024, 2048, 4096, 8192}) {
      if (size > std::max<std::int64_t>(1024, options_.tokens)) break;
      const std::int64_t n = std::min(size, options_.tokens);
      // Of zeros a GPU makes an eighth more.
      const std::vector<float> values = varied(n * n);
      const DeviceArray<float> a(*backend_, values), b(*backend_, values), c(*backend_, n * n);
      Product p{false,
                false,
                float32(a.data(), n, n),
                float32(b.data(), n, n),
                false,
                float32(c.data(), n, n)};
      const ElementType type = backend_->traits().factors;
      const auto words = static_cast<std::int64_t>(bytes_of(type, n, n) / sizeof(float));
      const DeviceArray<float> ca(*backend_, words), cb(*backend_, words);
      if (type != ElementType::float32) {
        const Matrix to_a = matrix(ca.data(), type, n, n), to_b = matrix(cb.data(), type, n, n);
        backend_->round({p.a, to_a});
        backend_->round({p.b, to_b});
        p.a = to_a, p.b = to_b;
      }
      backend_->product(p);
      backend_->synchronise();
      const double flops = 2 * std::pow(static_cast<double>(n), 3), limit = options_.seconds / 60;
      double done = 0;
      const double began = now();
      do {
        for (int i = 0; i < 10; ++i) backend_->product(p);
        backend_->synchronise();
        done += 10 * flops;
      } while (now() - began < limit);
      rate_ = std::max(rate_, done / (now() - began));
    }
    std::printf("%-24s %8.1f TFLOP/s in %s\n", "products", rate_ * 1e-12,
                options_.device.precision.c_str());
  }

  Config config_of(const std::string& name, int vocabulary, std::int64_t tokens) const {
    Config config = preset(name);
    config.source_vocab = config.target_vocab = vocabulary;
    config.tokens = tokens;
    config.shards = 1;  // a device has one of everything
    return config;
  }

  // Several batches one after the other, as sizes differ in training too.
  void train(const std::string& name, std::int64_t length, double updates_of_run) {
    const std::string title = "training." + name;
    if (!wanted(title)) return;
    const Config config =
        config_of(name, name == "tiny" ? std::min(options_.vocabulary, 10000) : options_.vocabulary,
                  name == "tiny" ? std::min<std::int64_t>(options_.tokens, 4096) : options_.tokens);
    const Accountant memory(*backend_);
    const auto model = make_model(config);
    if (paper_) model->params().place(memory);
    else model->params().draw(memory, config.seed);
    ThreadPool pool(1);
    Updater updater(*model, memory, pool);
    std::vector<std::vector<Batch>> batches;
    for (std::uint64_t seed = 1; seed <= (options_.seconds < 1 ? 4 : 64); ++seed)
      batches.push_back(random_update(config, length, seed));
    // Memory is taken in these; in the others most numbers of tokens are new, as they are at first
    // in training.
    const std::span first(batches.data(), batches.size() > 16 ? 16 : 2);
    if (!options_.lengths.empty()) write_lengths(batches);
    std::int64_t update = 0;
    for (const auto& shards : first) updater.update(++update, shards);
    if (paper_) {
      std::printf("%s, %lld tokens: %s of memory\n", title.c_str(),
                  static_cast<long long>(config.tokens), human_bytes(memory.most()).c_str());
      return print_budget(updater, first, update);
    }
    updater.reset_meter();
    double tokens = 0, updates = 0, queued = 0;
    // Of those updates whose numbers of tokens are new: each new shape of a product is planned on
    // the host.
    double fresh = 0, fresh_seconds = 0, fresh_queued = 0;
    memory.synchronise();
    const double began = now();
    do {
      const auto& shards = batches[static_cast<std::size_t>(update) % batches.size()];
      const double asked = now();
      updater.start(++update, shards);
      queued += now() - asked;
      tokens += static_cast<double>(updater.finish().loss.tokens);
      ++updates;
      if (update == std::ssize(batches))
        fresh = updates, fresh_seconds = now() - began, fresh_queued = queued;
    } while (now() - began < options_.seconds || updates < static_cast<double>(batches.size()));
    memory.synchronise();
    const double seconds = (now() - began) / updates, flops = updater.meter().flops() / updates;
    std::printf(
        "%-24s %8.0f target tokens/s  %.1f %% of the product rate  %.2f ms an update, of which the "
        "host needs %.2f ms to ask\n",
        title.c_str(), tokens / updates / seconds, 100 * flops / seconds / rate_, 1e3 * seconds,
        1e3 * queued / updates);
    std::printf("%-24s %8.2f ms an update, %.2f to ask, where numbers of tokens are new\n", "",
                1e3 * fresh_seconds / fresh, 1e3 * fresh_queued / fresh);
    std::printf("%-24s %8s taken by tt  %.2f hours for %.0f updates\n", "",
                human_bytes(memory.most()).c_str(), seconds * updates_of_run / 3600,
                updates_of_run);
    print_budget(updater, first, update);
  }

  // Prints the time of a round of updates on paper, on an H200 whatever the device is, and the time
  // that it takes when each kernel is waited for.
  void print_budget(Updater& updater, std::span<const std::vector<Batch>> batches,
                    std::int64_t update) const {
    updater.time_kernels();
    updater.reset_meter();
    for (const auto& shards : batches) updater.update(++update, shards);
    const Meter meter = updater.meter();
    const double rounds = static_cast<double>(batches.size());
    std::printf("  %-22s %7s %9s %9s %9s %9s\n", "of one update", "calls", "GFLOP", "GB",
                "ms, H200", paper_ ? "" : "ms, alone");
    const auto milliseconds = [&](double seconds) {
      char text[32] = "";
      if (!paper_) std::snprintf(text, sizeof text, "%.3f", 1e3 * seconds);
      return std::string(text);
    };
    double best_sum = 0, alone_sum = 0, calls_sum = 0;
    for (int k = 0; k < Meter::kKernels; ++k) {
      const Meter::Line& line = meter.lines()[static_cast<std::size_t>(k)];
      if (line.calls == 0) continue;
      const double calls = static_cast<double>(line.calls) / rounds, flops = line.flops / rounds,
                   bytes = line.bytes / rounds;
      const double best = std::max({flops / kFlops, bytes / kBytes, calls * kLaunch}),
                   alone = line.seconds / rounds;
      std::printf("  %-22s %7.0f %9.1f %9.2f %9.3f %9s\n", Meter::name(k), calls, flops * 1e-9,
                  bytes * 1e-9, 1e3 * best, milliseconds(alone).c_str());
      best_sum += best, alone_sum += alone, calls_sum += calls;
    }
    std::printf("  %-22s %7.0f %9s %9s %9.3f %9s\n", "all", calls_sum, "", "", 1e3 * best_sum,
                milliseconds(alone_sum).c_str());
  }

  // Beam 4; each translation becomes as long as its source.
  void translate(const std::string& name, std::int64_t length, std::int64_t sentences) {
    const std::string title = "translation." + name;
    if (!wanted(title)) return;
    const Config config = config_of(name, options_.vocabulary, options_.tokens);
    const Accountant memory(*backend_);
    const auto model = make_model(config);
    model->params().draw(memory, config.seed);
    model->params().freeze();
    Tape tape(memory, model->params());
    double tokens = 0, began = 0;
    for (int round = -1; round <= 0 || now() - began < options_.seconds / 2; ++round) {
      if (round == 0) tokens = 0, began = now();
      Random random(7, static_cast<std::uint64_t>(round + 1));
      Sequences source;
      std::vector<SearchRequest> requests;
      for (std::int64_t i = 0; i < sentences; ++i) {
        requests.emplace_back().limit = random_length(length, random);
        append_sentence(source, requests.back().limit, options_.vocabulary, random);
        tokens += static_cast<double>(requests.back().limit);
      }
      tape.clear();
      const auto state = model->start(tape, source);
      search(*state, requests, 1, 2, SearchOptions{});
    }
    std::printf("%-24s %8.0f target tokens/s, %lld sentences at a time, beam %d  %8s taken by tt\n",
                title.c_str(), tokens / (now() - began), static_cast<long long>(sentences),
                SearchOptions{}.beam, human_bytes(memory.most()).c_str());
  }

  // The first measurement's.
  void write_lengths(const std::vector<std::vector<Batch>>& batches) {
    Output out(std::exchange(options_.lengths, ""));
    for (const auto& shards : batches) {
      std::string line;
      for (const Batch& batch : shards)
        for (std::size_t i = 0; i + 1 < batch.source.offsets.size(); ++i)
          line += (line.empty() ? "" : " ") +
                  std::to_string(batch.source.offsets[i + 1] - batch.source.offsets[i]);
      out.line(line);
    }
    out.close();
  }

  DeviceBenchOptions options_;
  bool paper_;  // nothing is computed, and only what it would need is told
  std::unique_ptr<Backend> backend_;
  double rate_ = 0;
};

}  // namespace

void bench_device(const DeviceBenchOptions& options) { DeviceBench(options).run(); }

}  // namespace tt
