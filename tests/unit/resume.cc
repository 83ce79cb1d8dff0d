// Repeating a command with something changed resumes the run or is refused with a message, and
// never crashes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "decode/search.h"
#include "tests/unit/train_fixture.h"
#include "train/batch_stream.h"
#include "train/run.h"

namespace tt {
namespace {

// Settings for a few updates that stop inside an epoch.
Config short_config() {
  Config config = quick_config();
  config.max_updates = 6;
  config.tokens = 100;
  config.valid_every = 0;
  config.save_every = 2;
  return config;
}

// Sets the field to another value that is valid by itself; false if it has none.
bool change(Config& config, const Field& field) {
  const std::string before = get_field(config, field);
  for (const std::string text : {"true", "false", "17", "3", "1000", "0.5", "0.01", "0.001"})
    if (text != before && problem(field, text).empty()) {
      set_field(config, field, text, "test");
      return true;
    }
  for (const std::string& text : field.choices)
    if (text != before) {
      set_field(config, field, text, "test");
      return true;
    }
  return false;
}

// The CPU backend, except that validation fails.
class FailingSearch : public CpuBackend {
 public:
  using CpuBackend::CpuBackend;
  void best_of(const BestOf&) const override { throw Error("the search was stopped"); }
};

// The CPU, but that a large step in update 9 leaves weights that are no numbers.
class Unstable : public CpuBackend {
 public:
  void adam(const Adam& k) const override {
    CpuBackend::adam(k);
    if (k.correction1 > 0.6f && k.correction1 < 0.64f && k.rate > 0.03f)
      k.parameters[0] = NAN;  // 1 - 0.9^9 is 0.61
  }
};

// Settings of a run that diverges in update 10, unless its rate is halved.
Config unstable_config(OnDivergence on_divergence) {
  Config config = quick_config();
  config.valid_every = 0;
  config.on_divergence = on_divergence;
  return config;
}

// Update, epoch and loss of every validation in a log.
std::vector<std::tuple<int, double, double>> validations(const std::string& path) {
  std::vector<std::tuple<int, double, double>> found;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);)
    if (const auto event = nlohmann::json::parse(line); event["event"] == "valid") {
      found.emplace_back(event["update"], event["epoch"], event["loss"]);
      CHECK(event["tokens"] > 0);
    }
  return found;
}

TrainingInputs without_dev(TrainingInputs inputs) {
  inputs.dev.clear();
  return inputs;
}

}  // namespace

TEST_CASE("a run resumes with any setting changed, or says why it cannot") {
  const Workplace place;
  const Config config = short_config();
  run(config, place.inputs("run", 1));
  for (const Field& field : fields()) {
    if (std::string(field.name).ends_with("_vocab")) continue;  // the subword models decide
    Config other = config;
    other.max_updates = 8;
    if (!change(other, field)) continue;
    INFO(field.name << " " << get_field(config, field) << " and " << get_field(other, field));
    const std::string name = std::string("run-") + field.name;
    std::filesystem::copy(place.path("run"), place.path(name));
    std::string error;
    try {
      other.max_updates = std::min<std::int64_t>(other.max_updates ? other.max_updates : 8, 8);
      run(other, place.inputs(name, 1));
    } catch (const Error& e) {
      error = e.what();
    }
    if (!same_model(config, other).empty())
      CHECK_THAT(error, Contains("another model") || Contains("settings: ") ||
                            Contains("model of many languages"));  // its text names none
    else
      CHECK((error.empty() || error.starts_with("settings: ") ||
             error.find("needs capitals") != std::string::npos ||  // which its text lacks
             error.find("for subword models of type unigram") != std::string::npos));
    if (error.empty())
      CHECK(list_checkpoints(place.path(name)).back().update ==
            std::max<std::int64_t>(6, other.max_updates));
    else CHECK(read_file(place.path(name + "/state.tt")) == read_file(place.path("run/state.tt")));
  }
}

TEST_CASE("a run resumes with larger batches, and with another corpus, from the next epoch") {
  const Workplace place;
  Config config = short_config();
  run(config, place.inputs("run", 1));
  config.max_updates = 8;
  TrainingInputs inputs = place.inputs("run", 1);
  SECTION("batches so large that an epoch has fewer than the run has had") {
    config.tokens = 100000;
  }
  SECTION("a corpus with fewer pairs") {
    for (const auto& [side, name] :
         {std::pair(&inputs.train[0].source, "few.a"), {&inputs.train[0].target, "few.b"}}) {
      const auto lines = read_lines(*side);
      Output few(place.path(name));
      for (std::size_t i = 0; i < 5; ++i) few.line(lines[i]);
      few.close();
      *side = place.path(name);
    }
  }
  SECTION("another seed") { config.seed = 99; }
  run(config, inputs);
  CHECK(list_checkpoints(place.path("run")).back().update == 8);
  // And once more, as what it now is.
  config.max_updates = 9;
  run(config, inputs);
  CHECK(list_checkpoints(place.path("run")).back().update == 9);
}

