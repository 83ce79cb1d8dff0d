// Several ranks add up the bits of one, on the host and on devices. The ranks are threads here, so
// that no MPI is needed.
#include "base/ranks.h"

#include <barrier>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "base/random.h"
#include "tests/backends.h"
#include "tests/catch.h"
#include "tests/unit/train_fixture.h"
#include "train/gradient_sum.h"
#include "train/updater.h"

namespace tt {
namespace {

using Bytes = std::vector<char>;

// Shared by the threads: messages by sender, receiver and number; and the summands of all.
struct Post {
  explicit Post(int ranks) : together(ranks), brought(static_cast<std::size_t>(ranks)) {}
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::tuple<int, int, int>, Bytes> messages;
  std::barrier<> together;
  std::vector<std::vector<double>> brought;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Post& post, int rank, int number) : post_(post), rank_(rank), number_(number) {}
  int rank() const override { return rank_; }
  int number() const override { return number_; }

  void send(int, int to, const void* data, std::size_t bytes) const override {
    const auto* from = static_cast<const char*>(data);
    const std::lock_guard lock(post_.mutex);
    post_.messages[{rank_, to, sent_[to]++}] = Bytes(from, from + bytes);
    post_.changed.notify_all();
  }
  void receive(int queue, int from, void* data, std::size_t bytes) const override {
    waiting_[queue].push_back({from, received_[from]++, data, bytes});
  }
  void wait(int queue) const override {
    std::unique_lock lock(post_.mutex);
    for (const auto& [from, number, data, bytes] : waiting_[queue]) {
      const std::tuple key(from, rank_, number);
      post_.changed.wait(lock, [&] { return post_.messages.contains(key); });
      const Bytes& message = post_.messages[key];
      if (message.size() != bytes) std::abort();
      if (bytes > 0) std::memcpy(data, message.data(), bytes);
      post_.messages.erase(key);
    }
    waiting_[queue].clear();
  }
  void sum(std::span<double> numbers) const override {
    post_.brought[static_cast<std::size_t>(rank_)].assign(numbers.begin(), numbers.end());
    post_.together.arrive_and_wait();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = 0;
      for (const std::vector<double>& one : post_.brought) numbers[i] += one[i];
    }
    post_.together.arrive_and_wait();
  }

 private:
  struct Waiting {
    int from, number;
    void* data;
    std::size_t bytes;
  };
  Post& post_;
  int rank_, number_;
  mutable std::map<int, int> sent_, received_;
  mutable std::map<int, std::vector<Waiting>> waiting_;
};

// Calls work(ranks) on `number` threads.
void on_threads(int number, const std::function<void(const Ranks&)>& work) {
  Post post(number);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < number; ++rank)
    threads.emplace_back([&, rank] { work(ThreadRanks(post, rank, number)); });
  for (std::thread& thread : threads) thread.join();
}

// A backend of one rank's own.
struct OneBackend {
  explicit OneBackend(int kind) {
    if (kind == kCpu) return;
#if !defined(TT_CUDA)
    if (kind == kCuda) kernels = std::make_unique<CudaBackend>();
#endif
    device = std::make_unique<ProtectedBackend>(*kernels);
  }
  const Backend& get() const { return device ? *device : *kernels; }
  std::unique_ptr<Backend> kernels = std::make_unique<CpuBackend>();
  std::unique_ptr<ProtectedBackend> device;
};

}  // namespace

