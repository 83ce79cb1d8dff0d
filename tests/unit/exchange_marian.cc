// Recurrent units in Marian's files.
#include "exchange/exchange.h"
#include "exchange/format.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

// A model with numbers in all its parameters, but none in the bias of what its units take in.
PortableModel small_ssru(NormPlace norm) {
  PortableModel model;
  model.path = "small.tt";
  Config& config = model.config;
  config.encoder_layers = 1, config.decoder_layers = 2;
  config.d_model = 8, config.d_ff = 12, config.heads = 2;
  config.source_vocab = config.target_vocab = made_up_model("bpe").size();
  config.decoder_self = DecoderSelf::ssru;
  config.norm = norm;
  config.norm_epsilon = 1e-6;
  config.start = StartSymbol::zero;
  config.position_layout = PositionLayout::tensor2tensor;
  config.attention_bias = true;
  model.declare("test");
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(1, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = random.normal();
  }
  for (const ParameterPart& part : model.parts)
    if (part.role == Role::content && part.bias)
      model.put(part, std::vector<float>(static_cast<std::size_t>(part.columns)), false);
  model.source = model.target = made_up_model("bpe").bytes();
  return model;
}

TEST_CASE("recurrent units come back from Marian's files as they are") {
  const Scratch scratch;
  const PortableModel model = small_ssru(GENERATE(NormPlace::post, NormPlace::pre));
  export_model(model, kMarian, scratch.path("marian"));
  ImportRequest request;
  request.path = scratch.path("marian");
  const PortableModel found = import_model(request, kMarian);
  REQUIRE(found.parameters.size() == model.parameters.size());
  for (const auto& [name, matrix] : model.parameters) {
    INFO(name);
    CHECK(found.at(name).all() == matrix.values);
  }
  CHECK(same_model(found.config, model.config).empty());
}

TEST_CASE("units with a bias of what they take in are refused by Marian's writer") {
  const Scratch scratch;
  PortableModel model = small_ssru(NormPlace::post);
  model.at("decoder.2.self.gates_bias").values[3] = 1e-9f;
  CHECK_THROWS_WITH(export_model(model, kMarian, scratch.path("marian")),
                    Catch::Contains("small.tt: its recurrent units have a bias of their input"));
}

}  // namespace
}  // namespace tt
