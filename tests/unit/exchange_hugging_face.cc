// Folders of MarianMT: what is written for programs that rely on more than the format says, and
// that it is read back.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "exchange/exchange.h"
#include "exchange/format.h"
#include "exchange/safetensors.h"
#include "exchange/transformers.h"
#include "exchange/vocabulary.h"
#include "model/checkpoint.h"
#include "tests/unit/text_fixture.h"
#include "text/languages.h"

namespace tt {
namespace {

// A model of one layer each with numbers in all its parameters.
PortableModel small_model(PositionKind positions, EmbeddingTies embeddings) {
  PortableModel model;
  Config& config = model.config;
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = 8, config.d_ff = 16, config.heads = 2, config.max_length = 12;
  config.source_vocab = config.target_vocab = made_up_model("bpe").size();
  config.positions = positions;
  config.position_layout = PositionLayout::concatenated;
  config.embeddings = embeddings;
  config.attention_bias = config.output_bias = true;
  model.declare("test");
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(1, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = static_cast<float>(random.below(2000)) / 999.f - 1;
  }
  model.source = model.target = made_up_model("bpe").bytes();
  if (embeddings != EmbeddingTies::shared) model.source = made_up_model("unigram").bytes();
  return model;
}

void check_same(const PortableModel& found, const PortableModel& expected) {
  REQUIRE(found.parameters.size() == expected.parameters.size());
  for (const auto& [name, matrix] : expected.parameters) {
    INFO(name);
    CHECK(found.at(name).all() == matrix.values);
  }
  CHECK(found.source == expected.source);
  CHECK(found.target == expected.target);
}

}  // namespace

TEST_CASE("the decoder of MarianMT begins with zeros, and <s> is part of its first position") {
  const auto positions = GENERATE(PositionKind::sinusoidal, PositionKind::learned);
  const Scratch scratch;
  PortableModel model = small_model(positions, EmbeddingTies::target);
  const std::string folder = scratch.path("hf");
  export_model(model, kHuggingFace, folder);
  const Config& config = model.config;
  const auto pad = static_cast<std::size_t>(config.target_vocab),
             d = static_cast<std::size_t>(config.d_model);
  const auto settings = nlohmann::json::parse(read_file(folder + "/config.json"));
  const auto vocabulary = nlohmann::json::parse(read_file(folder + "/vocab.json"));
  CHECK(settings["decoder_start_token_id"] == pad);
  CHECK(settings["pad_token_id"] == pad);
  CHECK(vocabulary["<pad>"] == pad);
  CHECK(vocabulary["<s>"] == settings["tt_start"]);
  CHECK(nlohmann::json::parse(read_file(folder + "/generation_config.json"))["bad_words_ids"]
            .dump() == "[[" + std::to_string(pad) + "]]");
  ForeignTensors tensors = read_safetensors(folder + "/model.safetensors");
  const auto embeddings = tensors.take("model.decoder.embed_tokens.weight");
  REQUIRE(embeddings.size() == (pad + 1) * d);
  CHECK(std::vector<float>(embeddings.end() - config.d_model, embeddings.end()) ==
        std::vector<float>(d));
  CHECK(tensors.take("final_logits_bias").back() == -1e9f);
  const char* const name = "model.decoder.embed_positions.weight";
  CHECK(tensors.shape(name)[0] == settings["max_position_embeddings"]);
  const std::vector<float> table = tensors.take(name);
  const StoredMatrix before = position_table(model, Stack::decoder, 1);
  for (std::size_t i = 0; i < d; ++i)
    CHECK(table[i] ==
          before.values[i] +
              std::sqrt(8.f) * embeddings[settings["tt_start"].get<std::size_t>() * d + i]);
  const PortableModel back = kHuggingFace.read({folder, {}, "", "", {}});
  CHECK(back.config.start == StartSymbol::bos);
  CHECK(back.config.max_length == (positions == PositionKind::learned ? 12 : Config().max_length));
  check_same(back, model);
}

TEST_CASE("the smaller vocabulary of MarianMT is filled up to <pad>, and comes back as it was") {
  const bool more_source = GENERATE(true, false);
  const auto start = GENERATE(StartSymbol::zero, StartSymbol::bos);
  const Scratch scratch;
  PortableModel model =
      small_model(PositionKind::sinusoidal, GENERATE(EmbeddingTies::target, EmbeddingTies::none));
  Config& config = model.config;
  Vocabulary larger = vocabulary_of(model.target, "test");
  larger.pieces.insert(larger.pieces.end(), {">>deu<<", "\u2581nowhere", "\u2581else"});
  std::string& subword = more_source ? model.source : model.target;
  subword = number_pieces(model.target, larger,
                          more_source ? SubwordSide::source : SubwordSide::target, "test");
  (more_source ? config.source_vocab : config.target_vocab) += 3;
  config.start = start;
  config.stop_when_full = more_source;
  const PortableModel small = model;
  model.declare("test");
  for (auto& [name, matrix] : model.parameters) {
    const std::vector<float>& values = small.at(name).values;
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
      matrix.values[i] = values[i % values.size()];
  }
  export_model(model, kHuggingFace, scratch.path("hf"));
  const PortableModel back = kHuggingFace.read({scratch.path("hf"), {}, "", "", {}});
  CHECK(back.config.source_vocab == config.source_vocab);
  CHECK(back.config.target_vocab == config.target_vocab);
  CHECK(back.config.stop_when_full == more_source);
  check_same(back, model);
}

TEST_CASE("M2M-100 has languages, and may lie in several files") {
  const Scratch scratch;
  PortableModel model = small_model(PositionKind::sinusoidal, EmbeddingTies::shared);
  Vocabulary vocabulary = vocabulary_of(model.source, "test");
  const std::size_t own = vocabulary.pieces.size();
  vocabulary.pieces.insert(vocabulary.pieces.end(), {"eng_Latn", "deu_Latn", "<mask>"});
  Config& config = model.config;
  config.norm = NormPlace::pre;
  config.output_bias = false;
  config.position_layout = PositionLayout::tensor2tensor;
  config.source_vocab = config.target_vocab = static_cast<int>(vocabulary.pieces.size());
  model.declare("test");
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(2, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = static_cast<float>(random.below(2000)) / 999.f - 1;
  }
  const std::string folder = scratch.path("m2m");
  std::filesystem::create_directory(folder);
  std::vector<std::pair<std::string, std::pair<Shape, std::vector<float>>>> tensors{
      {"model.shared.weight",
       {{config.source_vocab, config.d_model}, model.at("embeddings").values}}};
  write_layers(model, transformers_place,
               [&](const std::string& name, const Shape& shape, const std::vector<float>& values) {
                 tensors.push_back({name, {shape, values}});
               });
  nlohmann::json map;
  for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
    std::vector<NamedTensor> some;
    for (std::size_t i = half; i < tensors.size(); i += 2) {
      some.push_back(
          {tensors[i].first, Dtype::f32, tensors[i].second.first, tensors[i].second.second.data()});
      map[tensors[i].first] = std::to_string(half) + ".safetensors";
    }
    save_tensors(folder + "/" + std::to_string(half) + ".safetensors", some, {});
  }
  const auto write = [&](const std::string& name, const std::string& bytes) {
    AtomicFile file(folder + "/" + name);
    file.write(bytes);
    file.commit();
  };
  const auto eos = std::find(vocabulary.pieces.begin(), vocabulary.pieces.end(), "</s>") -
                   vocabulary.pieces.begin();
  nlohmann::json pieces, added;
  for (std::size_t i = 0; i < own; ++i) pieces[vocabulary.pieces[i]] = i;
  for (std::size_t i = own; i < vocabulary.pieces.size(); ++i)
    added.push_back({{"id", i}, {"content", vocabulary.pieces[i]}});
  write("model.safetensors.index.json", nlohmann::json{{"weight_map", map}}.dump());
  write("tokenizer.json",
        nlohmann::json{{"model", {{"vocab", pieces}}}, {"added_tokens", added}}.dump());
  write("sentencepiece.bpe.model", model.source);
  nlohmann::json settings{{"model_type", "m2m_100"},
                          {"d_model", config.d_model},
                          {"encoder_layers", 1},
                          {"decoder_layers", 1},
                          {"encoder_attention_heads", 2},
                          {"decoder_attention_heads", 2},
                          {"encoder_ffn_dim", config.d_ff},
                          {"decoder_ffn_dim", config.d_ff},
                          {"vocab_size", config.source_vocab},
                          {"decoder_start_token_id", eos},
                          {"eos_token_id", eos},
                          {"max_length", 31}};
  write("config.json", settings.dump());
  const auto read = [&] { return kHuggingFace.read({folder, {}, "", "", {}}); };
  const PortableModel back = read();
  for (const auto& [name, matrix] : model.parameters) CHECK(back.at(name).all() == matrix.values);
  CHECK(back.config.source_language == SourceLanguage::before);
  CHECK(back.config.target_language == TargetLanguage::first);
  CHECK(back.config.first_position == 2);
  CHECK(back.config.activation == Activation::relu);
  CHECK(back.config.scale_embeddings);
  CHECK(back.config.extra_length == 30);
  CHECK(LanguageTable(Subword::parse(back.target, "target")).all().size() == 2);
  // Positions count on from the number of the padding.
  settings["pad_token_id"] = 0;
  write("config.json", settings.dump());
  CHECK(read().config.first_position == 1);
  settings["pad_token_id"] = 1;
  write("config.json", settings.dump());
  // Without tokenizer.json the pieces are those of vocab.json, and the added ones follow.
  std::filesystem::remove(folder + "/tokenizer.json");
  write("vocab.json", pieces.dump());
  write("special_tokens_map.json",
        R"({"additional_special_tokens": ["eng_Latn", {"content": "deu_Latn"}]})");
  CHECK(LanguageTable(Subword::parse(read().target, "target")).all().size() == 2);
  // Files of PyTorch have an index of another name.
  std::filesystem::rename(folder + "/model.safetensors.index.json",
                          folder + "/pytorch_model.bin.index.json");
  CHECK(read().config.first_position == 2);
  std::filesystem::rename(folder + "/pytorch_model.bin.index.json",
                          folder + "/model.safetensors.index.json");
  write("model.safetensors.index.json", R"({"weight_map": {"a": "../b"}})");
  CHECK_THROWS_WITH(
      read(),
      Contains("its \"weight_map\" (an object) cannot be imported; names of files beside it can"));
}

}  // namespace tt