TEST_CASE("a development sentence too long for the model is reported before anything is written") {
  const Workplace place;
  Config config = short_config();
  config.positions = PositionKind::learned;
  config.max_length = 30;
  TrainingInputs inputs = place.inputs("run", 1);
  inputs.dev[0].source = place.path("long.a");
  Output dev(inputs.dev[0].source);
  const std::size_t lines = read_lines(inputs.dev[0].target).size();
  std::string many = "10";
  for (int i = 0; i < 40; ++i) many += " 11";
  for (std::size_t i = 0; i < lines; ++i) dev.line(i == 4 ? many : "10");
  dev.close();
  CHECK_THROWS_WITH(run(config, inputs),
                    Contains("long.a:5: has ") && Contains("positions for 30"));
  CHECK_FALSE(file_exists(place.path("run")));
}

TEST_CASE("a run that has nothing left to do by another limit ends by that limit") {
  const Workplace place;
  Config config = quick_config();
  config.max_updates = 7;
  run(config, place.inputs("run", 1));
  config.max_updates = 0;
  config.max_epochs = 1;
  run(config, place.inputs("run", 1));
  CHECK(read_file(place.path("run/done")) == "max-epochs\n");
  CHECK(list_checkpoints(place.path("run")).back().update == 7);
}

TEST_CASE("updates are saved before a validation, which is repeated when the run resumes") {
  const Workplace place;
  const Config config = quick_config();
  const auto logged = [&](const std::string& name) {
    TrainingInputs in = place.inputs(name, 1);
    in.log = place.path(name + ".log");
    return in;
  };
  run(config, logged("whole"));
  const FailingSearch failing;
  CHECK_THROWS_WITH(run(config, logged("parts"), failing), Contains("the search was stopped"));
  CHECK(file_exists(place.path("parts/" + checkpoint_name(6))));
  SECTION("as if nothing had happened") {
    run(config, logged("parts"));
    CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
    CHECK(list_checkpoints(place.path("parts"))[1].bleu.has_value());
    CHECK(validations(place.path("parts.log")) == validations(place.path("whole.log")));
  }
  SECTION("unless it goes on without a development set") {
    Config further = config;
    further.max_updates = 9;
    further.valid_every = 0;
    run(further, without_dev(logged("parts")));
    run(config, logged("parts"));
    CHECK(validations(place.path("parts.log")).size() == 1);
  }
}

// A validation reads the copy of the weights that updates read, though none has come yet.
TEST_CASE("a run in bfloat16 that goes on has the same first validation") {
  const Workplace place;
  Config config = quick_config();
  SECTION("of its weights") {}
  SECTION("of their moving average") { config.average_decay = 0.9; }
  SECTION("of the average of schedule-free training") {
    config.optimizer = Optimizer::schedule_free;
    config.schedule = Schedule::constant;
  }
  SECTION("of weights in eight bits") { config.quantize_from = 3; }
  const auto logged = [&](const std::string& name) {
    TrainingInputs in = place.inputs(name, 1);
    in.log = place.path(name + ".log");
    return in;
  };
  const CpuBackend narrow(Precision::bfloat16);
  run(config, logged("whole"), narrow);
  const FailingSearch failing(Precision::bfloat16);
  CHECK_THROWS_WITH(run(config, logged("parts"), failing), Contains("the search was stopped"));
  run(config, logged("parts"), narrow);
  CHECK(validations(place.path("parts.log")) == validations(place.path("whole.log")));
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
}

TEST_CASE("a place that an epoch does not have is the beginning of the next") {
  const Workplace place;
  const Config config = quick_config();
  const Subword subword = Subword::load(place.path("subword.model"));
  const ParallelCorpus corpus =
      read_parallel(place.path("train.a"), place.path("train.b"), subword, subword, {});
  const Respelling respelling({subword, subword}, config);
  ThreadPool pool(1);
  const auto find_place = [&](RunState& state) {
    return BatchStream(corpus, respelling, pool, config).find_place(state);
  };
  RunState state;
  find_place(state);
  state.epoch = 2;
  state.batch = 1000000000;
  CHECK_THAT(find_place(state), Contains("the batches have changed; continuing with epoch 4"));
  CHECK((state.epoch == 3 && state.batch == 0));
  state.batch = -1;
  CHECK_THROWS_WITH(read_state(write_state(state), "state.tt"),
                    Contains("state.tt: is damaged: it has negative counters"));
}

