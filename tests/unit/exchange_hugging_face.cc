// Folders of MarianMT: what is written for programs that rely on more than the format says, and that it is read back.
#include <cmath>
#include <nlohmann/json.hpp>

#include "exchange/hugging_face.h"
#include "exchange/safetensors.h"
#include "exchange/vocabulary.h"
#include "tests/unit/text_fixture.h"

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
    CHECK(found.at(name).values == matrix.values);
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
  kHuggingFace.write(model, folder);
  const Config& config = model.config;
  const auto pad = static_cast<std::size_t>(config.target_vocab), d = static_cast<std::size_t>(config.d_model);
  const auto settings = nlohmann::json::parse(read_file(folder + "/config.json"));
  const auto vocabulary = nlohmann::json::parse(read_file(folder + "/vocab.json"));
  CHECK(settings["decoder_start_token_id"] == pad);
  CHECK(settings["pad_token_id"] == pad);
  CHECK(vocabulary["<pad>"] == pad);
  CHECK(vocabulary["<s>"] == settings["tt_start"]);
  CHECK(nlohmann::json::parse(read_file(folder + "/generation_config.json"))["bad_words_ids"].dump() ==
        "[[" + std::to_string(pad) + "]]");
  ForeignTensors tensors = read_safetensors(folder + "/model.safetensors");
  const auto embeddings = tensors.take("model.decoder.embed_tokens.weight");
  REQUIRE(embeddings.size() == (pad + 1) * d);
  CHECK(std::vector<float>(embeddings.end() - config.d_model, embeddings.end()) == std::vector<float>(d));
  CHECK(tensors.take("final_logits_bias").back() == -1e9f);
  const char* const name = "model.decoder.embed_positions.weight";
  CHECK(tensors.shape(name)[0] == settings["max_position_embeddings"]);
  const std::vector<float> table = tensors.take(name);
  const StoredMatrix before = position_table(model, Stack::decoder, 1);
  for (std::size_t i = 0; i < d; ++i)
    CHECK(table[i] == before.values[i] + std::sqrt(8.f) * embeddings[settings["tt_start"].get<std::size_t>() * d + i]);
  const PortableModel back = kHuggingFace.read({folder, {}, "", "", {}});
  CHECK(back.config.start == StartSymbol::bos);
  CHECK(back.config.max_length == (positions == PositionKind::learned ? 12 : Config().max_length));
  check_same(back, model);
}

TEST_CASE("the smaller vocabulary of MarianMT is filled up to <pad>, and comes back as it was") {
  const bool more_source = GENERATE(true, false);
  const auto start = GENERATE(StartSymbol::zero, StartSymbol::bos);
  const Scratch scratch;
  PortableModel model = small_model(PositionKind::sinusoidal, GENERATE(EmbeddingTies::target, EmbeddingTies::none));
  Config& config = model.config;
  Vocabulary larger = vocabulary_of(model.target, "test");
  larger.pieces.insert(larger.pieces.end(), {">>deu<<", "\u2581nowhere", "\u2581else"});
  std::string& subword = more_source ? model.source : model.target;
  subword = number_pieces(model.target, larger, more_source ? SubwordSide::source : SubwordSide::target, "test");
  (more_source ? config.source_vocab : config.target_vocab) += 3;
  config.start = start;
  config.stop_when_full = more_source;
  const PortableModel small = model;
  model.declare("test");
  for (auto& [name, matrix] : model.parameters) {
    const std::vector<float>& values = small.at(name).values;
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (std::size_t i = 0; i < matrix.values.size(); ++i) matrix.values[i] = values[i % values.size()];
  }
  kHuggingFace.write(model, scratch.path("hf"));
  const PortableModel back = kHuggingFace.read({scratch.path("hf"), {}, "", "", {}});
  CHECK(back.config.source_vocab == config.source_vocab);
  CHECK(back.config.target_vocab == config.target_vocab);
  CHECK(back.config.stop_when_full == more_source);
  check_same(back, model);
}

}  // namespace tt
