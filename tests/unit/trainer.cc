// Training as a whole: the same bits for any number of threads and after any interruption, and a
// model that can learn.
#include "train/trainer.h"

#include <cmath>

#include "model/average.h"
#include "tests/unit/train_fixture.h"
#include "train/optimizer.h"
#include "train/updater.h"

namespace tt {

TEST_CASE("a run is the same bits on any number of threads") {
  const Workplace place;
  const QuickModel kind =
      GENERATE(QuickModel::transformer, QuickModel::lstm, QuickModel::lstm_with_all);
  Config config = quick_config(kind);
  config.accumulate = GENERATE(1, 2);
  if (kind == QuickModel::transformer && config.accumulate == 2) config.r_drop = 2;
  run(config, place.inputs("one", 1));
  run(config, place.inputs("two", 2));
  run(config, place.inputs("five", 5));
  run(config, place.inputs("device", 1), test_backend(kProtected));
  CHECK((bytes_of(place, "one") == bytes_of(place, "two")));
  CHECK((bytes_of(place, "one") == bytes_of(place, "five")));
  CHECK((bytes_of(place, "one") == bytes_of(place, "device")));
}

TEST_CASE("a run stopped after update 7 and resumed is the run that was not stopped") {
  const Workplace place;
  const QuickModel kind =
      GENERATE(QuickModel::transformer, QuickModel::lstm, QuickModel::lstm_with_all);
  const int device = GENERATE(kCpu, kProtected, kCuda);
  if (kind != QuickModel::transformer && device == kCuda)
    return;  // its recurrent kernels have own tests
  const Config config = quick_config(kind);
  // The protected device has the CPU's bits, and may go on where it stopped.
  const Backend& before = test_backend(device == kProtected ? kCpu : device);
  run(config, place.inputs("whole", 2), before);
  Config first = config;
  first.max_updates = 7;
  run(first, place.inputs("parts", 2), before);
  CHECK(file_exists(place.path("parts/" + checkpoint_name(7))));
  run(config, place.inputs("parts", 1), test_backend(device));
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
  CHECK(read_file(place.path("parts/done")) == "max-updates\n");
}

TEST_CASE("another seed is another run") {
  const Workplace place;
  Config config = quick_config();
  config.max_updates = 12;
  run(config, place.inputs("one", 2));
  config.seed = 2;
  run(config, place.inputs("other", 2));
  CHECK((bytes_of(place, "one") != bytes_of(place, "other")));
}

TEST_CASE("a folder keeps the last and the best checkpoints and no others") {
  const Workplace place;
  Config config = quick_config();
  config.valid_every = 3;
  config.save_every = 2;
  config.keep_last = 2;
  config.keep_best = 1;
  run(config, place.inputs("run", 2));
  const auto kept = list_checkpoints(place.path("run"));
  CHECK(kept.size() >= 2);
  CHECK(kept.size() <= 3);
  CHECK(kept.back().update == 12);
}

TEST_CASE("a run of another model or other pieces is refused and not changed") {
  const Workplace place;
  Config config = quick_config();
  config.max_updates = 2;
  config.save_every = 1;
  run(config, place.inputs("run", 1));
  const std::string before = read_file(place.path("run/state.tt"));
  config.max_updates = 4;
  config.d_ff = 64;
  CHECK_THROWS_WITH(run(config, place.inputs("run", 1)),
                    Contains("another model") && Contains("d_ff"));
  CHECK((read_file(place.path("run/state.tt")) == before));
}

TEST_CASE("a diverging run stops and says at which update") {
  const Workplace place;
  Config config = quick_config();
  config.rate = config.rate_scale =
      1000;  // with the decay, parameters grow a million times with each update
  config.weight_decay = 1;
  config.warmup = 1;
  CHECK_THROWS_WITH(run(config, place.inputs("run", 1)),
                    Contains("update ") && Contains("diverged"));
}

TEST_CASE("patience ends a run that gets no better") {
  const Workplace place;
  Config config = quick_config();
  config.rate = 1e-12;  // learns nothing
  config.max_updates = 1000;
  config.valid_every = 1;
  config.patience = 3;
  run(config, place.inputs("run", 2));
  CHECK(read_file(place.path("run/done")) == "patience\n");
}

TEST_CASE("twenty pairs are learnt by heart") {
  const Workplace place;
  const Subword subword = Subword::load(place.path("subword.model"));
  const ParallelCorpus all =
      read_parallel(place.path("train.a"), place.path("train.b"), subword, subword, {});
  std::vector<std::int64_t> twenty(20);
  for (std::size_t i = 0; i < twenty.size(); ++i) twenty[i] = static_cast<std::int64_t>(i);
  Config config =
      quick_config(GENERATE(QuickModel::transformer, QuickModel::lstm, QuickModel::lstm_with_all));
  config.source_vocab = config.target_vocab = subword.size();
  config.d_model = 64;
  config.d_ff = 128;
  config.dropout = config.attention_dropout = config.label_smoothing = 0;
  config.shards = 1;
  config.rate = 0.003;
  const CpuBackend backend;
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  ThreadPool pool(1);
  Updater updater(*model, backend, pool);
  const Batch batch = make_batch(all, twenty, subword.bos());
  double loss = 0;
  for (int update = 1; update <= 400; ++update) {
    const LossSums sums = updater.update(update, {&batch, 1}).loss;
    loss = sums.negative_log_likelihood / static_cast<double>(sums.tokens);
  }
  CHECK(loss < 0.01);
}

TEST_CASE("the first loss is that of guessing, about log V") {
  const Workplace place;
  const Subword subword = Subword::load(place.path("subword.model"));
  const ParallelCorpus all =
      read_parallel(place.path("train.a"), place.path("train.b"), subword, subword, {});
  Config config = quick_config();
  config.source_vocab = config.target_vocab = subword.size();
  const CpuBackend backend;
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  Tape tape(backend, model->params());
  const std::vector<std::int64_t> some{0, 1, 2, 3};
  const LossSums sums = score(*model, tape, make_batch(all, some, subword.bos()));
  CHECK(sums.negative_log_likelihood / static_cast<double>(sums.tokens) ==
        Approx(std::log(subword.size())).margin(1.0));
}

TEST_CASE("the rate rises for the warm-up and then falls as the paper says") {
  Config config;
  CHECK(learning_rate(config, 1) == Approx(std::pow(512, -0.5) * std::pow(4000, -1.5)));
  CHECK(learning_rate(config, 4000) == Approx(std::pow(512, -0.5) * std::pow(4000, -0.5)));
  CHECK(learning_rate(config, 16000) == Approx(std::pow(512, -0.5) * std::pow(16000, -0.5)));
  config.rate = 0.01;
  config.rate_scale = 0.5;
  CHECK(learning_rate(config, 4000) == Approx(0.005));
  config.schedule = Schedule::constant;
  CHECK(learning_rate(config, 50000) == Approx(0.005));
  config.schedule = Schedule::linear;
  CHECK(learning_rate(config, 52000) == Approx(0.0025));
  config.schedule = Schedule::cosine;
  CHECK(learning_rate(config, 52000) == Approx(0.0025));
  CHECK(learning_rate(config, 100000) == Approx(0.0).margin(1e-12));
  config.schedule = Schedule::wsd;
  CHECK(learning_rate(config, 2000) == Approx(0.0025));
  CHECK(learning_rate(config, 80000) == Approx(0.005));
  CHECK(learning_rate(config, 85000) == Approx(0.0025));  // a quarter of the way
  CHECK(learning_rate(config, 100000) == Approx(0.0).margin(1e-12));
  config.cooldown = 1;  // all that is behind the warm-up
  CHECK(learning_rate(config, 4000) == Approx(0.005));
  CHECK(learning_rate(config, 28000) == Approx(0.0025));
}

}  // namespace tt
