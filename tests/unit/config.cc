// The table of settings: presets, JSON, flags, impossible combinations, and the comparison of
// models.
#include "model/config.h"

#include <fstream>
#include <limits>
#include <set>

#include "base/error.h"
#include "model/enumerators.h"
#include "tests/catch.h"

namespace tt {
namespace {

Config from_json(const std::string& json) {
  Config config;
  read_json(config, json, "run.json");
  return config;
}

std::string error_of(const std::string& json) {
  try {
    from_json(json);
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

template <class Change>
std::string check_error(Change change) {
  Config config;
  change(config);
  try {
    check_config(config, "here");
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

// A value of a field that differs from that of `config`.
void alter(Config& config, const Field& field) {
  const std::string old = get_field(config, field);
  std::string text = old == "true" ? "false" : "true";
  if (field.kind() == "TEXT") text = "en-de=a";
  else if (!field.choices.empty())
    text = field.choices.front() == old ? field.choices.back() : field.choices.front();
  else if (!field.is_switch())
    text =
        std::stod(old) == field.least ? (field.most > 0 && field.most < 1 ? "0.5" : "1") : "0.25";
  if (field.kind() == "INTEGER") text = old == "7" ? "8" : "7";
  set_field(config, field, text, "test");
}

TEST_CASE("the defaults are the paper's base model, and every preset passes the check") {
  const Config base = preset("base");
  CHECK(base.encoder_layers == 6);
  CHECK(base.d_model == 512);
  CHECK(base.d_ff == 2048);
  CHECK(base.key_size() == 64);
  CHECK(base.value_size() == 64);
  const Config big = preset("big"), tiny = preset("tiny");
  CHECK(big.d_model == 1024);
  CHECK(big.d_ff == 4096);
  CHECK(big.key_size() == 64);
  CHECK(big.dropout == 0.3);
  CHECK(tiny.decoder_layers == 4);
  CHECK(tiny.d_model == 128);
  CHECK(tiny.d_ff == 256);
  CHECK(tiny.heads == 4);
  std::set<std::string> written;
  for (const auto& name : preset_names()) {
    CHECK_NOTHROW(check_config(preset(name), name));
    written.insert(to_json(preset(name)));
  }
  CHECK(written.size() == 4);
  CHECK(base.norm_epsilon == 1e-5);
  const Config rms = preset("base", ModelType::transformer, NormType::rms);
  CHECK(rms.norm_epsilon == 1e-6);
  CHECK(rms.norm_type == NormType::layer);  // which settings set, after the preset
  CHECK_THROWS_WITH(preset("huge"),
                    "there is no preset \"huge\"; the presets are tiny, small, base and big");
}

TEST_CASE("every field has its own name and member, and a default it accepts") {
  std::set<std::string> names;
  for (const Field& field : fields()) {
    INFO(field.name);
    CHECK(names.insert(field.name).second);
    CHECK(problem(field, get_field(Config{}, field)).empty());
    CHECK(!std::string_view(field.help).empty());
    if (field.choices.size() == 1) continue;
    Config changed;
    alter(changed, field);
    for (const Field& other : fields())
      CHECK((get_field(changed, other) != get_field(Config{}, other)) ==
            (std::string(other.name) == field.name));
  }
  CHECK(find_field("d-model") == find_field("d_model"));
  CHECK(find_field("d model") == nullptr);
}

TEST_CASE("the choices of a setting are the values of its enumeration, by their names") {
  const auto of = [](const char* name, const char* value) {
    Config config;
    set_field(config, *find_field(name), value, "test");
    return config;
  };
  // The value that no setting has, and those that are spelt otherwise than in the code.
  CHECK(find_field("activation")->choices ==
        std::vector<std::string>{"relu", "gelu", "swish", "gelu_logistic", "gelu_erf"});
  CHECK(of("activation", "gelu_erf").activation == Activation::gelu_erf);
  CHECK(of("final_norm", "auto").final_norm == FinalNorm::by_norm);
  CHECK(of("final_norm", "yes").final_norm == FinalNorm::yes);
  CHECK(of("optimizer", "schedule-free").optimizer == Optimizer::schedule_free);
  CHECK(of("position_layout", "tensor2tensor").position_layout == PositionLayout::tensor2tensor);
  CHECK(enumerator_name<EmbeddingTies::inputs>() == "inputs");
  CHECK(enumerator_name<static_cast<EmbeddingTies>(4)>().empty());
}

TEST_CASE("every field is read back as it was written") {
  Config config;
  for (const Field& field : fields())
    if (field.choices.size() != 1) alter(config, field);
  config.seed = std::numeric_limits<std::uint64_t>::max();
  config.epsilon = 0.1 + 0.2 - 0.3 + 1e-9;  // needs all its digits
  for (bool indented : {false, true}) {
    const Config read = from_json(to_json(config, indented));
    for (const Field& field : fields())
      CHECK(get_field(read, field) ==
            get_field(indented && !applies(field, config) ? Config{} : config, field));
    CHECK(read.epsilon == config.epsilon);
    CHECK(read.seed == config.seed);
  }
  CHECK(to_json(config).find('\n') == std::string::npos);
  CHECK(to_json(config, true).starts_with("{\n  \"type\": \"lstm\",\n "));
}

TEST_CASE("a file overrides the settings it names, and flags override the file") {
  Config config = preset("tiny");
  read_json(config, R"({"d_model": 64, "attention-bias": true, "rate": 1})", "run.json");
  CHECK(config.d_model == 64);
  CHECK(config.attention_bias);
  CHECK(config.rate == 1.0);
  CHECK(config.d_ff == 256);
  set_field(config, *find_field("d-model"), "32", "--d-model");
  set_field(config, *find_field("attention-bias"), "false", "--attention-bias");
  CHECK(config.d_model == 32);
  CHECK_FALSE(config.attention_bias);
  set_field(config, *find_field("attention-bias"), "", "--attention-bias");
  CHECK(config.attention_bias);
}

TEST_CASE("a wrong file is refused with line, key and advice, and changes nothing") {
  CHECK_THAT(error_of("{\n\"d_model\": 64,\n \"d_modle\": 1}"),
             Equals("run.json:3: unknown key \"d_modle\"; did you mean \"d_model\"?"));
  CHECK_THAT(error_of(R"({"label-smothing": 1})"), Contains("did you mean \"label_smoothing\"?"));
  CHECK_THAT(error_of(R"({"foo": 1})"),
             Equals("run.json:1: unknown key \"foo\"; the manual lists all keys"));
  CHECK_THAT(error_of(R"({"d_model": "64"})"),
             Equals("run.json:1: d_model must be an integer from 1 to 65536, not the text \"64\""));
  CHECK_THAT(error_of(R"({"d_model": 64.0})"),
             Contains("must be an integer from 1 to 65536, not \"64.0\""));
  CHECK_THAT(error_of(R"({"d_model": 0})"),
             Contains("must be an integer from 1 to 65536, not \"0\""));
  CHECK_THAT(error_of(R"({"d_model": 4294967808})"), Contains("not \"4294967808\""));
  CHECK_THAT(error_of(R"({"d_model": [[1]]})"), Contains("not an array"));
  CHECK_THAT(error_of(R"({"d_model": {}})"), Contains("not an object"));
  CHECK_THAT(error_of(R"({"d_model": null})"), Contains("not null"));
  CHECK_THAT(error_of(R"({"seed": -1})"), Contains("from 0 to 18446744073709551615, not \"-1\""));
  CHECK_THAT(error_of(R"({"dropout": 1.5})"),
             Equals("run.json:1: dropout must be a number from 0 to 0.99, not \"1.5\""));
  CHECK_THAT(error_of(R"({"dropout": -0.1})"), Contains("from 0 to 0.99, not \"-0.1\""));
  CHECK_THAT(error_of(R"({"beam": 1025})"), Contains("from 1 to 1024, not \"1025\""));
  CHECK_THAT(error_of(R"({"norm": "mid"})"),
             Equals("run.json:1: norm must be \"post\" or \"pre\", not \"mid\""));
  CHECK_THAT(error_of(R"({"embeddings": "x"})"),
             Contains("must be \"shared\", \"target\", \"none\" or \"inputs\""));
  CHECK_THAT(error_of(R"({"attention_bias": 1})"), Contains("must be true or false, not 1"));
  CHECK_THAT(error_of(R"({"beam": 1, "beam": 2})"),
             Equals("run.json: the key \"beam\" is given twice"));
  CHECK_THAT(error_of(R"({"d_model": 1, "d-model": 2})"), Contains("given twice"));
  std::string many = "{\"beam\": 1";  // in linear time
  for (int i = 0; i < 200000; ++i) many += ",\"" + std::to_string(i) + "\": {}";
  CHECK_THAT(error_of(many + "}"), Contains("unknown key \"0\""));
  CHECK_THAT(error_of("[1]"), Contains("must be a JSON object"));
  CHECK_THAT(error_of("{\n\"beam\": 1,\n}"), Equals("run.json:3: not JSON from \"}\" on"));
  CHECK_THAT(error_of(""), Equals("run.json:1: not JSON, or incomplete: it ends too early"));
  CHECK_THAT(error_of("{\"beam\": 1,\n \"dropout\": nan}"),
             Equals("run.json:2: not JSON from \"nan}\" on"));
  CHECK_THAT(error_of("{\n\"beam\": 1e999}"),
             Equals("run.json:2: the number \"1e999\" is too large"));
  CHECK_THAT(error_of("{\"\xff\": 1}"), Contains("not JSON"));

  Config config;
  CHECK_THROWS_AS(read_json(config, R"({"beam": 7, "unknown": 1})", "x"), Error);
  CHECK(config.beam == 4);
  CHECK_THROWS_WITH(set_field(config, *find_field("beam"), "4x", "--beam"),
                    "--beam: beam must be an integer from 1 to 1024, not \"4x\"");
  for (const char* text : {"nan", "inf", "1e999", "", " 1", "0x1"})
    CHECK(!problem(*find_field("clip"), text).empty());
}

TEST_CASE("impossible combinations are refused with advice") {
  CHECK_THAT(
      check_error([](Config& c) { c.heads = 7; }),
      Equals(
          "here: d_model 512 is not divisible by heads 7; change one of them, or set d_k and d_v"));
  CHECK(check_error([](Config& c) { c.heads = 7, c.d_k = 10, c.d_v = 12; }) == "(no error)");
  CHECK_THAT(check_error([](Config& c) { c.heads = 7, c.d_k = 10; }), Contains("not divisible"));
  CHECK_THAT(check_error([](Config& c) { c.heads = 0; }),
             Contains("heads must be an integer from 1"));
  CHECK_THAT(check_error([](Config& c) { c.dropout = std::numeric_limits<double>::quiet_NaN(); }),
             Contains("dropout must be"));
  CHECK_THAT(check_error([](Config& c) { c.source_vocab = 10, c.target_vocab = 11; }),
             Contains("shared embeddings need one"));
  CHECK(check_error([](Config& c) {
          c.source_vocab = 10, c.target_vocab = 11, c.embeddings = EmbeddingTies::target;
        }) == "(no error)");
  CHECK_THAT(check_error([](Config& c) { c.warmup = 0; }), Contains("needs a warmup"));
  CHECK_THAT(check_error([](Config& c) { c.warmup = 0, c.schedule = Schedule::constant; }),
             Contains("set rate or warmup"));
  CHECK(check_error([](Config& c) {
          c.warmup = 0, c.schedule = Schedule::constant, c.rate = 1e-3;
        }) == "(no error)");
  const auto schedule_free = [](Config& c) {
    c.optimizer = Optimizer::schedule_free, c.schedule = Schedule::constant;
  };
  CHECK(check_error(schedule_free) == "(no error)");
  CHECK_THAT(check_error([&](Config& c) { schedule_free(c), c.schedule = Schedule::linear; }),
             Contains("has no schedule after the warmup, but schedule is \"linear\""));
  CHECK_THAT(check_error([&](Config& c) { schedule_free(c), c.average_decay = 0.9; }),
             Contains("averages the weights itself; set average_decay to 0"));
  CHECK_THAT(check_error([](Config& c) { c.schedule = Schedule::wsd, c.max_updates = 4000; }),
             Contains("falls to 0"));
  CHECK_THAT(check_error([](Config& c) { c.schedule = Schedule::cosine, c.max_updates = 4000; }),
             Contains("more than warmup (4000)"));
}

TEST_CASE("a setting that does not apply to the type of the model is refused by name") {
  const auto lstm = [](auto change) {
    return check_error([&](Config& c) { c = preset("tiny", ModelType::lstm), change(c); });
  };
  CHECK(lstm([](Config&) {}) == "(no error)");
  CHECK(lstm([](Config& c) { c.heads = 4; }) == "here: heads does not apply to type lstm; omit it");
  CHECK(check_error([](Config& c) { c.input_feeding = true; }) ==
        "here: input_feeding does not apply to type transformer; omit it");
  int foreign = 0;
  for (const Field& field : fields()) {
    if (!field.only) continue;
    ++foreign;
    INFO(field.name);
    const ModelType other =
        *field.only == ModelType::lstm ? ModelType::transformer : ModelType::lstm;
    CHECK(check_error([&](Config& c) { c = preset("tiny", other), alter(c, field); }) ==
          "here: " + std::string(field.name) + " does not apply to type " +
              get_field(preset("tiny", other), "type") + "; omit it");
  }
  CHECK(foreign == 38);
  for (const auto& name : preset_names())
    CHECK_NOTHROW(check_config(preset(name, ModelType::lstm), name));
  CHECK(lstm([](Config& c) { c.d_model = 100; }) == "(no error)");  // no heads to divide it
  CHECK_THAT(lstm([](Config& c) { c.bidirectional = true, c.d_model = 33; }),
             Contains("d_model 33 is odd"));
  CHECK_THAT(lstm([](Config& c) { c.input_feeding = true, c.attention = AttentionKind::none; }),
             Contains("needs attention"));
}

TEST_CASE("models are the same when their tensors and their function are") {
  const Config base;
  for (const Field& field : fields()) {
    if (field.choices.size() == 1) continue;
    Config other;
    alter(other, field);
    INFO(field.name);
    // Sinusoidal positions need no length, and no buckets of distances.
    const std::set<std::string> of_other_positions{"max_length", "position_buckets",
                                                   "position_distance"};
    const bool counts =
        field.group == FieldGroup::model && !of_other_positions.contains(field.name);
    CHECK(same_model(base, other).empty() != counts);
  }
  Config other;
  other.d_model = 256;
  CHECK(same_model(base, other) == "d_model is 512 and 256");
  other = base;
  other.d_k = other.d_v = 64;
  CHECK(same_model(base, other).empty());
  Config learned, longer;
  learned.positions = longer.positions = PositionKind::learned;
  longer.max_length = 512;
  CHECK(same_model(learned, longer) == "max_length is 256 and 512");
}

}  // namespace
}  // namespace tt
