#include "model/model.h"

#include <cmath>

#include "base/error.h"
#include "model/recurrent.h"
#include "model/transformer.h"

namespace tt {

Model::Tables Model::add_tables() {
  const float deviation = 1 / std::sqrt(static_cast<float>(config_.d_model));
  const auto table = [&](const char* name, int vocabulary) {
    return params_.add_table(name, vocabulary, config_.d_model, deviation);
  };
  Tables t;
  if (config_.embeddings == EmbeddingTies::shared) {
    t.source = t.target = t.output = table("embeddings", config_.source_vocab);
  } else {
    t.source = table("encoder.embeddings", config_.source_vocab);
    t.target = table("decoder.embeddings", config_.target_vocab);
    t.output = config_.embeddings == EmbeddingTies::target ? t.target : table("output", config_.target_vocab);
  }
  return t;
}

std::unique_ptr<Model> make_model(const Config& config) {
  if (config.source_vocab < 1 || config.target_vocab < 1)
    throw Error("the model has vocabularies of ", config.source_vocab, " and ", config.target_vocab,
                " pieces; its file is damaged");
  if (config.type == ModelType::lstm) return std::make_unique<LSTM>(config);
  return std::make_unique<Transformer>(config);
}

LossSums score(const Model& model, Tape& tape, const Batch& batch) {
  const DeviceArray<double> sums(tape.backend(), 2);
  model.loss(tape, batch, 0, sums.data());
  const auto host = sums.download();
  tape.clear();
  return {host[0], host[1], batch.target_out.rows()};
}

}  // namespace tt