TEST_CASE(
    "a run whose newest file is damaged goes on from the checkpoint before, to the same bits") {
  const Workplace place;
  const Config config = quick_config();
  run(config, place.inputs("whole", 1));
  Config first = config;
  first.max_updates = 9;
  run(first, place.inputs("parts", 1));
  const auto damage = [&](const std::string& name, bool cut) {
    std::string bytes = read_file(place.path("parts/" + name));
    if (cut) bytes.resize(bytes.size() - 5);
    else bytes[bytes.size() / 2] ^= 4;
    Output(place.path("parts/" + name)).write(bytes);
  };
  const std::string name = GENERATE(as<std::string>(), "state.tt", "update-0000009.tt");
  const bool cut = GENERATE(false, true);
  damage(name, cut);
  SECTION("and its bits are those of a run that was left alone") {
    run(config, place.inputs("parts", 1));
    CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
  }
  SECTION("and where that is damaged too, both are named, and nothing is touched") {
    damage("previous.tt", cut);
    const std::string before = read_file(place.path("parts/state.tt"));
    CHECK_THROWS_WITH(run(config, place.inputs("parts", 1)),
                      Contains(name + ": is ") && Contains("previous.tt: is ") &&
                          Contains("nothing is left to resume from"));
    CHECK((read_file(place.path("parts/state.tt")) == before));
  }
}

TEST_CASE("an old checkpoint that is damaged stops no run") {
  const Workplace place;
  Config config = quick_config();
  config.max_updates = 9;
  run(config, place.inputs("run", 1));
  Output(place.path("run/update-0000004.tt")).write("no checkpoint");
  config.max_updates = 12;
  run(config, place.inputs("run", 1));
  CHECK(file_exists(place.path("run/update-0000012.tt")));
}

TEST_CASE("a run killed before its first state was written begins again") {
  const Workplace place;
  const Config config = quick_config();
  run(config, place.inputs("whole", 1));
  Config first = config;
  first.max_updates = 4;
  run(first, place.inputs("parts", 1));
  {
    Run begun(place.path("begun"));
    begun.create();
    begun.begin();
  }
  std::filesystem::copy_file(place.path("begun/state.tt"), place.path("parts/state.tt"),
                             std::filesystem::copy_options::overwrite_existing);
  run(config, place.inputs("parts", 1));
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
}

TEST_CASE(
    "a run that was always stopped between its checkpoints never begins again when its state is "
    "lost") {
  const Workplace place;
  Config config = quick_config();
  config.save_every = 1000;
  const TrainingInputs inputs = without_dev(place.inputs("run", 1));
  for (const int updates : {3, 5}) {
    config.max_updates = updates;
    run(config, inputs);
  }
  const std::string state = place.path("run/state.tt"),
                    checkpoint = place.path("run/" + checkpoint_name(5));
  const std::string bytes = read_file(checkpoint);
  CHECK_FALSE(file_exists(place.path("run/previous.tt")));
  config.max_updates = 7;
  SECTION("removed") {
    std::filesystem::remove(state);
    CHECK_THROWS_WITH(run(config, inputs), Contains("has checkpoints but no state.tt"));
  }
  SECTION("damaged") {
    std::string damaged = read_file(state);
    damaged[damaged.size() / 2] ^= 4;
    Output(state).write(damaged);
    CHECK_THROWS_WITH(run(config, inputs), Contains("nothing is left to resume from"));
  }
  CHECK((read_file(checkpoint) == bytes));
}

TEST_CASE("a checkpoint has the results of the development set that it names") {
  const Workplace place;
  Config config = quick_config();
  config.max_updates = 0;
  config.max_epochs = 1;
  TrainingInputs inputs = place.inputs("run", 1);
  run(config, inputs);
  const Checkpoint before = list_checkpoints(inputs.folder).back();
  inputs.dev = {{place.path("train.a"), place.path("train.b")}};
  config.max_epochs = 0;
  config.max_updates = static_cast<int>(before.update);
  run(config, inputs);
  const Checkpoint after = list_checkpoints(inputs.folder).back();
  CHECK(after.update == before.update);
  CHECK(after.validation != before.validation);
  CHECK(after.loss != before.loss);
}

