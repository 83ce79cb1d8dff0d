// Models of the Hugging Face transformers compute here what they compute there: tests/golden/
// transformers has configurations, a formula for their weights, and the log-probabilities of a
// translation.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "decode/loaded_model.h"
#include "exchange/hugging_face.h"
#include "nn/device.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

using nlohmann::json;

json golden(const std::string& name) {
  const char* root = std::getenv("TT_ROOT");
  return json::parse(
      read_file(std::string(root ? root : ".") + "/tests/golden/transformers/" + name + ".json"));
}

void write_weights(const json& tensors, const std::string& path) {
  std::vector<std::vector<float>> values;
  std::vector<NamedTensor> named;
  for (std::size_t n = 0; n < tensors.size(); ++n) {
    const std::string name = tensors[n][0];
    const Shape shape = tensors[n][1].get<Shape>();
    std::vector<float>& v = values.emplace_back();
    const double k = static_cast<double>(n);
    for (std::int64_t i = 0; i < elements(shape); ++i) {
      const double x = 0.5 * std::sin(1 + 1.7 * k + 0.37 * static_cast<double>(i) * (1 + 0.01 * k));
      const bool gain = shape.size() == 1 && name.ends_with("weight");
      v.push_back(static_cast<float>(gain ? 1 + 0.5 * x : x));
    }
    named.push_back({name, Dtype::f32, shape, nullptr});
  }
  for (std::size_t n = 0; n < named.size(); ++n) named[n].data = values[n].data();
  save_tensors(path, named, {});
}

// A tokenizer whose pieces are those of a small model, and languages behind them.
void write_tokenizer(const Scratch& scratch, const std::vector<std::string>& languages) {
  const Subword& subword = made_up_model("bpe");
  json pieces, added = json::array();
  for (int i = 0; i < subword.size(); ++i) pieces[subword.piece(i)] = i;
  for (std::size_t i = 0; i < languages.size(); ++i)
    added.push_back(
        {{"id", static_cast<std::size_t>(subword.size()) + i}, {"content", languages[i]}});
  scratch.file("tokenizer.json",
               json{{"model", {{"vocab", pieces}}}, {"added_tokens", added}}.dump());
  scratch.file("sentencepiece.bpe.model", subword.bytes());
}

PortableModel import_golden(const Scratch& scratch, const json& about) {
  write_weights(about["tensors"], scratch.path("model.safetensors"));
  scratch.file("config.json", about["config"].dump());
  const std::string type = about["config"]["model_type"];
  const bool many = type == "m2m_100" || type == "mbart";
  write_tokenizer(scratch,
                  many ? std::vector<std::string>{"en_XX", "de_DE"} : std::vector<std::string>());
  return kHuggingFace.read({scratch.path(""), {}, "", "", {}});
}

}  // namespace

TEST_CASE("models of transformers have the log-probabilities that they have there") {
  const auto* const name = GENERATE("m2m_100", "mbart", "bart", "t5", "t5-gated", "mt5");
  INFO(name);
  const json about = golden(name);
  const Scratch scratch;
  const PortableModel found = import_golden(scratch, about);
  write_portable(found, scratch.path("model.tt"), "test");
  const auto backend = open_backend({});
  LoadedModel loaded = load_model(scratch.path("model.tt"), *backend);
  Batch batch;
  const auto source = about["source"].get<std::vector<std::int32_t>>(),
             target = about["target"].get<std::vector<std::int32_t>>();
  append(batch.source, source);
  append(batch.target_out, target);
  batch.target_in = shifted(batch.target_out, loaded.target.bos());
  batch.sentences = {0};
  CHECK(loaded.target.bos() == about["config"]["decoder_start_token_id"]);
  Tape tape(*backend, loaded.model->params());
  const std::vector<float> scores = loaded.model->token_scores(tape, batch);
  REQUIRE(scores.size() == target.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
    CHECK(scores[i] == Approx(about["log_probabilities"][i].get<double>()).margin(2e-4));
}

}  // namespace tt
