// Shared by the tests of training: a small parallel text, settings that train quickly, and the
// bytes of a run.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/random.h"
#include "base/report.h"
#include "decode/loaded_model.h"
#include "decode/translator.h"
#include "model/average.h"
#include "model/checkpoint.h"
#include "tests/backends.h"
#include "text/train_subword.h"
#include "train/trainer.h"

namespace tt {

// A temporary folder with a small parallel text: the target is the source in reverse, with other
// words.
class Workplace {
 public:
  Workplace() {
    char name[] = "/tmp/tt-trainer-XXXXXX";
    REQUIRE(::mkdtemp(name));
    folder = name;
    set_quiet(true);
    Random random(3);
    Output source(path("train.a")), target(path("train.b"));
    Output dev_source(path("dev.a")), dev_target(path("dev.b"));  // the first pairs once more
    for (int i = 0; i < 120; ++i) {
      std::string a, b;
      for (std::uint32_t n = 2 + random.below(7); n > 0; --n) {
        const std::string word = std::to_string(10 + random.below(15));
        a += (a.empty() ? "" : " ") + word;
        b = "w" + word + (b.empty() ? "" : " ") + b;
      }
      source.line(a);
      target.line(b);
      if (i < 16) dev_source.line(a), dev_target.line(b);
    }
    for (Output* file : {&source, &target, &dev_source, &dev_target}) file->close();
    SubwordOptions options;
    options.vocab_size = 45;
    const Subword subword = train_subword({path("train.a"), path("train.b")}, options);
    AtomicFile file(path("subword.model"));
    file.write(subword.bytes());
    file.commit();
  }
  ~Workplace() {
    std::filesystem::remove_all(folder);
    set_quiet(false);
  }

  std::string path(const std::string& name) const { return folder + "/" + name; }

  TrainingInputs inputs(const std::string& run, int threads) const {
    TrainingInputs in;
    in.train.push_back({path("train.a"), path("train.b"), 1});
    in.dev = {{path("dev.a"), path("dev.b")}};
    in.source_subword = in.target_subword = path("subword.model");
    in.folder = path(run);
    in.threads = threads;
    return in;
  }

  std::string folder;
};

// The models to train: the Transformer; an LSTM; an LSTM with all options.
enum class QuickModel { transformer, lstm, lstm_with_all };

// Settings that train quickly.
inline Config quick_config(QuickModel model = QuickModel::transformer) {
  const bool lstm = model != QuickModel::transformer;
  Config config = preset("tiny", lstm ? ModelType::lstm : ModelType::transformer);
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = 32;
  if (!lstm) config.d_ff = 48, config.heads = 2;
  if (model == QuickModel::lstm_with_all) {
    config.attention = AttentionKind::concat;
    config.bidirectional = config.input_feeding = true;
  }
  config.tokens = 300;
  config.warmup = 10;
  config.shards = 3;
  config.dropout = 0.2;
  config.attention_dropout = 0.1;
  config.subword_dropout = 0.1;
  config.max_updates = 12;
  config.valid_every = 6;
  config.save_every = 4;
  config.keep_last = 10;
  config.beam = 2;
  return config;
}

// The distances and gates of T5.
inline void set_like_t5(Config& config) {
  config.norm = NormPlace::pre;
  config.norm_type = NormType::rms;
  config.positions = PositionKind::relative;
  config.position_buckets = 8, config.position_distance = 12;
  config.ffn_gate = config.scale_output = true;
  config.ffn_bias = false;
}

// Adam's moments and the parameters after update 12, as bytes.
inline std::string bytes_of(const Workplace& place, const std::string& run) {
  const TensorFile state(place.path(run + "/state.tt"));
  std::string bytes = read_file(place.path(run) + "/" + checkpoint_name(12));
  for (const NamedTensor& tensor : state.tensors())
    bytes.append(static_cast<const char*>(tensor.data), tensor.bytes());
  return bytes;
}

// The translations of lines by the model of a file.
inline std::vector<std::string> translations(const std::string& model,
                                             std::span<const std::string> lines,
                                             const Backend& backend) {
  const LoadedModel loaded = load_model(model, backend);
  const Translator translator({{loaded.model.get(), &loaded.source}}, loaded.target, {});
  Tape tape(backend, loaded.model->params());
  std::vector<Request> requests;
  for (const std::string& line : lines) requests.push_back({line});
  return translator.texts(requests, tape);
}

inline int run(const Config& config, const TrainingInputs& inputs,
               const Backend& backend = test_backend(0)) {
  return train(config, inputs, backend).signal;
}

}  // namespace tt