TEST_CASE("a run that patience would have ended, had it not just improved, goes on") {
  const Workplace place;
  Config config = quick_config();
  config.valid_every = 2;
  config.max_updates = 4;
  run(config, place.inputs("run", 1));
  config.max_updates = 7;  // where it is not validated
  run(config, without_dev(place.inputs("run", 1)));
  // As if validations had been in vain.
  RunState state;
  {
    const TensorFile file(place.path("run/state.tt"));
    state = read_state(file.value("state"), "state");
    state.validations_without_gain = 3;
    state.best_bleu = 0;
    state.best_loss = 1e6;
    Metadata about = file.metadata();
    about["state"] = write_state(state);
    about.erase("checksum");
    save_tensors(place.path("run/other"), file.tensors(), about);
  }
  std::filesystem::rename(place.path("run/other"), place.path("run/state.tt"));
  config.max_updates = 12;
  config.patience = 3;
  run(config, place.inputs("run", 1));
  CHECK(list_checkpoints(place.path("run")).back().update == 12);
  CHECK(read_file(place.path("run/done")) == "max-updates\n");
}

TEST_CASE("a run that goes back to its beginning wants the model that it began with") {
  const Workplace place;
  Config config = unstable_config(OnDivergence::rollback);
  run(config, without_dev(place.inputs("before", 1)));
  std::filesystem::copy_file(place.path("before/" + checkpoint_name(12)), place.path("model.tt"));
  config.save_every = 0;
  TrainingInputs inputs = without_dev(place.inputs("run", 1));
  inputs.from = place.path("model.tt");
  config.max_updates = 5;
  run(config, inputs, Unstable());
  std::filesystem::copy_file(place.path("before/" + checkpoint_name(8)), place.path("model.tt"),
                             std::filesystem::copy_options::overwrite_existing);
  config.max_updates = 12;
  CHECK_THROWS_WITH(run(config, inputs, Unstable()),
                    Contains("model.tt: is not the model that the run began with"));
}

TEST_CASE(
    "a run that diverges stops, or goes back to the checkpoint that a run never stopped goes back "
    "to") {
  const Workplace place;
  const Unstable unstable;
  CHECK_THROWS_WITH(
      run(unstable_config(OnDivergence::stop), without_dev(place.inputs("stops", 1)), unstable),
      Contains("update 10: the loss is ") && Contains("on_divergence rollback"));
  CHECK(list_checkpoints(place.path("stops")).back().update == 8);

  const Config config = unstable_config(OnDivergence::rollback);
  run(config, without_dev(place.inputs("whole", 2)), unstable);
  Config first = config;
  first.max_updates = 9;  // saved as by a signal, with the weights that are no numbers
  run(first, without_dev(place.inputs("parts", 1)), unstable);
  run(config, without_dev(place.inputs("parts", 1)), unstable);
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
}

TEST_CASE(
    "a run that diverges in the first update after a checkpoint goes back to the one before") {
  const Workplace place;
  const Unstable unstable;
  Config config = unstable_config(OnDivergence::rollback);
  config.save_every = 3;  // the ninth has weights that are no numbers
  run(config, without_dev(place.inputs("whole", 2)), unstable);
  CHECK(list_checkpoints(place.path("whole")).back().update == 12);
  for (const int stopped : {7, 9, 10, 11}) {
    const std::string name = "stopped-" + std::to_string(stopped);
    Config first = config;
    first.max_updates = stopped;
    run(first, without_dev(place.inputs(name, 1)), unstable);
    run(config, without_dev(place.inputs(name, 1)), unstable);
    INFO(name);
    CHECK((bytes_of(place, "whole") == bytes_of(place, name)));
  }
}

TEST_CASE("a validation that meets weights which are no numbers leaves it to training to go back") {
  const Workplace place;
  const Unstable unstable;
  Config config = unstable_config(OnDivergence::rollback);
  config.save_every = config.valid_every = 3;
  TrainingInputs inputs = place.inputs("whole", 2);
  inputs.log = place.path("whole.log");
  run(config, inputs, unstable);
  CHECK(validations(inputs.log).size() == 4);  // after 3, 6, 9 and 12; the first of 9 is none
  Config first = config;
  first.max_updates = 9;  // nothing follows that would go back
  CHECK_THROWS_AS(run(first, place.inputs("parts", 1), unstable), NotFinite);
  run(config, place.inputs("parts", 1), unstable);
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
}

