// Models of the Hugging Face transformers compute here what they compute there: tests/golden/
// transformers has configurations, a formula for their weights, and the log-probabilities of a
// translation.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/utf8.h"
#include "decode/loaded_model.h"
#include "exchange/exchange.h"
#include "exchange/format.h"
#include "exchange/tokenizer_json.h"
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
  // Models of languages have sinusoids that begin behind the number of <pad>.
  for (int i = 0; i < subword.size(); ++i)
    pieces[i == 1 && !languages.empty() ? "<pad>" : subword.piece(i)] = i;
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

TEST_CASE("models of transformers come back from what is written of them") {
  const auto* const name = GENERATE("m2m_100", "mbart", "bart");
  const auto* const format = GENERATE("hugging-face", "ctranslate2");
  INFO(name << " " << format);
  const Scratch scratch;
  const PortableModel found = import_golden(scratch, golden(name));
  write_portable(found, scratch.path("model.tt"), "test");
  const PortableModel model = read_portable(scratch.path("model.tt"));
  export_model(model, format_of(format), scratch.path("out"));
  const PortableModel back = import_model({scratch.path("out"), {}, "", "", {}}, format_of(format));
  CHECK(same_model(model.config, back.config) == "");
  write_portable(back, scratch.path("back.tt"), "test");
  const PortableModel again = read_portable(scratch.path("back.tt"));
  for (const auto& [parameter, matrix] : model.parameters)
    CHECK((again.at(parameter).values == matrix.values));
  CHECK((again.source == model.source && again.target == model.target));
}

TEST_CASE("a model whose embeddings are apart has those of its output") {
  const auto* const name = GENERATE("m2m_100", "mbart");
  INFO(name);
  json about = golden(name);
  about["config"]["tie_word_embeddings"] = false;
  const Scratch scratch;
  json shape;
  for (const json& tensor : about["tensors"])
    if (tensor[0] == "model.shared.weight") shape = tensor[1];
  const bool decoder = GENERATE(false, true);
  about["tensors"].push_back({"lm_head.weight", shape});
  if (decoder) about["tensors"].push_back({"model.decoder.embed_tokens.weight", shape});
  const PortableModel found = import_golden(scratch, about);
  CHECK(found.config.embeddings == (decoder ? EmbeddingTies::none : EmbeddingTies::inputs));
  const auto source = found.at(Stack::encoder, Role::embeddings).all(),
             output = found.at(Stack::decoder, Role::output).all();
  CHECK(source != output);
  CHECK((found.at(Stack::decoder, Role::embeddings).all() == source) == !decoder);
}

TEST_CASE("a tokenizer.json alone cuts text as the SentencePiece model that it was made of") {
  const auto* const kind = GENERATE("bpe", "unigram");
  SubwordOptions options;
  options.type = kind;
  options.byte_fallback = GENERATE(false, true);
  options.vocab_size = options.byte_fallback ? 380 : 120;
  const Subword subword = train_on(made_up_lines(1500, 1), options);
  const Vocabulary vocabulary = vocabulary_of(subword.bytes(), "m");
  const Scratch scratch;
  const std::string file = make_tokenizer_json(subword.bytes(), vocabulary, {}, {vocabulary.eos});
  const std::string path = scratch.file("tokenizer.json", file);
  std::vector<std::string> losses;
  const Subword found = Subword::parse(
      number_pieces(read_subword(path, &losses), vocabulary, SubwordSide::source, path), path);
  CHECK(losses.empty());
  for (std::string line : made_up_lines(500, 3)) {
    line += " ☃é";  // which no piece has
    INFO(line);
    std::vector<std::int32_t> ids, expected;
    found.encode(line, ids), subword.encode(line, expected);
    REQUIRE(ids == expected);
  }
  // Merges that a tokenizer lacks are counted, and other tokenizers are refused.
  json other = json::parse(file);
  if (std::string_view(kind) == "bpe") {
    other["model"]["merges"].erase(other["model"]["merges"].size() - 1);
    const json all = json::parse(file)["model"]["merges"];
    const std::string piece = [&] {
      std::string text = all.back();
      return text.erase(text.find(' '), 1);
    }();
    std::size_t makers = 0;
    for (std::string merge : all) makers += merge.erase(merge.find(' '), 1) == piece;
    read_subword(scratch.file("less.json", other.dump()), &losses);
    CHECK(losses.size() == (makers > 1 ? 1 : 0));
    other["model"]["end_of_word_suffix"] = "</w>";
    CHECK_THROWS_WITH(read_subword(scratch.file("other.json", other.dump())),
                      Contains("one of SentencePiece, without end_of_word_suffix, can"));
  }
  other["normalizer"] = {{"type", "Lowercase"}};
  CHECK_THROWS_WITH(read_subword(scratch.file("other.json", other.dump())),
                    Contains("that of SentencePiece, without a step \"Lowercase\", can"));
  other["normalizer"] = nullptr;
  other["pre_tokenizer"] = {{"type", "ByteLevel"}};
  CHECK_THROWS_WITH(read_subword(scratch.file("other.json", other.dump())),
                    Contains("that of SentencePiece, without a step \"ByteLevel\", can"));
}

