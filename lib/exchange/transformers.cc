#include "exchange/transformers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "exchange/safetensors.h"
#include "exchange/torch_file.h"
#include "model/checkpoint.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char *kIndex = "model.safetensors.index.json",
                     *kTorchIndex = "pytorch_model.bin.index.json";
// Each file is mapped, and read when a tensor is asked for.
ForeignTensors read_shards(const std::string& path) {
  const JsonSettings index(path);
  const std::string folder = path.substr(0, path.rfind('/'));
  const json map = index.value("weight_map");
  if (!map.is_object()) index.refuse("weight_map", "an object");
  std::set<std::string> files;
  for (const auto& [tensor, file] : map.items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    if (name.empty() || name.find('/') != name.npos)
      index.refuse("weight_map", "names of files beside it");
    files.insert(name);
  }
  ForeignTensors tensors(index.path(), 0);
  for (const std::string& name : files)
    tensors.take_over(name.ends_with(".safetensors")
                          ? read_safetensors(file_of_model(folder + "/" + name))
                          : read_torch(file_of_model(folder + "/" + name)));
  return tensors;
}

const ForeignTable& target_language(const Vocabulary& vocabulary) {
  static const ForeignTable in_pieces{kept("tt_target_language", "target_language", "source")},
      nowhere{kept("tt_target_language", "target_language", "none")};
  return chooses_target(vocabulary) ? in_pieces : nowhere;
}

std::string matrix_name(const ParameterPart& part) {
  if (part.sublayer == Sublayer::ffn) return "fc" + std::to_string(part.index);
  const std::string attention = part.sublayer == Sublayer::self ? "self_attn." : "encoder_attn.";
  switch (part.role) {
    case Role::query: return attention + "q_proj";
    case Role::key: return attention + "k_proj";
    case Role::value: return attention + "v_proj";
    case Role::out: return attention + "out_proj";
    default: TT_CHECK(!"a format of this kind has no such part"); return "";
  }
}

}  // namespace

std::ptrdiff_t index_of(const std::vector<std::string>& pieces, const std::string& piece) {
  return std::ranges::find(pieces, piece) - pieces.begin();
}

const std::vector<ForeignSetting::Value>& transformers_activations() {
  static const std::vector<ForeignSetting::Value> names{{"relu", "relu"},
                                                        {"gelu", "gelu_erf"},
                                                        {"gelu_new", "gelu"},
                                                        {"swish", "swish"},
                                                        {"silu", "swish"},
                                                        {"quick_gelu", "gelu_logistic"},
                                                        {"gelu_pytorch_tanh", "gelu"}};
  return names;
}

void read_target_language(Config& config, const JsonSettings& settings,
                          const Vocabulary& vocabulary) {
  read_settings(target_language(vocabulary), values_of(settings), config);
}

void write_target_language(const Config& config, const Vocabulary& vocabulary, json& settings) {
  const ForeignTable& table = target_language(vocabulary);
  if (get_field(config, "target_language") != table[0].missing)
    write_settings(table, config, settings);
}

ForeignPlace bart_place(const ParameterPart& part) {
  std::string name = part.stack == Stack::encoder ? "encoder." : "decoder.";
  if (part.layer > 0) name += "layers." + std::to_string(part.layer - 1) + ".";
  if (part.role == Role::gain || part.role == Role::shift) {
    const char* const norm = part.sublayer == Sublayer::none         ? "layer_norm"
                             : part.sublayer == Sublayer::embeddings ? "layernorm_embedding"
                             : part.sublayer == Sublayer::self       ? "self_attn_layer_norm"
                             : part.sublayer == Sublayer::cross      ? "encoder_attn_layer_norm"
                                                                     : "final_layer_norm";
    return {name + norm + (part.role == Role::gain ? ".weight" : ".bias")};
  }
  return {name + matrix_name(part) + (part.bias ? ".bias" : ".weight"), !part.bias};
}

void take_learned_positions(PortableModel& model, ForeignTensors& tensors,
                            const std::string& prefix) {
  const Config& config = model.config;
  if (config.positions != PositionKind::learned) return;
  for (const Stack stack : {Stack::encoder, Stack::decoder}) {
    const std::vector<float> all = tensors.take(
        prefix + (stack == Stack::encoder ? "encoder" : "decoder") + ".embed_positions.weight",
        {config.max_length + kFirstPosition, config.d_model});
    model.at(stack, Role::positions).values = {
        all.begin() + std::int64_t{kFirstPosition} * config.d_model, all.end()};
  }
}

