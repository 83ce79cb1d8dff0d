// Training at weights in eight bits: these are those of a file in eight bits, the gradient is that
// of a model which has them, and a run ends with the same bits however it is computed.
#include "train/quantized_weights.h"

#include <cstring>

#include "decode/search.h"
#include "model/weight_form.h"
#include "tests/unit/train_fixture.h"
#include "train/updater.h"
#include "train/validation.h"

namespace tt {
namespace {

// The float32 values that a file in eight bits stands for, laid out as the parameters, by the
// kernel that looks up embeddings in such a file.
std::vector<float> values_of_int8(const std::string& path, const Config& config) {
  const CpuBackend backend;
  const auto model = make_model(config);
  const TensorFile file(path);
  Params& params = model->params();
  load_frozen(params, file, backend, WeightForm::int8);
  std::vector<float> all(static_cast<std::size_t>(params.size()));
  for (int i = 0; i < params.number(); ++i) {
    const Param p = params.at(i);
    float* to = all.data() + p.offset;
    if (params.use(i) == Use::other) {
      std::copy_n(params.of(p), p.size(), to);
      continue;
    }
    const ConstMatrix eight = params.int8(p);
    const bool table = params.use(i) == Use::table;
    std::vector<float> column(static_cast<std::size_t>(eight.rows));
    for (std::int32_t j = 0; j < eight.columns; ++j) {
      backend.int8_columns({eight, &j, float32(column.data(), 1, eight.rows)});
      for (std::int64_t r = 0; r < eight.rows; ++r)
        to[table ? j * eight.rows + r : r * eight.columns + j] =
            column[static_cast<std::size_t>(r)];
    }
  }
  return all;
}

std::vector<float> values(const Model& model) {
  std::vector<float> scratch;
  const float* at = model.params().view(scratch);
  return {at, at + model.params().size()};
}

// A model with untied embeddings, of which one matrix has columns without panels, and biases.
Config odd_config(const Subword& subword) {
  Config config = quick_config();
  config.embeddings = GENERATE(EmbeddingTies::shared, EmbeddingTies::none);
  config.d_ff = 50;
  config.attention_bias = config.output_bias = true;
  config.source_vocab = config.target_vocab = subword.size();
  return config;
}

void save(const Model& model, const std::string& path, WeightForm form) {
  const Params& params = model.params();
  std::vector<float> scratch;
  const ReadRows read = [&](int index, std::int64_t first, std::int64_t n, float* to) {
    const Param p = params.at(index);
    std::copy_n(params.view(index, scratch) + first * p.columns, n * p.columns, to);
  };
  save_model(path, params, form, {}, {}, read);
}

Config quantized_config(std::int64_t from) {
  Config config = quick_config();
  config.quantize_from = from;
  config.max_updates = 12;
  return config;
}

}  // namespace

TEST_CASE("weights in eight bits are those of a file in eight bits, and go again") {
  const Workplace place;
  const Subword subword = Subword::load(place.path("subword.model"));
  const Config config = odd_config(subword);
  const Backend& backend = TT_EACH_BACKEND();
  const auto model = make_model(config);
  model->params().draw(backend, 5);
  const std::vector<float> before = values(*model);
  save(*model, place.path("int8.tt"), WeightForm::int8);
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    QuantizedWeights quantized(model->params(), pool);
    quantized.apply();
    const std::vector<float> rounded = values(*model);
    CHECK((rounded == values_of_int8(place.path("int8.tt"), config)));
    CHECK((rounded != before));
    quantized.restore();
    CHECK((values(*model) == before));
  }
}

