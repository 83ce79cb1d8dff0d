#include "exchange/transformers.h"

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "exchange/bart_names.h"
#include "exchange/format.h"
#include "exchange/safetensors.h"
#include "exchange/torch_file.h"
#include "model/checkpoint.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char *kIndex = "model.safetensors.index.json",
                     *kTorchIndex = "pytorch_model.bin.index.json";
constexpr int kExtraMost = 1 << 20;
constexpr int kLengthMost = 512;  // of the translations that models of the format are made for
// Names of activations; of several for one, the first is written.
constexpr NamedValue<Activation> kActivations[] = {{"relu", Activation::relu},
                                                   {"gelu", Activation::gelu_erf},
                                                   {"gelu_new", Activation::gelu},
                                                   {"swish", Activation::swish},
                                                   {"silu", Activation::swish},
                                                   {"quick_gelu", Activation::gelu_logistic},
                                                   {"gelu_pytorch_tanh", Activation::gelu}};

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

}  // namespace

std::ptrdiff_t index_of(const std::vector<std::string>& pieces, const std::string& piece) {
  return std::find(pieces.begin(), pieces.end(), piece) - pieces.begin();
}

std::string first_of(const ForeignTensors& tensors, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (tensors.has(name)) return name;
  throw Error(tensors.path(), ": lacks the tensor ", in_quotes(*names.begin()));
}

const char* name_of(Activation activation) { return name_of(kActivations, activation); }

std::optional<Activation> activation_of(const std::string& name) {
  const auto* found = find_name(kActivations, name);
  return found ? std::optional(found->value) : std::nullopt;
}