// As an earlier state leaves them that was copied back. They may be of another run.
TEST_CASE("checkpoints behind the newest are none of the last, and stay") {
  const Workplace place;
  Config config = quick_config();
  config.save_every = config.keep_last = 2;
  config.keep_best = 0;
  config.max_updates = 6;
  run(config, without_dev(place.inputs("run", 1)));
  std::filesystem::copy_file(place.path("run/" + checkpoint_name(6)),
                             place.path("run/" + checkpoint_name(30)));
  config.max_updates = 10;
  run(config, without_dev(place.inputs("run", 1)));
  std::vector<std::int64_t> left;
  for (const Checkpoint& c : list_checkpoints(place.path("run"))) left.push_back(c.update);
  CHECK(left == std::vector<std::int64_t>{8, 10, 30});
}

TEST_CASE("a run that diverges before its first checkpoint begins again with half the rate") {
  const Workplace place;
  Config config = unstable_config(OnDivergence::rollback);
  config.save_every = 0;
  run(config, without_dev(place.inputs("diverges", 1)), Unstable());
  config.rate_scale = 0.5;
  run(config, without_dev(place.inputs("half", 1)));
  const TensorFile one(place.path("diverges/" + checkpoint_name(12))),
      other(place.path("half/" + checkpoint_name(12)));
  for (const NamedTensor& tensor : one.tensors())
    CHECK(std::memcmp(tensor.data, other.find(tensor.name)->data, tensor.bytes()) == 0);
}

TEST_CASE("a gradient far longer than those before is divergence, unless it is clipped") {
  const Workplace place;
  Config config = unstable_config(OnDivergence::stop);
  config.max_updates = 102;
  config.divergence_ratio = 1e-3;
  CHECK_THROWS_WITH(
      run(config, without_dev(place.inputs("run", 1))),
      Contains("update 101: the norm of the gradient is ") && Contains("divergence_ratio"));
  config.clip = 1;
  run(config, without_dev(place.inputs("run", 1)));
  CHECK(list_checkpoints(place.path("run")).back().update == 102);
}

TEST_CASE("the average of the weights is the model, and goes on where it was, bit for bit") {
  const Workplace place;
  const int device = GENERATE(kCpu, kProtected);
  Config config = quick_config();
  const auto tensor = [&](const std::string& name, const std::string& file, const char* what) {
    const TensorFile from(place.path(name + "/" + file));
    const NamedTensor* found = from.find(what);
    REQUIRE(found);
    return std::string(static_cast<const char*>(found->data), found->bytes());
  };
  const std::string last = checkpoint_name(12);
  run(config, place.inputs("plain", 1), test_backend(device));
  config.average_decay = 0.9;
  run(config, place.inputs("whole", 2), test_backend(device));
  // It changes nothing about training itself.
  CHECK((tensor("plain", "state.tt", "adam.mean") == tensor("whole", "state.tt", "adam.mean")));
  CHECK((tensor("plain", last, "embeddings") != tensor("whole", last, "embeddings")));
  const std::string weights = tensor("whole", "state.tt", "parameters");
  CHECK(weights.find(tensor("plain", last, "embeddings")) != std::string::npos);
  Config first = config;
  first.max_updates = 7;
  run(first, place.inputs("parts", 1), test_backend(device));
  run(config, place.inputs("parts", 1), test_backend(device));
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
}

TEST_CASE("the average is that of its formula") {
  const Workplace place;
  Config config = quick_config();
  config.save_every = 1;
  config.max_updates = 5;
  config.valid_every = 0;
  TrainingInputs inputs = without_dev(place.inputs("weights", 1));
  run(config, inputs);
  config.average_decay = 0.3;
  inputs.folder = place.path("average");
  run(config, inputs);
  // a_t = d a_(t-1) + (1 - d) w_t, d = min(0.3, (1 + t) / (10 + t)), by what one update of the
  // first run adds to the second.
  const auto embeddings = [&](const char* name, int update) {
    const TensorFile file(place.path(std::string(name) + "/" + checkpoint_name(update)));
    const NamedTensor* tensor = file.find("embeddings");
    const auto* at = static_cast<const float*>(tensor->data);
    return std::vector<float>(at, at + tensor->bytes() / sizeof(float));
  };
  for (int t = 2; t <= 5; ++t) {
    const double d = std::min(0.3, (1.0 + t) / (10.0 + t));
    const auto before = embeddings("average", t - 1), after = embeddings("average", t),
               weights = embeddings("weights", t);
    double worst = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
      worst = std::max(worst, std::abs(d * before[i] + (1 - d) * weights[i] - after[i]));
    CHECK(worst < 1e-6);
  }
}

}  // namespace tt
