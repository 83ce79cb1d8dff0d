// The Transformer as a whole: its gradient, and that scoring, decoding and batching agree with each other.
#include "model/model.h"

#include <cmath>

#include "base/random.h"
#include "cpu/cpu.h"
#include "decode/beam.h"
#include "tests/catch.h"

namespace tt {
namespace {

Config small_config() {
  Config config;
  config.encoder_layers = config.decoder_layers = 2;
  config.d_model = 24;
  config.d_ff = 40;
  config.heads = 3;
  config.source_vocab = config.target_vocab = 37;
  config.dropout = 0.2;
  config.attention_dropout = 0.1;
  config.ffn_dropout = 0.1;
  config.max_length = 32;
  return config;
}

Batch random_batch(int vocabulary, std::vector<std::pair<int, int>> lengths, std::uint64_t seed) {
  Random random(seed);
  Batch batch;
  const auto draw = [&] { return static_cast<std::int32_t>(3 + random.below(static_cast<std::uint32_t>(vocabulary) - 3)); };
  for (const auto& [source, target] : lengths) {
    for (int i = 1; i < source; ++i) batch.source.tokens.push_back(draw());
    batch.source.tokens.push_back(2);
    batch.source.offsets.push_back(static_cast<std::int32_t>(batch.source.tokens.size()));
    batch.target_in.tokens.push_back(1);
    for (int i = 1; i < target; ++i) {
      batch.target_in.tokens.push_back(draw());
      batch.target_out.tokens.push_back(batch.target_in.tokens.back());
    }
    batch.target_out.tokens.push_back(2);
    batch.target_in.offsets.push_back(static_cast<std::int32_t>(batch.target_in.tokens.size()));
    batch.target_out.offsets = batch.target_in.offsets;
    batch.sentences.push_back(static_cast<std::int64_t>(batch.sentences.size()));
  }
  return batch;
}

// The derivative along a random direction of each parameter, against central differences of the loss.
void check_gradient(const Config& config) {
  const CpuBackend backend;
  Arena arena;
  const auto model = make_model(config);
  // Biases and gains away from their 0 and 1, so that mistakes in them show.
  Random noise(7);
  for (std::int64_t i = 0; i < model->params().size(); ++i) model->params().values()[i] += 0.05f * noise.normal();
  const Batch batch = random_batch(config.source_vocab, {{5, 7}, {1, 1}, {9, 3}, {4, 12}}, 3);
  Gradients gradients(model->params());
  const Dropout key{0, 11, 5, 2, 0};
  const auto loss = [&] {
    Gradients unused(model->params());
    Tape tape(backend, arena, model->params(), unused, key);  // records, so that dropout is on
    return model->loss(tape, batch, 1).smoothed;
  };
  {
    Tape tape(backend, arena, model->params(), gradients, key);
    model->loss(tape, batch, 1);
    tape.backward();
    gradients.finish(model->params());
  }
  CHECK(arena.used() == 0);
  for (const NamedTensor& tensor : model->params().tensors()) {
    auto* values = static_cast<float*>(const_cast<void*>(tensor.data));
    const float* gradient = gradients.values() + (values - model->params().values());
    const std::int64_t n = elements(tensor.shape);
    std::vector<float> before(values, values + n), direction(static_cast<std::size_t>(n));
    Random random(5, static_cast<std::uint64_t>(n));
    double norm = 0, expected = 0, length = 0;
    for (float& x : direction) x = random.normal(), norm += static_cast<double>(x) * x;
    // Along the gradient and a random direction: never small, and not symmetric.
    for (std::int64_t i = 0; i < n; ++i) length += static_cast<double>(gradient[i]) * gradient[i];
    for (std::int64_t i = 0; i < n; ++i)
      direction[static_cast<std::size_t>(i)] = static_cast<float>(0.5 * direction[static_cast<std::size_t>(i)] / std::sqrt(norm) +
                                                                  gradient[i] / std::sqrt(length + 1e-20));
    for (std::int64_t i = 0; i < n; ++i) expected += static_cast<double>(gradient[i]) * direction[static_cast<std::size_t>(i)];
    const double step = 1e-3;
    double side[2];
    for (int sign : {0, 1}) {
      for (std::int64_t i = 0; i < n; ++i)
        values[i] = before[static_cast<std::size_t>(i)] +
                    static_cast<float>((sign ? step : -step) * direction[static_cast<std::size_t>(i)]);
      side[sign] = loss();
    }
    std::copy(before.begin(), before.end(), values);
    const double measured = (side[1] - side[0]) / (2 * step);
    INFO(tensor.name << " expected " << expected << " measured " << measured);
    CHECK(std::abs(measured - expected) < 0.02 * std::abs(expected) + 0.01);
  }
}

}  // namespace

TEST_CASE("the gradient of the whole Transformer is that of its loss") {
  Config config = small_config();
  SECTION("the paper's") {}
  SECTION("pre-norm, GELU, biases, learned positions") {
    config.norm = "pre";
    config.activation = "gelu";
    config.attention_bias = true;
    config.positions = "learned";
  }
  SECTION("three embeddings, d_k and d_v of their own") {
    config.embeddings = "none";
    config.d_k = 5;
    config.d_v = 11;
  }
  SECTION("source embeddings of their own") { config.embeddings = "target"; }
  check_gradient(config);
}

TEST_CASE("stepping through a sentence gives the probabilities that scoring gives") {
  Config config = small_config();
  SECTION("post-norm") {}
  SECTION("pre-norm with learned positions") {
    config.norm = "pre";
    config.positions = "learned";
  }
  config.label_smoothing = 0;
  const auto model = make_model(config);
  const CpuBackend backend;
  Arena arena;
  const Batch batch = random_batch(config.source_vocab, {{6, 8}}, 4);
  Tape scoring(backend, arena, model->params());
  const LossSums sums = model->loss(scoring, batch, 0);
  Tape tape(backend, arena, model->params());
  const auto state = model->start(tape, batch.source);
  double log_probability = 0;
  const int all = config.target_vocab;
  std::vector<float> values(static_cast<std::size_t>(all));
  std::vector<std::int32_t> pieces(static_cast<std::size_t>(all));
  for (std::size_t t = 0; t < batch.target_in.tokens.size(); ++t) {
    state->step({&batch.target_in.tokens[t], 1}, all, values.data(), pieces.data());
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (pieces[i] == batch.target_out.tokens[t]) log_probability += static_cast<double>(values[i]);
    const std::int32_t same = 0;
    state->reorder({&same, 1});
  }
  CHECK(-log_probability == Approx(sums.negative_log_likelihood).epsilon(1e-5));
}

TEST_CASE("what is found for a sentence does not depend on its batch") {
  Config config = small_config();
  config.d_model = 128;
  config.d_ff = 256;
  config.heads = 4;
  const auto model = make_model(config);
  const CpuBackend backend;
  Arena arena;
  std::vector<std::pair<int, int>> lengths;
  for (int i = 0; i < 33; ++i) lengths.push_back({1 + i * 7 % 19, 1});
  const Batch batch = random_batch(config.source_vocab, lengths, 9);
  const SearchOptions options;
  const auto search = [&](const Side& source) {
    std::vector<std::int64_t> limits(source.offsets.size() - 1, 20);
    Tape tape(backend, arena, model->params());
    const auto state = model->start(tape, source);
    return beam_search(*state, limits, 1, 2, options);
  };
  const auto together = search(batch.source);
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    Side alone;
    alone.tokens.assign(batch.source.tokens.begin() + batch.source.offsets[b],
                        batch.source.tokens.begin() + batch.source.offsets[b + 1]);
    alone.offsets.push_back(static_cast<std::int32_t>(alone.tokens.size()));
    const auto found = search(alone);
    INFO("sentence " << b);
    REQUIRE(found[0].size() == together[b].size());
    CHECK(found[0][0].tokens == together[b][0].tokens);
    CHECK(found[0][0].log_probability == together[b][0].log_probability);
  }
}

}  // namespace tt
