// Models as a whole: their gradients, and that scoring, decoding and batching agree with each
// other.
#include "model/model.h"

#include <cmath>
#include <numeric>

#include "base/random.h"
#include "decode/search.h"
#include "model/attended.h"
#include "tests/backends.h"

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

Config small_lstm(AttentionKind attention) {
  Config config = small_config();
  config.type = ModelType::lstm;
  config.attention = attention;
  return config;
}

Batch random_batch(int vocabulary, std::vector<std::pair<int, int>> lengths, std::uint64_t seed) {
  Random random(seed);
  Batch batch;
  const auto draw = [&] {
    return static_cast<std::int32_t>(3 + random.below(static_cast<std::uint32_t>(vocabulary) - 3));
  };
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

// Of each sentence's first row two links, then one, then none; all lead to other keys.
void link_rows(Batch& batch) {
  for (std::size_t b = 0; b + 1 < batch.target_out.offsets.size(); ++b) {
    const std::int32_t keys = batch.source.offsets[b + 1] - batch.source.offsets[b];
    for (std::int32_t t = batch.target_out.offsets[b]; t < batch.target_out.offsets[b + 1]; ++t) {
      batch.links.begins.push_back(static_cast<std::int32_t>(batch.links.sources.size()));
      for (std::int32_t l = t - batch.target_out.offsets[b]; l < 2 && l < keys; ++l)
        batch.links.sources.push_back(batch.source.offsets[b] + (3 * l + t) % keys);
    }
  }
  batch.links.begins.push_back(static_cast<std::int32_t>(batch.links.sources.size()));
}

// The derivative along a random direction of each parameter, against central differences of the
// loss.
void check_gradient(const Config& config, const Backend& backend) {
  const auto model = make_model(config);
  Params& params = model->params();
  params.draw(backend, config.seed);
  // Biases and gains away from their 0 and 1, so that mistakes in them show.
  Random noise(7);
  std::vector<std::vector<float>> values;
  for (int i = 0; i < params.number(); ++i) {
    std::vector<float> scratch;
    const float* from = params.view(i, scratch);
    values.emplace_back(from, from + params.at(i).size());
    for (float& x : values.back()) x += 0.05f * noise.normal();
    params.fill(i, values.back().data());
  }
  Batch once = random_batch(config.source_vocab, {{5, 7}, {1, 1}, {9, 3}, {4, 12}}, 3);
  if (config.alignment_layer > 0) link_rows(once);
  const Batch batch = config.r_drop > 0 ? twice(once) : once;
  Gradients gradients(params, backend), unused(params, backend);
  const Dropout key{0, 11, 5, 2, 0};
  Tape tape(backend, params);
  const auto loss = [&] {
    const DeviceArray<double> sums(backend, 3);
    tape.record_to(unused, key);  // so that dropout is on
    model->loss(tape, batch, 1, sums.data());
    tape.clear();
    CHECK(tape.arena().used() == 0);
    const auto found = sums.download();
    CHECK((found[2] > 0) == (config.alignment_layer > 0));
    return found[0] + config.guided_alignment_weight * found[2];
  };
  {
    const DeviceArray<double> sums(backend, 3);
    gradients.begin();
    tape.record_to(gradients, key);
    model->loss(tape, batch, 1, sums.data());
    tape.backward();
    gradients.finish(backend);
  }
  CHECK(tape.arena().used() == 0);
  const auto tensors = params.tensors();
  for (int p = 0; p < params.number(); ++p) {
    const std::vector<float>& before = values[static_cast<std::size_t>(p)];
    const std::size_t n = before.size();
    std::vector<float> gradient(n), direction(n), moved(n);
    backend.download(gradient.data(), gradients.of(params.at(p)), n * sizeof(float));
    Random random(5, n);
    double norm = 0, expected = 0, length = 0;
    const auto fixed = static_cast<std::size_t>(params.fixed(p));
    CHECK(std::all_of(gradient.begin(), gradient.begin() + fixed, [](float g) { return g == 0; }));
    for (std::size_t i = fixed; i < n; ++i)
      direction[i] = random.normal(), norm += static_cast<double>(direction[i]) * direction[i];
    // Along the gradient and a random direction: never small, and not symmetric.
    for (const float g : gradient) length += static_cast<double>(g) * g;
    for (std::size_t i = 0; i < n; ++i)
      direction[i] = static_cast<float>(0.5 * direction[i] / std::sqrt(norm) +
                                        gradient[i] / std::sqrt(length + 1e-20));
    for (std::size_t i = 0; i < n; ++i) expected += static_cast<double>(gradient[i]) * direction[i];
    const double step = 1e-3;
    double side[2];
    for (int sign : {0, 1}) {
      for (std::size_t i = 0; i < n; ++i)
        moved[i] = before[i] + static_cast<float>((sign ? step : -step) * direction[i]);
      params.fill(p, moved.data());
      side[sign] = loss();
    }
    params.fill(p, before.data());
    const double measured = (side[1] - side[0]) / (2 * step);
    INFO(tensors[static_cast<std::size_t>(p)].name << " expected " << expected << " measured "
                                                   << measured);
    CHECK(std::abs(measured - expected) < 0.02 * std::abs(expected) + 0.01);
  }
}

void make_t5(Config& config) {
  config.norm = NormPlace::pre;
  config.norm_type = NormType::rms;
  config.activation = Activation::gelu;
  config.ffn_gate = true;
  config.ffn_bias = false;
  config.scores = Scores::dot;
  config.scale_embeddings = false;
  config.positions = PositionKind::relative;
  config.position_buckets = 8, config.position_distance = 6;
  config.scale_output = true;
  config.d_k = config.d_v = 5;
}

}  // namespace