ForeignPlace transformers_place(const ParameterPart& part) {
  ForeignPlace place = bart_place(part);
  place.name = "model." + place.name;
  return place;
}

ForeignTensors read_transformers_tensors(const std::string& folder) {
  if (file_exists(folder + "/model.safetensors"))
    return read_safetensors(folder + "/model.safetensors");
  if (file_exists(folder + "/pytorch_model.bin")) return read_torch(folder + "/pytorch_model.bin");
  for (const char* index : {kIndex, kTorchIndex})
    if (file_exists(folder + "/" + index)) return read_shards(folder + "/" + index);
  for (const char* other :
       {"tf_model.h5", "flax_model.msgpack", "model.onnx", "encoder_model.onnx"})
    if (file_exists(folder + "/" + other))
      throw Error(folder, "/", other,
                  ": is for TensorFlow, Flax or ONNX; load it with transformers, and save it as "
                  "model.safetensors");
  throw Error(folder, ": has no model.safetensors and no pytorch_model.bin");
}

ForeignTable of_transformers(const ForeignTable& own, const char* activation, const char* scale) {
  return {own,
          kept("d_model", "d_model"),
          kept("encoder_layers", "encoder_layers"),
          kept("decoder_layers", "decoder_layers"),
          kept("encoder_attention_heads decoder_attention_heads", "heads"),
          kept("encoder_ffn_dim decoder_ffn_dim", "d_ff"),
          kept("activation_function", "activation", activation, transformers_activations()),
          kept("scale_embedding", "scale_embeddings", scale),
          kept("vocab_size", "source_vocab"),
          fixed("attention_bias=true|false"),
          replaced("norm_epsilon", "1e-05")};
}

Config read_transformers_settings(const ForeignTable& table, const JsonSettings& settings) {
  Config config;
  read_settings(table, values_of(settings), config);
  if (config.d_model % config.heads != 0) settings.refuse("encoder_attention_heads");
  config.target_vocab = settings.integer("decoder_vocab_size", config.source_vocab, 1, 1 << 24);
  const bool shared = settings.yes("share_encoder_decoder_embeddings", true),
             tied = settings.yes("tie_word_embeddings", true);
  config.embeddings = !tied    ? EmbeddingTies::none
                      : shared ? EmbeddingTies::shared
                               : EmbeddingTies::target;
  read_transformers_search(config, settings);
  return config;
}

json transformers_settings(const ForeignTable& table, const Config& config, const char* type,
                           const char* architecture) {
  json settings{{"model_type", type},
                {"architectures", {architecture}},
                {"is_encoder_decoder", true},
                {"num_hidden_layers", config.encoder_layers},
                {"tie_word_embeddings", config.embeddings != EmbeddingTies::none},
                {"forced_eos_token_id", nullptr},
                {"torch_dtype", "float32"}};
  write_settings(table, config, settings);
  return settings;
}

void finish_transformers(AtomicFolder& to, const Config& config, json settings, json search,
                         const json& ids, int longest, const TransformersTensors& tensors) {
  settings.update(ids);
  write_length_factor(config, settings);
  to.add("config.json", settings.dump(2) + "\n");
  json generation = transformers_search(config, longest);
  generation.update(ids);
  generation.update(search);
  to.add("generation_config.json", generation.dump(2) + "\n");
  tensors.write(to.add("model.safetensors"));
  to.commit();
}

std::string numbered(const std::vector<std::string>& pieces) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < pieces.size(); ++i) object[pieces[i]] = i;
  return object.dump(1) + "\n";
}

void TransformersTensors::add(const std::string& name, const Shape& shape,
                              std::vector<float> values) {
  all_.push_back({name, shape, std::move(values)});
}

void TransformersTensors::write(AtomicFile& file) const {
  std::vector<NamedTensor> named;
  for (const Tensor& tensor : all_)
    named.push_back({tensor.name, Dtype::f32, tensor.shape, tensor.values.data()});
  write_tensors(file, named, {{"format", "pt"}}, [&](std::size_t k) { return named[k].data; });
}

}  // namespace tt
