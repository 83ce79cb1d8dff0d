#include "model/model.h"

#include <cmath>

#include "base/error.h"
#include "model/recurrent.h"
#include "model/transformer.h"

namespace tt {

Model::Tables Model::add_tables() {
  const float deviation = 1 / std::sqrt(static_cast<float>(config_.d_model));
  const auto publish = [&](const std::string& name, Stack stack, Role role, int vocabulary) {
    parts_.push_back(
        {name, stack, 0, Sublayer::none, role, 0, false, vocabulary, 0, config_.d_model});
  };
  const auto table = [&](const std::string& name, int vocabulary) {
    return params_.add_table(name, vocabulary, config_.d_model, deviation);
  };
  const bool shared = config_.shares_inputs(), tied = config_.embeddings == EmbeddingTies::shared ||
                                                      config_.embeddings == EmbeddingTies::target;
  const std::string source = shared ? "embeddings" : "encoder.embeddings",
                    target = shared ? source : "decoder.embeddings";
  publish(source, Stack::encoder, Role::embeddings, config_.source_vocab);
  publish(target, Stack::decoder, Role::embeddings, config_.target_vocab);
  publish(tied ? target : "output", Stack::decoder, Role::output, config_.target_vocab);
  Tables t;
  t.source = table(source, config_.source_vocab);
  t.target = shared ? t.source : table(target, config_.target_vocab);
  t.output = tied ? t.target : table("output", config_.target_vocab);
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
  const DeviceArray<double> sums(tape.backend(), 3);
  model.loss(tape, batch, 0, sums.data());
  const auto host = sums.download();
  tape.clear();
  return {host[0], host[1], batch.target_out.rows(), host[2], batch.links.linked_rows()};
}

}  // namespace tt
