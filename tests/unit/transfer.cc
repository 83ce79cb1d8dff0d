// Training that begins with a model: what it takes over, what stays as it is, and corpora with
// weights.
#include "train/transfer.h"

#include <map>

#include "tests/unit/train_fixture.h"

namespace tt {
namespace {

std::vector<float> values_of(const TensorFile& file, const std::string& name) {
  const NamedTensor* const tensor = file.find(name);
  REQUIRE(tensor);
  const auto* from = static_cast<const float*>(tensor->data);
  return {from, from + tensor->bytes() / sizeof(float)};
}

}  // namespace

TEST_CASE("a run that begins with a model leaves what is frozen as it is, bit for bit") {
  const Workplace place;
  Config config = quick_config();
  config.max_updates = 4;
  run(config, place.inputs("first", 1));
  const std::string first = place.path("first/" + checkpoint_name(4));
  config.max_updates = 3;
  config.weight_decay = 0.1;
  TrainingInputs in = place.inputs("second", 1);
  in.from = first;
  const std::string parts = GENERATE("encoder,embeddings", "decoder", "decoder.1.ffn,embeddings");
  in.freeze = parts;
  run(config, in);
  const TensorFile before(first), after(place.path("second/" + checkpoint_name(3)));
  int same = 0, other = 0;
  for (const NamedTensor& tensor : before.tensors()) {
    if (is_subword(tensor.name)) continue;
    const bool table = tensor.name == "embeddings";
    const bool frozen = parts == "encoder,embeddings" ? tensor.name.starts_with("encoder.") || table
                        : parts == "decoder"          ? tensor.name.starts_with("decoder.")
                                             : tensor.name.starts_with("decoder.1.ffn.") || table;
    INFO(tensor.name);
    CHECK((values_of(before, tensor.name) == values_of(after, tensor.name)) == frozen);
    ++(frozen ? same : other);
  }
  CHECK(same > 0);
  CHECK(other > 0);
}

TEST_CASE(
    "a new vocabulary keeps the rows of the pieces that both have, and a name that is none is "
    "refused") {
  const Workplace place;
  const Backend& backend = test_backend(0);
  Config config = quick_config();
  config.max_updates = 2;
  config.output_bias = true;
  run(config, place.inputs("first", 1));
  const TensorFile first(place.path("first/" + checkpoint_name(2)));
  const Subword before = Subword::load(place.path("subword.model"));
  SubwordOptions options;
  options.vocab_size = 30;
  {
    Output text(place.path("other"));
    for (int i = 10; i < 30; ++i)
      text.line("x" + std::to_string(i) + " w" + std::to_string(i % 7 + 10) + " yz");
    text.close();
  }
  const Subword after = train_subword({place.path("other")}, options);
  config.source_vocab = config.target_vocab = after.size();
  SECTION("shared") {}
  SECTION("apart") { config.embeddings = EmbeddingTies::none; }
  const auto model = make_model(config);
  model->params().draw(backend, 9);
  const auto fresh = make_model(config);
  fresh->params().draw(backend, 9);
  take_parameters(*model, {after, after}, first);
  const auto old_rows = values_of(first, "embeddings");
  const auto tensors = model->params().tensors();
  int shared = 0, own = 0;
  for (int p = 0; p < model->params().number(); ++p) {
    const std::string& name = tensors[static_cast<std::size_t>(p)].name;
    std::vector<float> scratch, drawn;
    const float* const now = model->params().view(p, scratch);
    const bool bias = name == "output_bias";
    if (name != "embeddings" && name != "output" && !bias && !name.ends_with(".embeddings")) {
      CHECK(values_of(first, name) == std::vector<float>(now, now + model->params().at(p).size()));
      continue;
    }
    const float* const random = fresh->params().view(p, drawn);
    const std::int64_t d = bias ? 1 : config.d_model;
    const auto rows = bias ? values_of(first, name) : old_rows;
    for (std::int32_t i = 0; i < after.size(); ++i) {
      const std::int32_t old = before.find(after.piece(i));
      const float* const expected = old >= 0 ? rows.data() + old * d : random + i * d;
      CHECK(std::equal(expected, expected + d, now + i * d));
      ++(old >= 0 ? shared : own);
    }
  }
  CHECK(shared > 0);
  CHECK(own > 0);
  CHECK_THROWS_AS(parameters_of(*model, "encode"), Error);
  CHECK_THROWS_AS(parameters_of(*model, "encoder,,decoder"), Error);
  CHECK_THROWS_AS(parameters_of(*model, "encoder,decoder,embeddings"), Error);
}

TEST_CASE("what recurrent units take in keeps the bias that it has, bit for bit") {
  const Workplace place;
  Config config = quick_config();
  config.decoder_self = DecoderSelf::ssru;
  config.max_updates = 2;
  config.weight_decay = 0.1;
  config.schedule = Schedule::constant;
  const auto bias_of = [](const std::string& path) {
    return values_of(TensorFile(path), "decoder.1.self.gates_bias");
  };
  const auto d = static_cast<std::size_t>(config.d_model);
  const auto check = [&](const std::string& path, float content) {
    const std::vector<float> bias = bias_of(path);
    REQUIRE(bias.size() == 2 * d);
    for (std::size_t i = 0; i < 2 * d; ++i) CHECK((bias[i] == content) == (i < d));
  };
  run(config, place.inputs("first", 1));
  const std::string first = place.path("first/" + checkpoint_name(2));
  check(first, 0);
  // A model of an earlier version has one.
  const TensorFile file(first);
  std::vector<NamedTensor> tensors(file.tensors().begin(), file.tensors().end());
  std::vector<float> bias(2 * d, 0.25f);
  for (NamedTensor& tensor : tensors)
    if (tensor.name == "decoder.1.self.gates_bias") tensor.data = bias.data();
  save_tensors(place.path("earlier.tt"), tensors, file.metadata());
  config.optimizer = GENERATE(Optimizer::adam, Optimizer::schedule_free);
  TrainingInputs in = place.inputs("second", 1);
  in.from = place.path("earlier.tt");
  run(config, in);
  check(place.path("second/" + checkpoint_name(2)), 0.25f);
}

TEST_CASE("attention belongs to the decoder of an LSTM") {
  Config config = preset("tiny", ModelType::lstm);
  config.attention = AttentionKind::concat;
  config.source_vocab = config.target_vocab = 10;
  const auto model = make_model(config);
  const auto frozen = parameters_of(*model, "decoder");
  const auto tensors = model->params().tensors();
  int scored = 0;
  for (int p = 0; p < model->params().number(); ++p) {
    const std::string& name = tensors[static_cast<std::size_t>(p)].name;
    INFO(name);
    const bool of_decoder = name.starts_with("attention.") ||
                            (name.starts_with("decoder.") && !name.ends_with("embeddings"));
    CHECK((std::find(frozen.begin(), frozen.end(), p) != frozen.end()) == of_decoder);
    scored += name == "attention.score";
  }
  CHECK(scored == 1);
}

TEST_CASE("pairs come as often in an epoch as their weight says") {
  const Workplace place;
  const Subword subword = Subword::load(place.path("subword.model"));
  ParallelCorpus corpus(subword, subword);
  const auto add = [&](double weight) {
    append_parallel(corpus, {place.path("train.a"), place.path("train.b"), weight}, subword,
                    subword, {});
  };
  add(1), add(2.5), add(0.25);
  REQUIRE(corpus.size() == 360);
  const BatchOptions options{200, 2, 5};
  std::map<std::int64_t, int> all;
  constexpr int kEpochs = 200;
  for (int e = 0; e < kEpochs; ++e) {
    const Epoch epoch(corpus, options, e);
    std::map<std::int64_t, int> times;
    for (std::int64_t u = 0; u < epoch.batches(); ++u)
      for (const Batch& batch : epoch.shards(u))
        for (const std::int64_t i : batch.sentences) ++times[i], ++all[i];
    for (std::int64_t i = 0; i < 360; ++i) {
      if (i < 120) CHECK(times[i] == 1);
      else if (i < 240) CHECK((times[i] == 2 || times[i] == 3));
      else CHECK(times[i] <= 1);
    }
  }
  double second = 0, third = 0;
  for (std::int64_t i = 120; i < 360; ++i) (i < 240 ? second : third) += all[i];
  CHECK(second / (120 * kEpochs) == Approx(2.5).margin(0.02));
  CHECK(third / (120 * kEpochs) == Approx(0.25).margin(0.02));
  ParallelCorpus equal(subword, subword), once(subword, subword);
  append_parallel(equal, {place.path("train.a"), place.path("train.b"), 2}, subword, subword, {});
  append_parallel(once, {place.path("train.a"), place.path("train.b")}, subword, subword, {});
  CHECK(equal.fingerprint() != once.fingerprint());
  CHECK(once.stretches().empty());
}

}  // namespace tt