TEST_CASE("a tokenizer.json has the pieces of a SentencePiece model by their numbers") {
  const auto* const kind = GENERATE("bpe", "unigram");
  const std::string bytes = made_up_model(kind).bytes();
  const Vocabulary vocabulary = vocabulary_of(bytes, "m");
  const json found = json::parse(make_tokenizer_json(bytes, vocabulary, {"<s>"}, {vocabulary.eos}));
  const json& model = found["model"];
  const ModelProto proto = read_model_proto(bytes, "m");
  REQUIRE(model["vocab"].size() == vocabulary.pieces.size());
  for (std::size_t i = 0; i < vocabulary.pieces.size(); ++i)
    if (std::string_view(kind) == "bpe") CHECK(model["vocab"][vocabulary.pieces[i]] == i);
    else CHECK(model["vocab"][i][0] == vocabulary.pieces[i]);
  if (std::string_view(kind) == "bpe") {
    // Every piece of several characters is made by a merge, the best of them first.
    std::map<std::string, float> scores;
    std::size_t long_ones = 0;
    for (const ModelPiece& piece : proto.pieces) {
      scores[std::string(piece.text)] = piece.score;
      const char* at = piece.text.data();
      next_code_point(at, piece.text.data() + piece.text.size());
      long_ones += piece.type == PieceType::normal && at != piece.text.data() + piece.text.size();
    }
    std::set<std::string> made;
    float last = 0;
    for (const json& pair : model["merges"]) {
      std::string merged = pair;
      merged.erase(merged.find(' '), 1);
      REQUIRE(scores.contains(merged));
      CHECK(scores[merged] <= last);
      last = scores[merged];
      made.insert(merged);
    }
    CHECK(made.size() == long_ones);
  }
  CHECK(found["post_processor"]["single"][0]["SpecialToken"]["id"] == "<s>");
  CHECK(found["post_processor"]["special_tokens"][vocabulary.eos]["ids"][0] ==
        made_up_model(kind).eos());
  // Words and characters are cut by no tokenizer there.
  const std::string words = plain_model(ModelProto::Plain::words);
  Vocabulary list;
  list.path = "list", list.pieces = {"</s>", "<unk>", "a"};
  const std::string plain = number_pieces("", list, SubwordSide::source, "list");
  CHECK_THROWS_WITH(make_tokenizer_json(plain, vocabulary_of(plain, "list"), {}, {}),
                    Contains("cuts text into words"));
}

TEST_CASE("languages stand where a tokenizer puts them, or the model is refused") {
  const Scratch scratch;
  const PortableModel found = import_golden(scratch, golden("m2m_100"));
  write_portable(found, scratch.path("model.tt"), "test");
  PortableModel model = read_portable(scratch.path("model.tt"));
  const auto refusal = [&] {
    try {
      export_model(model, kHuggingFace, scratch.path("out"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  model.config.source_language = SourceLanguage::none;
  CHECK_THAT(refusal(), Contains("no tokenizer of transformers has languages"));
  model.config.source_language = SourceLanguage::behind;
  CHECK(refusal().empty());
  model.config.first_position = 1;
  CHECK_THAT(refusal(), Contains("first_position 1 cannot be one of M2M-100 or NLLB-200"));
}

// A matrix of several tensors, some turned, is the same whichever rows are read.
TEST_CASE("rows of matrices are read out of files as they are of whole matrices") {
  constexpr std::int64_t kRows = 7, kLeft = 3, kRight = 4;
  std::vector<float> numbers(kRows * (kLeft + kRight));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  const StoredNumbers stored{numbers.size(), [&](std::uint64_t begin, std::span<float> to) {
                               std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                                           to.size(), to.begin());
                             }};
  StoredMatrix m{kRows, kLeft + kRight, {}};
  m.stretches = {{0, kLeft, stored, 0, false}, {kLeft, kRight, stored, kRows * kLeft, true}};
  StoredMatrix whole = m;
  whole.load();
  CHECK(whole.values[1 * 7 + 2] == 5);                   // row 1 of the first
  CHECK(whole.values[1 * 7 + 3 + 2] == 21 + 2 * 7 + 1);  // turned
  for (std::int64_t first = 0; first < kRows; ++first)
    for (std::int64_t n = 1; first + n <= kRows; ++n) {
      std::vector<float> some(static_cast<std::size_t>(n * m.columns));
      m.read_rows(first, n, some.data());
      CHECK(std::equal(some.begin(), some.end(), whole.values.begin() + first * m.columns));
    }
}

}  // namespace tt