TEST_CASE("gradients of shards on several ranks add up to the bits of one") {
  Params params;
  for (const std::int64_t chunks : {3, 1, 17, 19})
    params.add("w" + std::to_string(chunks), 1, chunks * Reduce::kChunk + 308, Init::zeros);
  const auto size = static_cast<std::size_t>(params.size());
  const int kind = GENERATE(kCpu, kProtected), shards = GENERATE(2, 3, 5, 7);
  std::vector<std::vector<float>> gradients(static_cast<std::size_t>(shards),
                                            std::vector<float>(size));
  Random random(1, 2, 3);
  for (auto& gradient : gradients)
    for (float& x : gradient) x = random.uniform() - 0.5f;

  std::vector<float> total;
  std::vector<double> squares;
  for (int number = 1; number <= std::min(shards, 4); ++number) {
    std::vector<std::vector<float>> totals(static_cast<std::size_t>(number));
    std::vector<std::vector<double>> sums(static_cast<std::size_t>(number),
                                          std::vector<double>(41));
    on_threads(number, [&](const Ranks& ranks) {
      const auto rank = static_cast<std::size_t>(ranks.rank());
      const OneBackend own(kind);
      const Backend& backend = own.get();
      const DeviceArray<double> counted(backend, 41);
      GradientSum sum(params, backend, ranks, shards);
      for (int s = sum.begin(); s < sum.end(); ++s)
        backend.upload(sum.of(s).values(), gradients[static_cast<std::size_t>(s)].data(),
                       size * sizeof(float));
      const Meter meter(backend);
      sum.start(counted.data());
      std::vector<std::thread>
          threads;  // which finish the parameters one after the other, as a backward pass does
      for (int s = sum.begin(); s < sum.end(); ++s)
        threads.emplace_back([&, s] {
          Gradients& mine = sum.of(s);
          mine.begin();
          mine.begin_last();
          for (int i = params.number(); i-- > 0;) {
            mine.accumulate(params.at(i));
            if (i > 0 && s % 2 == 0) mine.passed(params.at(i), backend);
          }
          mine.finish(backend);
        });
      for (std::thread& thread : threads) thread.join();
      sum.add_up([&](std::int64_t begin, std::int64_t end, const GradientSum::Work& f) {
        f(begin, end, meter);
      });
      totals[rank].resize(size);
      backend.download(totals[rank].data(), sum.total(), size * sizeof(float));
      sums[rank] = counted.download();
      ranks.sum(sums[rank]);
    });
    if (number == 1) total = totals[0], squares = sums[0];
    INFO(shards << " shards on " << number << " ranks");
    for (const auto& mine : totals) CHECK((mine == total));
    for (const auto& mine : sums) CHECK((mine == squares));
  }
}

TEST_CASE("updates on several ranks are the bits of one") {
  const Workplace place;
  Config config = quick_config();
  config.shards = 4;
  config.schedule = Schedule::constant;
  config.optimizer = GENERATE(Optimizer::adam, Optimizer::schedule_free);
  config.quantize_from = config.optimizer == Optimizer::adam ? 2 : 0;
  const Subword subword = Subword::load(place.path("subword.model"));
  config.source_vocab = config.target_vocab = subword.size();
  const ParallelCorpus corpus =
      read_parallel(place.path("train.a"), place.path("train.b"), subword, subword, {});
  const Epoch epoch(corpus, {config.tokens, config.shards, config.seed}, 0);
  const int kind = GENERATE(kCpu, kProtected, kCuda);
  std::vector<std::vector<float>> parameters(5);
  std::vector<UpdateResult> results(5);
  for (const int number : {1, 2, 3, 4})
    on_threads(number, [&](const Ranks& ranks) {
      const OneBackend own(kind);
      const Backend& backend = own.get();
      const auto model = make_model(config);
      model->params().draw(backend, 1);
      ThreadPool pool(2);
      Updater updater(*model, backend, pool, {}, ranks);
      UpdateResult result;
      for (int update = 1; update <= 3; ++update)
        result = updater.update(update, epoch.shards(update - 1));
      if (ranks.rank() + 1 < number) return;  // the last tells
      std::vector<float> scratch;
      const float* values = model->params().view(scratch);
      parameters[static_cast<std::size_t>(number)].assign(values, values + model->params().size());
      results[static_cast<std::size_t>(number)] = result;
    });
  for (const std::size_t number : {2u, 3u, 4u}) {
    INFO(number << " ranks");
    CHECK((parameters[number] == parameters[1]));
    CHECK(results[number].gradient_norm == results[1].gradient_norm);
    CHECK(results[number].loss.smoothed == results[1].loss.smoothed);
    CHECK(results[number].flops == results[1].flops);
    CHECK(results[number].flops > 0);
  }
}

}  // namespace tt
