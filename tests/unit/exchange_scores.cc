// Models that come from another program give translations the scores that they have there.
#include <cmath>
#include <cstdlib>

#include "decode/loaded_model.h"
#include "decode/translator.h"
#include "exchange/exchange.h"
#include "tests/backends.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

// The log-probabilities of a translation's pieces and of its </s>.
std::vector<float> scores(const PortableModel& model, const std::string& source,
                          const std::string& target) {
  const Scratch scratch;
  write_portable(model, scratch.path("model.tt"), "test");
  const Backend& cpu = test_backend(kCpu);
  const LoadedModel loaded = load_model(scratch.path("model.tt"), cpu);
  const Translator translator({{loaded.model.get(), &loaded.source}}, loaded.target, {});
  Tape tape(cpu, loaded.model->params());
  Tape* const tapes[] = {&tape};
  Request request;
  request.text = source;
  request.target = target;
  return translator.score({&request, 1}, tapes)[0].best[0].token_scores;
}

void check_close(const std::vector<float>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(static_cast<double>(found[i]) == Approx(expected[i]).margin(2e-5));
}

std::string golden(const std::string& name) {
  const char* root = std::getenv("TT_ROOT");
  return std::string(root ? root : ".") + "/tests/golden/" + name;
}

}  // namespace

// tests/golden/ctranslate2/README.md has the commands that made the model and these scores.
TEST_CASE("a model of CTranslate2 has the scores that CTranslate2 gives") {
  const std::string folder = golden("ctranslate2");
  ImportRequest request;
  request.path = folder;
  const PortableModel model = import_model(request, recognise(folder));
  CHECK(model.config.encoder_layers == 1);
  CHECK(model.config.decoder_layers == 2);
  CHECK(model.config.norm == NormPlace::pre);
  CHECK(model.config.activation == Activation::gelu_erf);
  CHECK(model.config.norm_epsilon == 1e-6);
  check_close(scores(model, "w1 w5 w2", "w7 w0 w3 w9"),
              {-5.60368, -7.76737, -5.22492, -4.59981, -3.62578});
  check_close(scores(model, "w20", "w4"), {-7.92269, -9.06619});
}

TEST_CASE("another order of the sinusoids' columns changes no score") {
  PortableModel model;
  Config& config = model.config;
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = 8, config.d_ff = 16, config.heads = 2;
  config.source_vocab = config.target_vocab = made_up_model("bpe").size();
  SECTION("shared embeddings") {}
  SECTION("embeddings of their own, an output bias, a final norm without a bias") {
    config.embeddings = EmbeddingTies::none;
    config.output_bias = config.attention_bias = true;
    config.norm = NormPlace::pre;
    config.norm_type = NormType::rms;
  }
  model.declare("test");
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(1, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = 0.5f * random.normal();
  }
  model.source = model.target = made_up_model("bpe").bytes();
  const std::string source = "the first sentence", target = "a translation of it";
  const std::vector<float> before = scores(model, source, target);
  PortableModel other = model;
  change_layout(other, PositionLayout::concatenated);
  CHECK(other.config.position_layout == PositionLayout::concatenated);
  const std::vector<double> expected(before.begin(), before.end());
  check_close(scores(other, source, target), expected);
  // Without the other order of the columns the sinusoids alone make other scores.
  PortableModel wrong = model;
  wrong.config.position_layout = PositionLayout::concatenated;
  CHECK(std::abs(scores(wrong, source, target)[0] - before[0]) > 1e-3f);
  change_layout(other, PositionLayout::interleaved);
  for (const auto& [name, matrix] : model.parameters)
    CHECK((other.at(name).values == matrix.values));
}

}  // namespace tt