TEST_CASE("a gradient at weights in eight bits is that of a model which has them") {
  const Workplace place;
  const Subword subword = Subword::load(place.path("subword.model"));
  Config config = odd_config(subword);
  const ParallelCorpus corpus =
      read_parallel(place.path("train.a"), place.path("train.b"), subword, subword, {});
  const Epoch epoch(corpus, {config.tokens, config.shards, config.seed}, 0);
  const std::vector<Batch> shards = epoch.shards(0);
  // The last has a copy of the parameters for its products.
  const CpuBackend bfloat16(Precision::bfloat16);
  const int kind = GENERATE(kCpu, kProtected, kCuda, 3);
  const Backend& backend = kind == 3 ? bfloat16 : test_backend(kind);
  ThreadPool pool(2);
  struct Step {
    UpdateResult result;
    std::vector<float> mean, before, after;
  };
  const auto step = [&](std::int64_t quantize_from, bool rounded_before) {
    config.quantize_from = quantize_from;
    const auto model = make_model(config);
    model->params().draw(backend, 5);
    std::optional<QuantizedWeights> once;
    if (rounded_before) once.emplace(model->params(), pool), once->apply();
    Step found;
    found.before = values(*model);
    Updater updater(*model, backend, pool);
    found.result = updater.update(1, shards);
    found.mean = updater.first().download();
    found.after = values(*model);
    return found;
  };
  const Step quantized = step(1, false), rounded = step(0, true), plain = step(2, false);
  CHECK(quantized.result.loss.smoothed == rounded.result.loss.smoothed);
  CHECK(quantized.result.loss.smoothed != plain.result.loss.smoothed);
  CHECK((quantized.mean == rounded.mean));
  // The step is one of the weights themselves.
  CHECK((quantized.before == plain.before));
  double most = 0;
  for (std::size_t i = 0; i < quantized.after.size(); ++i)
    most = std::max(most, std::abs(double{quantized.after[i]} - quantized.before[i]));
  CHECK(most <= 1.01 * quantized.result.rate);
}

TEST_CASE("a run that is quantised ends with the same bits however it is computed") {
  const Workplace place;
  Config config = quantized_config(5);
  const int kind = GENERATE(0, 1, 2);
  if (kind == 1) config.average_decay = 0.9;
  if (kind == 2)
    config.optimizer = Optimizer::schedule_free, config.schedule = Schedule::constant,
    config.rate = 0.01;
  const auto in_parts = [&](const char* name, std::int64_t stop, int device) {
    Config first = config;
    first.max_updates = stop;
    run(first, place.inputs(name, 3), test_backend(device));
    run(config, place.inputs(name, 1), test_backend(device));
    return bytes_of(place, name);
  };
  run(config, place.inputs("whole", 2));
  const std::string whole = bytes_of(place, "whole");
  CHECK((in_parts("before", 3, kCpu) == whole));
  CHECK((in_parts("at", 4, kCpu) == whole));
  CHECK((in_parts("behind", 7, kProtected) == whole));
  config.quantize_from = 0;
  run(config, place.inputs("plain", 2));
  CHECK((bytes_of(place, "plain") != whole));
  // The checkpoint before is the same, and the one of update 4 is validated otherwise alone.
  const auto parameters = [&](const char* name, int update) {
    return parameter_checksum(TensorFile(place.path(name) + "/" + checkpoint_name(update)));
  };
  CHECK(parameters("plain", 4) == parameters("whole", 4));
  CHECK(parameters("plain", 8) != parameters("whole", 8));
}

TEST_CASE("a quantised run is validated in eight bits, and saves the weights themselves") {
  const Workplace place;
  Config config = quantized_config(7);
  config.average_decay = GENERATE(0.0, 0.9);
  run(config, place.inputs("run", 1));
  const std::string last = place.path("run/" + checkpoint_name(12));
  const TensorFile file(last), middle(place.path("run/" + checkpoint_name(6)));
  CHECK(file.value("validation").ends_with(", in eight bits"));
  CHECK(middle.value("validation").ends_with(", in eight bits"));  // as update 7 begins with it
  average({{last}}, place.path("int8.tt"), WeightForm::int8);
  const Config model_config = stored_config(file);
  const std::vector<float> eight = values_of_int8(place.path("int8.tt"), model_config);
  const CpuBackend backend;
  const auto model = make_model(model_config);
  model->params().place(backend);
  std::copy(eight.begin(), eight.end(), model->params().values());
  const Subword subword = Subword::load(place.path("subword.model"));
  const DevelopmentSet development =
      read_development(place.inputs("run", 1).dev, subword, subword, {});
  ThreadPool pool(1);
  const auto result =
      validate(*model, backend, pool, {subword, subword}, development, [] { return false; });
  REQUIRE(result);
  CHECK(std::stod(file.value("loss")) == result->loss);
  fill_params(model->params(), file);  // which are not in eight bits
  CHECK(std::memcmp(model->params().values(), eight.data(), eight.size() * sizeof(float)) != 0);
}

TEST_CASE("a matrix that is too deep for eight bits is refused before training") {
  const CpuBackend backend;
  Params params;
  params.add("deep", kMostInt8Depth + 1, 2, Init::xavier);
  params.place(backend);
  ThreadPool pool(1);
  CHECK_THROWS_AS(QuantizedWeights(params, pool), Error);
}

}  // namespace tt