ForeignPlace transformers_place(const Part& part) {
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

Config read_transformers_settings(const JsonSettings& settings) {
  Config config;
  config.d_model = settings.size("d_model", 65536);
  config.encoder_layers = settings.size("encoder_layers", 1024);
  config.decoder_layers = settings.size("decoder_layers", 1024);
  config.heads = settings.size("encoder_attention_heads", 1024);
  config.d_ff = settings.size("encoder_ffn_dim", 1 << 20);
  if (settings.size("decoder_attention_heads", 1024) != config.heads)
    settings.refuse("decoder_attention_heads");
  if (settings.size("decoder_ffn_dim", 1 << 20) != config.d_ff) settings.refuse("decoder_ffn_dim");
  if (config.d_model % config.heads != 0) settings.refuse("encoder_attention_heads");
  const auto activation = activation_of(settings.text("activation_function", "gelu"));
  if (!activation) settings.refuse("activation_function");
  config.activation = *activation;
  config.scale_embeddings = settings.yes("scale_embedding", false);
  config.source_vocab = settings.size("vocab_size", 1 << 24);
  config.target_vocab = settings.integer("decoder_vocab_size", config.source_vocab, 1, 1 << 24);
  const bool shared = settings.yes("share_encoder_decoder_embeddings", true),
             tied = settings.yes("tie_word_embeddings", true);
  config.embeddings = !tied    ? EmbeddingTies::none
                      : shared ? EmbeddingTies::shared
                               : EmbeddingTies::target;
  config.attention_bias = true;
  config.position_layout = PositionLayout::concatenated;
  read_transformers_search(config, settings);
  return config;
}

void read_transformers_search(Config& config, const JsonSettings& settings) {
  config.beam = settings.integer("num_beams", 1, 1, 1024);
  config.length_penalty = LengthPenalty::length;
  config.alpha = settings.number("length_penalty", 1, 0, 100);
  config.stop_when_full = settings.value("early_stopping") == json(true);
  // The piece that the decoder begins with counts in max_length.
  config.extra_length = settings.integer(
      "max_new_tokens", settings.integer("max_length", kLengthMost, 2, INT_MAX) - 1, 1, INT_MAX);
  config.extra_length =
      std::min(settings.integer(kExtra, config.extra_length, 0, INT_MAX), kExtraMost);
  config.length_factor = settings.number(kFactor, 0, 0, 1000);
}

// Settings of search that ours lacks, each unless it has the value that asks for nothing.
void note_lost_search(PortableModel& model, const std::string& folder, const JsonSettings& settings,
                      const Vocabulary& target, std::string_view kept) {
  const std::pair<const char*, json> neutral[] = {{"no_repeat_ngram_size", 0},
                                                  {"encoder_no_repeat_ngram_size", 0},
                                                  {"repetition_penalty", 1},
                                                  {"encoder_repetition_penalty", 1},
                                                  {"min_length", 0},
                                                  {"min_new_tokens", nullptr},
                                                  {"exponential_decay_length_penalty", nullptr},
                                                  {"sequence_bias", nullptr},
                                                  {"constraints", nullptr},
                                                  {"force_words_ids", nullptr},
                                                  {"forced_decoder_ids", nullptr},
                                                  {"num_beam_groups", 1},
                                                  {"do_sample", false},
                                                  {"forced_bos_token_id", nullptr},
                                                  {"suppress_tokens", nullptr},
                                                  {"begin_suppress_tokens", nullptr}};
  std::string lost;
  const auto add = [&](const char* key, const json& value) {
    lost += (lost.empty() ? "" : ", ") + std::string(key) +
            (value.is_primitive() ? " " + value.dump() : "");
  };
  for (const auto& [key, value] : neutral)
    if (key != kept && settings.has(key) && settings.value(key) != value)
      add(key, settings.value(key));
  const json pads = json::array({json::array({index_of(target.pieces, kPad)})}),
             words = settings.value("bad_words_ids");
  if (!words.is_null() && words != json::array() && words != pads) add("bad_words_ids", words);
  if (!lost.empty())
    model.losses.push_back(folder + ": settings of search that are not kept: " + lost);
}

void note_no_length(PortableModel& model, const std::string& folder, const JsonSettings& settings) {
  if (!settings.has("max_length") && !settings.has("max_new_tokens"))
    model.losses.push_back(folder +
                           ": has no max_length, with which transformers stops after 20 tokens; "
                           "imported with " +
                           std::to_string(kLengthMost));
}

// The piece that ends a sentence, by its number, or a list of one.
void check_eos(const JsonSettings& settings, const Vocabulary& target) {
  const char* const key = "eos_token_id";
  const json value = settings.value(key);
  const auto eos = index_of(target.pieces, target.eos);
  if (!value.is_null() && value != json(eos) && value != json::array({eos}))
    settings.refuse(key,
                    "the number of " + in_quotes(target.eos) + ", " + std::to_string(eos) + ",");
}

json transformers_settings(const Config& config, const char* type, const char* architecture) {
  return {{"model_type", type},
          {"architectures", {architecture}},
          {"is_encoder_decoder", true},
          {"d_model", config.d_model},
          {"encoder_layers", config.encoder_layers},
          {"decoder_layers", config.decoder_layers},
          {"num_hidden_layers", config.encoder_layers},
          {"encoder_attention_heads", config.heads},
          {"decoder_attention_heads", config.heads},
          {"encoder_ffn_dim", config.d_ff},
          {"decoder_ffn_dim", config.d_ff},
          {"activation_function", name_of(config.activation)},
          {"scale_embedding", config.scale_embeddings},
          {"vocab_size", config.source_vocab},
          {"tie_word_embeddings", config.embeddings != EmbeddingTies::none},
          {"forced_eos_token_id", nullptr},
          {"torch_dtype", "float32"}};
}

json transformers_search(const Config& config, int longest) {
  json search{{"num_beams", config.beam},
              {"max_length", std::min(longest, config.length_factor == 0 ? config.extra_length + 1
                                                                         : kLengthMost)}};
  if (config.length_penalty != LengthPenalty::paper)
    search["length_penalty"] = config.length_penalty == LengthPenalty::length ? config.alpha : 0;
  if (config.stop_when_full) search["early_stopping"] = true;
  return search;
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

PutTensor TransformersTensors::put() {
  return [this](const std::string& name, const Shape& shape, const std::vector<float>& values) {
    add(name, shape, values);
  };
}

void TransformersTensors::write(AtomicFile& file) const {
  std::vector<NamedTensor> named;
  for (const Tensor& tensor : all_)
    named.push_back({tensor.name, Dtype::f32, tensor.shape, tensor.values.data()});
  write_tensors(file, named, {{"format", "pt"}}, [&](std::size_t k) { return named[k].data; });
}

}  // namespace tt