TEST_CASE("the gradient of the whole Transformer is that of its loss") {
  Config config = small_config();
  SECTION("the paper's") {}
  SECTION("pre-norm, GELU, biases, learned positions") {
    config.norm = NormPlace::pre;
    config.activation = Activation::gelu;
    config.attention_bias = true;
    config.positions = PositionKind::learned;
  }
  SECTION("three embeddings, d_k and d_v of their own") {
    config.embeddings = EmbeddingTies::none;
    config.d_k = 5;
    config.d_v = 11;
  }
  SECTION("source embeddings of their own") { config.embeddings = EmbeddingTies::target; }
  SECTION("what models of other programs have") {
    config.norm_epsilon = 0.1;
    config.activation = Activation::swish;
    config.ffn_layers = 3;
    config.position_layout = PositionLayout::tensor2tensor;
    config.scale_embeddings = false;
    config.start = StartSymbol::zero;
    config.output_bias = true;
    config.final_norm = FinalNorm::yes;
  }
  SECTION("a decoder of recurrent units") {
    config.decoder_self = DecoderSelf::ssru;
    config.attention_bias = true;
  }
  SECTION("pre-norm without a last one, the other GELU") {
    config.norm = NormPlace::pre;
    config.final_norm = FinalNorm::no;
    config.activation = Activation::gelu_logistic;
  }
  SECTION("RMSNorm after the sub-layer") { config.norm_type = NormType::rms; }
  SECTION("RMSNorm before the sub-layer, and a last one") {
    config.norm_type = NormType::rms;
    config.norm = NormPlace::pre;
    config.norm_epsilon = 0.1;
  }
  SECTION("scores without scale, no positions") {
    config.scores = Scores::dot;
    config.positions = PositionKind::none;
  }
  SECTION("additive scores") { config.scores = Scores::additive; }
  SECTION("T5's: relative positions, a gate, no biases") { make_t5(config); }
  SECTION("a gate behind ReLU with biases, in two hidden layers; inputs that share a matrix") {
    config.ffn_gate = true;
    config.ffn_layers = 2;
    config.embeddings = EmbeddingTies::inputs;
  }
  SECTION("restricted self-attention") { config.window = 2; }
  SECTION("two views") { config.r_drop = 3; }
  SECTION("guided alignment") {
    config.alignment_layer = 1, config.alignment_head = 3;
    config.guided_alignment_weight = 4;
    config.d_k = 5;
  }
  SECTION("guided alignment of two views, with recurrent units and biases") {
    config.alignment_layer = 2;
    config.guided_alignment_weight = 4;
    config.decoder_self = DecoderSelf::ssru;
    config.attention_bias = true;
    config.r_drop = 3;
  }
  check_gradient(config, test_backend(kCpu));
}

