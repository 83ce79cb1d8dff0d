// Repeating a command with something changed resumes the run or is refused with a message, and never crashes.
#include <algorithm>

#include "tests/unit/train_fixture.h"

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
  void best_of(const BestOf&) const override { throw Error("the search was stopped"); }
};

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
    if (!same_model(config, other).empty()) CHECK_THAT(error, Contains("another model") || Contains("settings: "));
    else CHECK((error.empty() || error.starts_with("settings: ")));
    if (error.empty()) CHECK(list_checkpoints(place.path(name)).back().update == std::max<std::int64_t>(6, other.max_updates));
    else CHECK(read_file(place.path(name + "/state.tt")) == read_file(place.path("run/state.tt")));
  }
}

TEST_CASE("a run resumes with larger batches, and with another corpus, from the next epoch") {
  const Workplace place;
  Config config = short_config();
  run(config, place.inputs("run", 1));
  config.max_updates = 8;
  TrainingInputs inputs = place.inputs("run", 1);
  SECTION("batches so large that an epoch has fewer than the run has had") { config.tokens = 100000; }
  SECTION("a corpus with fewer pairs") {
    for (const auto& [side, name] : {std::pair(&inputs.train_source, "few.a"), {&inputs.train_target, "few.b"}}) {
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
  inputs.dev_source = place.path("long.a");
  Output dev(inputs.dev_source);
  const std::size_t lines = read_lines(inputs.dev_target).size();
  std::string many = "10";
  for (int i = 0; i < 40; ++i) many += " 11";
  for (std::size_t i = 0; i < lines; ++i) dev.line(i == 4 ? many : "10");
  dev.close();
  CHECK_THROWS_WITH(run(config, inputs), Contains("long.a:5: has ") && Contains("positions for 30"));
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
  run(config, place.inputs("whole", 1));
  const FailingSearch failing;
  CHECK_THROWS_WITH(run(config, place.inputs("parts", 1), failing), Contains("the search was stopped"));
  CHECK(file_exists(place.path("parts/" + checkpoint_name(6))));
  run(config, place.inputs("parts", 1));
  CHECK((bytes_of(place, "whole") == bytes_of(place, "parts")));
  CHECK(list_checkpoints(place.path("parts"))[1].bleu.has_value());
}

}  // namespace tt
