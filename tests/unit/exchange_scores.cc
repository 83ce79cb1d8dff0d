// Models that come from another program give translations the scores that they have there.
#include <cmath>
#include <cstdlib>
#include <numeric>

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

double sum(const std::vector<float>& scores) {
  return std::accumulate(scores.begin(), scores.end(), 0.0);
}

PortableModel imported(const std::string& path) {
  ImportRequest request;
  request.path = path;
  // Paths in Marian's own files are those of the folder in which it was trained.
  if (path.ends_with(".npz")) {
    const std::string vocabulary = path.substr(0, path.rfind('/')) + "/vocab.yml";
    request.vocabularies = {vocabulary, vocabulary};
  }
  return import_model(request, recognise(path));
}

std::string golden(const std::string& name) {
  const char* root = std::getenv("TT_ROOT");
  return std::string(root ? root : ".") + "/tests/golden/" + name;
}

}  // namespace

// tests/golden/ctranslate2/README.md has the commands that made the model and these scores.
TEST_CASE("a model of CTranslate2 has the scores that CTranslate2 gives") {
  const PortableModel model = imported(golden("ctranslate2"));
  CHECK(model.config.encoder_layers == 1);
  CHECK(model.config.decoder_layers == 2);
  CHECK(model.config.norm == NormPlace::pre);
  CHECK(model.config.activation == Activation::gelu_erf);
  CHECK(model.config.norm_epsilon == 1e-6);
  check_close(scores(model, "w1 w5 w2", "w7 w0 w3 w9"),
              {-5.60368, -7.76737, -5.22492, -4.59981, -3.62578});
  check_close(scores(model, "w20", "w4"), {-7.92269, -9.06619});
}

TEST_CASE("a model of T5 that CTranslate2 converted has the scores that CTranslate2 gives") {
  const PortableModel model = imported(golden("ctranslate2/t5"));
  CHECK(model.losses.empty());
  CHECK(model.config.key_size() == 3);
  CHECK(model.config.source_eos);
  check_close(scores(model, "w1 w5 w2", "w7 w0 w3 w9"),
              {-3.70781, -2.949, -3.87154, -4.64877, -3.57237});
  check_close(scores(model, "w20", "w4"), {-3.72574, -3.26235});
  std::string source, target;  // of distances in all buckets
  for (int i = 0; i < 40; ++i) source += "w" + std::to_string(i % 21) + " ";
  for (int i = 0; i < 30; ++i) target += "w" + std::to_string(i * 5 % 21) + " ";
  const auto found = scores(model, source, target);
  REQUIRE(found.size() == 31);
  CHECK(sum(found) == Approx(-104.00283).margin(2e-4));
  CHECK(found[6] == Approx(-5.24694).margin(2e-5));
  CHECK(found[30] == Approx(-3.77356).margin(2e-5));
}

// tests/golden/marian/README.md has the commands that made the models and these numbers.
TEST_CASE("a model of Marian has the scores that Marian gives") {
  struct Pair {
    const char *source, *target;
    double cross_entropy;
  };
  SECTION("post-norm, swish") {
    const PortableModel model = imported(golden("marian/post.npz"));
    CHECK(model.losses.empty());
    check_close(scores(model, "w3 w3 w4 w0 w11", "w17 w17 w17"),
                {-1.59090, -1.88007, -1.96974, -1.42908});
    check_close(scores(model, "w19", "w4"), {-2.40459, -1.81447});
    for (const auto& [source, target, cross_entropy] :
         {Pair{"w1 w5 w2", "w7 w16 w4", 10.8314},
          {"w3 w3 w4 w0 w11", "w14 w1 w13 w10 w10", 16.9436},
          {"w19", "", 2.05159}})
      CHECK(-sum(scores(model, source, target)) == Approx(cross_entropy).margin(2e-4));
  }
  SECTION("recurrent units") {
    const PortableModel model = imported(golden("marian/ssru.npz"));
    CHECK(model.losses.empty());
    CHECK(model.config.decoder_self == DecoderSelf::ssru);
    check_close(scores(model, "w3 w3 w4 w0 w11", "w14 w10"), {-1.22974, -1.51871, -0.64487});
    check_close(scores(model, "w1 w5 w2", "w7 w16"), {-0.65180, -0.70040, -0.38128});
    for (const auto& [source, target, cross_entropy] :
         {Pair{"w1 w5 w2", "w7 w16 w4", 4.86095},
          {"w3 w3 w4 w0 w11", "w14 w1 w13 w10 w10", 10.3369},
          {"w19", "", 1.59574}})
      CHECK(-sum(scores(model, source, target)) == Approx(cross_entropy).margin(2e-4));
  }
  SECTION("pre-norm, two hidden layers: scores are those of its training, not of its decoder") {
    const PortableModel model = imported(golden("marian/pre.npz"));
    CHECK(model.config.norm == NormPlace::pre);
    CHECK(model.config.ffn_layers == 2);
    for (const auto& [source, target, cross_entropy] :
         {Pair{"w1 w5 w2", "w7 w16 w4", 10.6708},
          {"w3 w3 w4 w0 w11", "w14 w1 w13 w10 w10", 16.7867},
          {"w19", "w4 w0", 6.88368},
          {"w19", "", 2.38267}})
      CHECK(-sum(scores(model, source, target)) == Approx(cross_entropy).margin(2e-4));
    REQUIRE(model.losses.size() == 1);
    CHECK(model.losses[0].find("does not normalise the keys and values") != std::string::npos);
  }
}

// tests/golden/fairseq/README.md has the commands that made the models and these scores.
TEST_CASE("a checkpoint of fairseq has the scores that fairseq gives") {
  const std::string pair[] = {"w1 w5 w2", "w7 w0 w3 w9"};
  SECTION("an archive with options of omegaconf: post-norm, sinusoids") {
    const PortableModel model = imported(golden("fairseq/sinusoids/checkpoint_best.pt"));
    CHECK(model.config.positions == PositionKind::sinusoidal);
    check_close(scores(model, pair[0], pair[1]), {-3.82581, -1.34791, -2.11515, -3.5763, -5.99438});
    check_close(scores(model, "w15", "w4"), {-4.59466, -5.33769});
  }
  SECTION("pickles with options of argparse: pre-norm, learned positions") {
    const PortableModel model = imported(golden("fairseq/learned/checkpoint_best.pt"));
    CHECK(model.config.positions == PositionKind::learned);
    CHECK(model.config.activation == Activation::gelu_erf);
    check_close(scores(model, pair[0], pair[1]),
                {-4.21459, -3.06278, -4.66159, -4.38073, -7.22054});
    check_close(scores(model, "w15", "w4"), {-5.79326, -2.67242});
  }
}

// tests/golden/transformers/README.md has the commands that made the model and these scores.
TEST_CASE("a MarianMT has the scores that transformers gives, with either order of columns") {
  PortableModel model = imported(golden("transformers/marian"));
  CHECK(model.config.position_layout == PositionLayout::concatenated);
  CHECK(model.config.start == StartSymbol::zero);
  CHECK(model.config.output_bias);
  SECTION("sines before cosines, as there") {}
  SECTION("sines and cosines in turn") { change_layout(model, PositionLayout::interleaved); }
  check_close(scores(model, "w1 w25 w12", "w7 w0 w19"),
              {-4.28847, -3.35981, -4.44557, -4.6068, -4.10897, -3.12334, -3.70646});
  check_close(scores(model, "w20", "w4"), {-4.05648, -3.07691, -3.1854});
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