// transformers 4.57.6: T5Attention._relative_position_bucket(torch.arange(-130, 131), both, 32,
// 128)
TEST_CASE("distances are in the buckets of T5") {
  const auto at = [](bool both, int distance) {
    return distance_buckets(32, 128, both)[static_cast<std::size_t>(distance + 128)];
  };
  const std::pair<int, int> two_sides[] = {{-128, 15}, {-91, 15}, {-90, 14}, {-64, 14}, {-63, 13},
                                           {-32, 12},  {-16, 10}, {-12, 9},  {-11, 8},  {-8, 8},
                                           {-7, 7},    {0, 0},    {1, 17},   {8, 24},   {16, 26},
                                           {22, 26},   {23, 27},  {45, 28},  {46, 29},  {128, 31}};
  const std::pair<int, int> one_side[] = {{-128, 31}, {-100, 30}, {-91, 29}, {-64, 26},
                                          {-32, 21},  {-23, 18},  {-16, 16}, {-15, 15},
                                          {-1, 1},    {0, 0},     {1, 0},    {128, 0}};
  for (const auto& [distance, bucket] : two_sides) {
    INFO(distance);
    CHECK(at(true, distance) == bucket);
  }
  for (const auto& [distance, bucket] : one_side) {
    INFO(distance);
    CHECK(at(false, distance) == bucket);
  }
}

TEST_CASE("the gradient of the whole Transformer, on a device") {
  const int device = GENERATE(kProtected, kCuda);
  Config config = small_config();
  SECTION("learned positions, a bias of each piece") {
    config.positions = PositionKind::learned;
    config.start = StartSymbol::zero;
    config.output_bias = true;
  }
  SECTION("additive scores in a window, no positions") {
    config.positions = PositionKind::none;
    config.scores = Scores::additive;
    config.window = 2;
  }
  SECTION("a decoder of recurrent units") { config.decoder_self = DecoderSelf::ssru; }
  SECTION("guided alignment") {
    config.alignment_layer = 2, config.alignment_head = 2;
    config.guided_alignment_weight = 4;
  }
  check_gradient(config, test_backend(device));
}

TEST_CASE("the gradient of the whole LSTM is that of its loss") {
  const auto attention = GENERATE(AttentionKind::dot, AttentionKind::general, AttentionKind::concat,
                                  AttentionKind::none);
  Config config = small_lstm(attention);
  SECTION("one direction") {}
  SECTION("both directions, fewer layers in the encoder") {
    config.bidirectional = true;
    config.encoder_layers = 1;
    config.embeddings = EmbeddingTies::none;
  }
  SECTION("input feeding, fewer layers in the decoder") {
    config.input_feeding = attention != AttentionKind::none;
    config.bidirectional = true;
    config.decoder_layers = 1;
  }
  SECTION("input feeding, two layers") {
    config.input_feeding = attention != AttentionKind::none;
    config.embeddings = EmbeddingTies::target;
  }
  check_gradient(config, test_backend(0));
}

TEST_CASE("the gradient of the whole LSTM, on a device") {
  Config config = small_lstm(AttentionKind::concat);
  config.bidirectional = true;
  config.input_feeding = GENERATE(false, true);
  check_gradient(config, test_backend(GENERATE(kProtected, kCuda)));
}

// The decoder's initial state: for cells that keep nothing it depends on the last piece read, which
// backwards is the first one.
TEST_CASE("an encoder in both directions reads from the end as well") {
  Config config = small_lstm(AttentionKind::none);
  config.encoder_layers = config.decoder_layers = 1;
  config.bidirectional = true;
  const Backend& backend = test_backend(0);
  const auto model = make_model(config);
  Params& params = model->params();
  params.draw(backend, config.seed);
  const auto tensors = params.tensors();
  for (int i = 0; i < params.number(); ++i) {
    std::vector<float> values(static_cast<std::size_t>(params.at(i).size()));
    const std::string& name = tensors[static_cast<std::size_t>(i)].name;
    if (name == "encoder.1.backward.bias")
      std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4),
                  values.size() / 4, -100.0f);  // forgets all
    else if (!name.starts_with("encoder.1.forward") && name != "encoder.1.backward.h") continue;
    params.fill(i, values.data());
  }
  Batch batch = random_batch(config.source_vocab, {{4, 6}}, 4);
  Tape tape(backend, params);
  const auto loss = [&](std::vector<std::int32_t> source) {
    batch.source.tokens = std::move(source);
    return score(*model, tape, batch).negative_log_likelihood;
  };
  CHECK(loss({5, 6, 7, 2}) == loss({5, 9, 8, 2}));
  CHECK(loss({5, 6, 7, 2}) != loss({4, 6, 7, 2}));
}

