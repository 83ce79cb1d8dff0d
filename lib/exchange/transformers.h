// Common to models of the Hugging Face transformers: settings, tensors, and names of
// both.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/output.h"
#include "exchange/foreign.h"
#include "exchange/generation_config.h"
#include "exchange/json_settings.h"
#include "exchange/portable.h"
#include "exchange/vocabulary.h"

namespace tt {

// Takes where the piece of the target's language is: before a source if a vocabulary has pieces
// such as ">>deu<<", unless a key of our own says otherwise, which is written where it does.
void read_target_language(Config& config, const JsonSettings& settings,
                          const Vocabulary& vocabulary);
void write_target_language(const Config& config, const Vocabulary& vocabulary,
                           nlohmann::json& settings);

// The tensors of positions.
inline constexpr const char *kEncoderPositions = "model.encoder.embed_positions.weight",
                            *kDecoderPositions = "model.decoder.embed_positions.weight";
inline const char* positions_name(Stack stack) {
  return stack == Stack::encoder ? kEncoderPositions : kDecoderPositions;
}

// Sets learned positions from the first that a token has, behind that of padding.
inline constexpr int kFirstPosition = 2;
void take_learned_positions(PortableModel& model, ForeignTensors& tensors,
                            const std::string& prefix);

// The number of a piece, or of pieces if there is none.
std::ptrdiff_t index_of(const std::vector<std::string>& pieces, const std::string& piece);
// The names of activations.
const std::vector<ForeignSetting::Value>& transformers_activations();
// The name of a part of a layer as of BART, fairseq and MarianMT: "encoder.layers.0.fc1.weight",
// and as transformers has them, "model.encoder.layers.0.fc1.weight".
ForeignPlace bart_place(const ParameterPart& part);
ForeignPlace transformers_place(const ParameterPart& part);

// The tensors of a folder: of one file, or of the files that model.safetensors.index.json names.
ForeignTensors read_transformers_tensors(const std::string& folder);
// The keys of a kind of models and those that all but T5 have.
ForeignTable of_transformers(const ForeignTable& own, const char* activation = "gelu",
                             const char* scale = "false");
// The settings of such a table, ties and search. Throws Error, naming the setting that cannot be
// imported.
Config read_transformers_settings(const ForeignTable& table, const JsonSettings& settings);
// The settings of a model for config.json.
nlohmann::json transformers_settings(const ForeignTable& table, const Config& config,
                                     const char* type, const char* architecture);
// {"piece": number, ...}, in the order of the numbers.
std::string numbered(const std::vector<std::string>& pieces);

// The tensors of a model.safetensors that is written, in their order.
class TransformersTensors {
 public:
  void add(const std::string& name, const Shape& shape, std::vector<float> values);
  // As write_layers() calls it.
  PutTensor put() { return std::bind_front(&TransformersTensors::add, this); }
  void write(AtomicFile& file) const;

 private:
  struct Tensor {
    std::string name;
    Shape shape;
    std::vector<float> values;
  };
  std::vector<Tensor> all_;
};

// Writes config.json, generation_config.json and the tensors. `ids` are the numbers of special
// pieces, which both have; translations have at most `longest` tokens.
void finish_transformers(AtomicFolder& to, const Config& config, nlohmann::json settings,
                         nlohmann::json search, const nlohmann::json& ids, int longest,
                         const TransformersTensors& tensors);

}  // namespace tt
