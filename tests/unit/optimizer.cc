// Schedule-free training against an independent implementation, and what it must have in common
// with Adam: the same bits however a run is computed or interrupted, and what is frozen stays.
#include "train/optimizer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "decode/search.h"
#include "tests/unit/train_fixture.h"
#include "train/updater.h"

namespace tt {
namespace {

Config schedule_free_config() {
  Config config = quick_config();
  config.optimizer = Optimizer::schedule_free;
  config.schedule = Schedule::constant;
  config.rate = 0.01;
  config.weight_decay = 0.01;
  config.clip = 1;
  return config;
}

std::vector<float> tensor(const std::string& path, const std::string& name) {
  const TensorFile file(path);
  const NamedTensor* found = file.find(name);
  REQUIRE(found);
  const auto* at = static_cast<const float*>(found->data);
  return {at, at + found->bytes() / sizeof(float)};
}

}  // namespace

// The numbers are those of schedulefree 1.4.1 with PyTorch 2.15 in double, by
//   o = schedulefree.AdamWScheduleFree([p], lr=0.05, betas=(beta1, beta2), eps=1e-9,
//                                      weight_decay=decay, warmup_steps=5, foreach=False, r=power)
// with p the four numbers below, of which after each step o.eval() shows the average.
TEST_CASE("schedule-free training takes the twenty steps of its authors' program") {
  using Point = std::array<float, 4>;
  struct Golden {
    double beta1, beta2, decay, power;
    std::vector<std::pair<int, Point>> averages;
  };
  const Golden golden = GENERATE(Golden{0.9,
                                        0.98,
                                        0,
                                        0,
                                        {{1, {0.49f, -0.24f, 0.99f, 0.01f}},
                                         {2, {0.4699790f, -0.2186818f, 0.9746831f, 0.0257940f}},
                                         {5, {0.4246937f, -0.1530074f, 0.9036543f, 0.1032136f}},
                                         {6, {0.4089032f, -0.1355048f, 0.8767778f, 0.1272694f}},
                                         {10, {0.3304060f, -0.0836674f, 0.7843062f, 0.2067037f}},
                                         {20, {0.1811770f, -0.0058662f, 0.5818960f, 0.3444346f}}}},
                                 Golden{0.95,
                                        0.9955,
                                        0.08,
                                        0,
                                        {{1, {0.4896f, -0.2398f, 0.9892f, 0.01f}},
                                         {2, {0.4689090f, -0.2181097f, 0.9726297f, 0.0257803f}},
                                         {5, {0.4207421f, -0.1508568f, 0.8955910f, 0.1029550f}},
                                         {6, {0.4041748f, -0.1327764f, 0.8668352f, 0.1268809f}},
                                         {10, {0.3227882f, -0.0794918f, 0.7680665f, 0.2057776f}},
                                         {20, {0.1687646f, 0.0004871f, 0.5544497f, 0.3430576f}}}},
                                 Golden{0.9,
                                        0.98,
                                        0.08,
                                        2,
                                        {{1, {0.4896f, -0.2398f, 0.9892f, 0.01f}},
                                         {2, {0.4653107f, -0.2143594f, 0.9696995f, 0.0285669f}},
                                         {6, {0.3921728f, -0.1157990f, 0.8439763f, 0.1458968f}},
                                         {20, {0.0988028f, 0.0217478f, 0.4382612f, 0.3804325f}}}},
                                 Golden{0.95,
                                        0.9955,
                                        0.08,
                                        0.75,
                                        {{1, {0.4896f, -0.2398f, 0.9892f, 0.01f}},
                                         {5, {0.4170603f, -0.1419474f, 0.8883532f, 0.1100269f}},
                                         {10, {0.3049222f, -0.0689375f, 0.7440608f, 0.2232612f}},
                                         {20, {0.1307266f, 0.0132154f, 0.4959901f, 0.3672080f}}}});
  Config config;
  config.optimizer = Optimizer::schedule_free;
  config.schedule = Schedule::constant;
  config.rate = 0.05;
  config.warmup = 5;
  config.beta1 = golden.beta1;
  config.beta2 = golden.beta2;
  config.weight_decay = golden.decay;
  config.average_power = golden.power;
  AverageWeight weight;
  Point y{0.5f, -0.25f, 1, 0}, z = y, x = y, v{}, gradient;
  auto next = golden.averages.begin();
  for (int t = 1; t <= 20; ++t) {
    for (int i = 0; i < 4; ++i)
      gradient[i] = static_cast<float>(i + 1) * (y[i] - 0.1f * static_cast<float>(i)) +
                    0.3f * y[(i + 1) % 4] + 0.2f * static_cast<float>(t * (i + 2) % 5 - 2);
    ScheduleFree k = schedule_free_step(config, t, learning_rate(config, t), 1, weight(config, t));
    k.size = 4;
    k.gradient = gradient.data();
    k.y = y.data(), k.z = z.data(), k.v = v.data(), k.x = x.data();
    CpuBackend().schedule_free(k);
    if (next == golden.averages.end() || t != next->first) continue;
    for (int i = 0; i < 4; ++i) {
      INFO("step " << t << ", number " << i);
      CHECK(x[i] == Approx(next->second[i]).margin(2e-6));
    }
    ++next;
  }
  CHECK(next == golden.averages.end());
}

TEST_CASE("a point enters its average as the square of its rate, and a power of its update") {
  Config config;
  config.schedule = Schedule::constant;
  config.warmup = GENERATE(0, 1, 7);
  config.average_power = GENERATE(0.0, 0.75, 2.0, 100.0);
  AverageWeight weight;
  double sum = 0;
  CHECK(AverageWeight()(config, 10000) > 0);  // no sum is beyond what numbers can be
  for (int t = 1; t <= 30; ++t) {
    const double own = std::pow(learning_rate(config, t), 2) * std::pow(t, config.average_power);
    CHECK(weight(config, t) == Approx(own / (sum += own)));
    // Bit for bit, wherever a run goes on, or goes back to.
    CHECK(weight(config, t) == AverageWeight()(config, t));
  }
}

TEST_CASE("a schedule-free run is the same bits on any device and after any stop") {
  const Workplace place;
  Config config = schedule_free_config();
  config.beta1 = GENERATE(0.9, 0.0);  // 0: gradients are taken where the point is
  run(config, place.inputs("one", 1));
  run(config, place.inputs("five", 5));
  run(config, place.inputs("device", 1), test_backend(kProtected));
  Config first = config;
  first.max_updates = 7;
  run(first, place.inputs("parts", 2));
  run(config, place.inputs("parts", 1), test_backend(kProtected));
  for (const char* other : {"five", "device", "parts"})
    CHECK((bytes_of(place, "one") == bytes_of(place, other)));
  // Validations, and what they leave, change nothing.
  config.valid_every = 0;
  run(config, place.inputs("unseen", 1));
  const std::string last = checkpoint_name(12);
  CHECK((tensor(place.path("one/" + last), "embeddings") ==
         tensor(place.path("unseen/" + last), "embeddings")));
}

TEST_CASE("a schedule-free run on a GPU goes on to the same bits") {
  const Workplace place;
  const Config config = schedule_free_config();
  run(config, place.inputs("whole", 1), test_backend(kCuda));
  Config first = config;
  first.max_updates = 7;
  run(first, place.inputs("parts", 1), test_backend(kCuda));
  run(config, place.inputs("parts", 1), test_backend(kCuda));
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
}

TEST_CASE("the model of a schedule-free run is the average, and its state is as large as Adam's") {
  const Workplace place;
  Config config = schedule_free_config();
  config.save_every = 1;
  config.max_updates = 5;
  config.valid_every = 0;
  run(config, place.inputs("run", 1));
  const auto at = [&](int update) {
    const TensorFile file(place.path("run/" + checkpoint_name(update)));
    std::vector<float> all;
    for (const NamedTensor& t : file.tensors())
      if (t.type == Dtype::f32) {
        const auto* from = static_cast<const float*>(t.data);
        all.insert(all.end(), from, from + t.bytes() / sizeof(float));
      }
    return all;
  };
  const std::vector<float> before = at(4), after = at(5);
  const std::string state = place.path("run/state.tt");
  const std::vector<float> z = tensor(state, "schedule-free.z");
  CHECK(TensorFile(state).tensors().size() == 2);
  CHECK((tensor(state, "adam.square").size() == z.size()));
  // In whatever order, and with whatever gaps, the file has them: their sums agree.
  double expected = 0, found = 0, moved = 0;
  for (const float x : z) expected += x;
  for (std::size_t i = 0; i < after.size(); ++i) {
    found += before[i] + (static_cast<double>(after[i]) - before[i]) / AverageWeight()(config, 5);
    moved += std::abs(after[i] - before[i]);
  }
  CHECK(moved > 0);
  CHECK(found == Approx(expected).margin(1e-3 * static_cast<double>(z.size()) * 0.01));
}

TEST_CASE("what a run of averages freezes stays what it is in the checkpoint") {
  const Workplace place;
  Config config = schedule_free_config();
  config.average_power = GENERATE(0.0, 2.0, -1.0);
  const bool schedule_free = config.average_power >= 0;
  if (!schedule_free)
    config.optimizer = Optimizer::adam, config.average_decay = 0.9, config.average_power = 0;
  config.max_updates = 6;
  TrainingInputs inputs = place.inputs("run", 1);
  run(config, inputs);
  const auto embeddings = [&](int update) {
    return tensor(place.path("run/" + checkpoint_name(update)), "embeddings");
  };
  const std::vector<float> before = embeddings(6);
  inputs.freeze = "embeddings";
  config.max_updates = 12;
  run(config, inputs);
  CHECK((embeddings(12) == before));
  // Gradients are taken there too, as z and x are one.
  const std::vector<float> z =
      tensor(place.path("run/state.tt"), schedule_free ? "schedule-free.z" : "parameters");
  CHECK(std::search(z.begin(), z.end(), before.begin(), before.end()) != z.end());
  // Thawed, they go on from there.
  inputs.freeze = "";
  config.max_updates = 13;
  run(config, inputs);
  CHECK((embeddings(13) != before));
}

TEST_CASE("the state of one optimiser is not taken for another's") {
  const Workplace place;
  Config config = schedule_free_config();
  config.max_updates = 4;
  run(config, place.inputs("run", 1));
  const std::string before = read_file(place.path("run/state.tt"));
  config.optimizer = GENERATE(Optimizer::adam, Optimizer::nadam);
  config.max_updates = 5;
  CHECK_THROWS_WITH(run(config, place.inputs("run", 1)),
                    Contains("not that of the optimizer ") && Contains("but of schedule-free"));
  CHECK((read_file(place.path("run/state.tt")) == before));
  run(config, place.inputs("other", 1));
  config.optimizer = Optimizer::schedule_free;
  config.max_updates = 6;
  CHECK_THROWS_WITH(run(config, place.inputs("other", 1)),
                    Contains("not that of the optimizer schedule-free"));
}

TEST_CASE("a schedule-free run that diverges goes back to its last checkpoint, or its beginning") {
  // The CPU, but that update 6 leaves weights that are no numbers, unless the rate was halved.
  class Unstable : public CpuBackend {
   public:
    void schedule_free(const ScheduleFree& k) const override {
      CpuBackend::schedule_free(k);
      if (k.correction2 > 0.105f && k.correction2 < 0.12f && k.rate > 0.005f)
        k.x[0] = k.y[0] = k.z[0] = NAN;
    }
  };
  const Workplace place;
  Config config = schedule_free_config();
  config.on_divergence = OnDivergence::rollback;
  config.clip = 0;
  config.valid_every = 0;
  config.save_every = GENERATE(4, 100);
  TrainingInputs whole = place.inputs("whole", 2), parts = place.inputs("parts", 1);
  for (TrainingInputs* in : {&whole, &parts}) in->dev.clear();
  run(config, whole, Unstable());
  Config first = config;
  first.max_updates = 6;  // saved as by a signal, with the weights that are no numbers
  run(first, parts, Unstable());
  run(config, parts, Unstable());
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
  for (const float x : tensor(place.path("whole/" + checkpoint_name(12)), "embeddings"))
    if (!std::isfinite(x)) FAIL("a weight is no number");
}

TEST_CASE("a schedule-free average learns twenty pairs, and NAdam does") {
  const Workplace place;
  const Subword subword = Subword::load(place.path("subword.model"));
  const ParallelCorpus all =
      read_parallel(place.path("train.a"), place.path("train.b"), subword, subword, {});
  std::vector<std::int64_t> twenty(20);
  for (std::size_t i = 0; i < twenty.size(); ++i) twenty[i] = static_cast<std::int64_t>(i);
  Config config = quick_config();
  config.optimizer = GENERATE(Optimizer::schedule_free, Optimizer::nadam);
  config.schedule = Schedule::constant;
  config.rate = config.optimizer == Optimizer::nadam ? 0.003 : 0.01;
  config.source_vocab = config.target_vocab = subword.size();
  config.dropout = config.attention_dropout = config.label_smoothing = 0;
  config.shards = 1;
  const CpuBackend backend;
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  ThreadPool pool(1);
  Updater updater(*model, backend, pool);
  const Batch batch = make_batch(all, twenty, subword.bos());
  for (int update = 1; update <= 400; ++update) updater.update(update, {&batch, 1});
  const Updater::Averaged averaged(updater);
  Tape tape(backend, model->params());
  const LossSums sums = score(*model, tape, batch);
  CHECK(sums.negative_log_likelihood / static_cast<double>(sums.tokens) < 0.05);
}

}  // namespace tt