TEST_CASE("stepping through a sentence gives the probabilities that scoring gives") {
  const Backend& backend = TT_EACH_BACKEND();
  Config config = small_config();
  SECTION("post-norm") {}
  SECTION("pre-norm with learned positions") {
    config.norm = NormPlace::pre;
    config.positions = PositionKind::learned;
  }
  SECTION("RMSNorm before the sub-layer") {
    config.norm = NormPlace::pre;
    config.norm_type = NormType::rms;
  }
  SECTION("what models of other programs have") {
    config.start = StartSymbol::zero;
    config.output_bias = true;
    config.ffn_layers = 2;
    config.final_norm = FinalNorm::yes;
    config.scale_embeddings = false;
  }
  SECTION("scores without scale in a window") {
    config.scores = Scores::dot;
    config.window = 2;
  }
  SECTION("additive scores in a window, no positions") {
    config.scores = Scores::additive;
    config.positions = PositionKind::none;
    config.window = 4;
  }
  SECTION("recurrent units in the decoder") { config.decoder_self = DecoderSelf::ssru; }
  SECTION("relative positions") { make_t5(config); }
  SECTION("relative positions in a window") {
    config.positions = PositionKind::relative;
    config.position_buckets = 8, config.position_distance = 6;
    config.window = 3;
  }
  SECTION("LSTM") { config = small_lstm(AttentionKind::general); }
  SECTION("LSTM without attention, both directions") {
    config = small_lstm(AttentionKind::none);
    config.bidirectional = true;
  }
  SECTION("LSTM with input feeding") {
    config = small_lstm(AttentionKind::concat);
    config.input_feeding = true;
    config.encoder_layers = 3;
  }
  config.label_smoothing = 0;
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  const Batch batch = random_batch(config.source_vocab, {{6, 8}}, 4);
  Tape tape(backend, model->params()), tape2(backend, model->params());
  const LossSums sums = score(*model, tape, batch);
  const auto state = model->start(tape, batch.source);
  double log_probability = 0;
  const int all = config.target_vocab;
  BestScores answer;
  std::vector<float> distribution;
  const auto scores = model->token_scores(tape2, batch);
  const auto other = model->start(tape2, batch.source);
  for (std::size_t t = 0; t < batch.target_in.tokens.size(); ++t) {
    const std::int32_t gold = batch.target_out.tokens[t], second = 7;
    const std::int32_t asked[] = {gold, -1};
    state->step({&batch.target_in.tokens[t], 1}, {all, {&second, 1}, asked}, answer);
    other->step({&batch.target_in.tokens[t], 1}, distribution);
    REQUIRE(distribution.size() == static_cast<std::size_t>(all));
    for (std::size_t i = 0; i + 1 < answer.pieces.size(); ++i) {
      CHECK(answer.pieces[i] != second);
      CHECK(answer.values[i] ==
            Approx(distribution[static_cast<std::size_t>(answer.pieces[i])]).margin(1e-5));
    }
    CHECK(answer.values.back() == -INFINITY);  // in place of the one that is barred
    CHECK(answer.asked[0] == Approx(distribution[static_cast<std::size_t>(gold)]).margin(1e-5));
    CHECK(answer.asked[1] == -INFINITY);
    CHECK(answer.asked[0] == Approx(scores[t]).margin(1e-5));
    log_probability += static_cast<double>(answer.asked[0]);
    const std::int32_t same = 0;
    for (State* each : {state.get(), other.get()}) each->reorder({&same, 1});
  }
  CHECK(-log_probability == Approx(sums.negative_log_likelihood).epsilon(1e-5));
}

TEST_CASE("the translation of a sentence does not depend on its batch") {
  const Backend& backend = TT_EACH_BACKEND();
  Config config = small_config();
  config.heads = 4;
  SECTION("Transformer") {}
  SECTION("restricted self-attention") { config.window = 3; }
  SECTION("T5's") { make_t5(config); }
  SECTION("additive scores") { config.scores = Scores::additive; }
  SECTION("Transformer with recurrent units in the decoder") {
    config.decoder_self = DecoderSelf::ssru;
  }
  SECTION("LSTM") { config = small_lstm(AttentionKind::dot); }
  SECTION("LSTM with all there is") {
    config = small_lstm(AttentionKind::concat);
    config.bidirectional = config.input_feeding = true;
  }
  const bool emulated = &backend == &test_backend(kCuda);  // and slow
  config.d_model = emulated ? 32 : 128;
  config.d_ff = 2 * config.d_model;
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  Tape tape(backend, model->params());
  std::vector<std::pair<int, int>> lengths;
  for (int i = 0; i < (emulated ? 9 : 33); ++i) lengths.push_back({1 + i * 7 % 19, 1});
  const Batch batch = random_batch(config.source_vocab, lengths, 9);
  const SearchOptions options;
  const auto translate = [&](const Sequences& source) {
    const std::vector<SearchRequest> limits(source.offsets.size() - 1, SearchRequest{20});
    tape.clear();
    const auto state = model->start(tape, source);
    return search(*state, limits, 1, 2, options);
  };
  const auto together = translate(batch.source);
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    Sequences alone;
    alone.tokens.assign(batch.source.tokens.begin() + batch.source.offsets[b],
                        batch.source.tokens.begin() + batch.source.offsets[b + 1]);
    alone.offsets.push_back(static_cast<std::int32_t>(alone.tokens.size()));
    const auto found = translate(alone);
    INFO("sentence " << b);
    REQUIRE(found[0].size() == together[b].size());
    CHECK(found[0][0].tokens == together[b][0].tokens);
    CHECK(found[0][0].log_probability == together[b][0].log_probability);
  }
}

// Results must not depend on other sentences in the batch or on the order in which rows are
// computed.
TEST_CASE("the weights of attention are those of each sentence alone, and sum to one") {
  const Backend& backend = TT_EACH_BACKEND();
  Config config = small_config();
  SECTION("Transformer") {}
  SECTION("restricted self-attention") { config.window = 1; }
  SECTION("LSTM") { config = small_lstm(AttentionKind::general); }
  SECTION("LSTM with input feeding") {
    config = small_lstm(AttentionKind::dot);
    config.input_feeding = config.bidirectional = true;
  }
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  Tape tape(backend, model->params());
  const std::vector<std::pair<int, int>> lengths = {{3, 4}, {6, 2}, {1, 5}, {4, 5}};
  const Batch batch = random_batch(config.source_vocab, lengths, 5);
  const auto together = model->attention_weights(tape, batch);
  const auto& cross = together.back();
  CHECK((cross.kind == "cross" && model->attends(AttentionSite::cross)));
  CHECK((together.front().kind == "encoder") == model->attends(AttentionSite::self));
  const float* at = cross.weights.data();
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    INFO("sentence " << b);
    const auto part = [b](const Sequences& side) {
      const auto begin = side.offsets[b], end = side.offsets[b + 1];
      return Sequences{{side.tokens.begin() + begin, side.tokens.begin() + end}, {0, end - begin}};
    };
    const Batch alone{part(batch.source), part(batch.target_in), part(batch.target_out), {}, {0}};
    tape.clear();
    const auto mine = model->attention_weights(tape, alone).back().weights;
    REQUIRE(at + mine.size() <= cross.weights.data() + cross.weights.size());
    CHECK(std::equal(mine.begin(), mine.end(), at));
    const auto keys = static_cast<std::size_t>(lengths[b].first);
    for (std::size_t i = 0; i < mine.size(); i += keys)
      CHECK(std::accumulate(at + i, at + i + keys, 0.0) == Approx(1).epsilon(1e-5));
    at += mine.size();
  }
  CHECK(at == cross.weights.data() + cross.weights.size());
}

TEST_CASE("what search attends to is what the whole batch does") {
  const Backend& backend = test_backend(kCpu);
  Config config = small_config();
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  Tape tape(backend, model->params());
  const std::vector<std::pair<int, int>> lengths = {{5, 6}};
  const Batch batch = random_batch(config.source_vocab, lengths, 5);
  const std::size_t keys = 5, steps = 6, heads = static_cast<std::size_t>(config.heads);
  std::vector<std::vector<float>> layers;
  for (const AttentionWeights& w : model->attention_weights(tape, batch))
    if (w.kind == "cross") layers.push_back(w.weights);
  REQUIRE(layers.size() == 2);
  tape.clear();
  const auto state = model->start(tape, batch.source);
  auto* const attended = dynamic_cast<AttendedState*>(state.get());
  REQUIRE(attended);
  const AttentionHead asked[] = {{1, 0}, {2, 2}};  // all of a layer, and one of another
  REQUIRE(attended->attend(asked));
  std::vector<float> all;
  for (std::size_t t = 0; t < steps; ++t) {
    const std::size_t rows = t == 0 ? 1 : 2;
    state->step(std::vector<std::int32_t>(rows, batch.target_in.tokens[t]), all);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto found = attended->attention(row);
      REQUIRE(found.size() == keys);
      for (std::size_t k = 0; k < keys; ++k) {
        const auto of = [&](std::size_t layer, std::size_t head) {
          return layers[layer][(head * steps + t) * keys + k];
        };
        float sum = of(1, 1);
        for (std::size_t h = 0; h < heads; ++h) sum += of(0, h);
        CHECK(found[k] == Approx(sum).margin(1e-5));
      }
    }
    state->reorder(std::vector<std::int32_t>{0, static_cast<std::int32_t>(rows - 1)});
  }
}

}  // namespace tt
