#include "exchange/comet.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/capitals.h"
#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/split.h"
#include "comet/comet_model.h"
#include "exchange/json_settings.h"
#include "exchange/marian_comet.h"
#include "exchange/tokenizer_pieces.h"
#include "exchange/torch_file.h"
#include "exchange/transformers.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kHparams = "hparams.yaml";
const std::string kState = "state_dict.", kEncoder = kState + "encoder.model.",
                  kMix = kState + "layerwise_attention.";

// The encoders that COMET's classes of models have, by the name of their own class.
struct EncoderKind {
  std::string_view name;
  int first_position;  // row of the table of positions that the first token has
  int spare_rows;      // of the embeddings, behind those of the pieces
};
// MiniLM has 250,037 rows for the 250,002 pieces of XLM-RoBERTa.
constexpr EncoderKind kEncoders[] = {{"XLM-RoBERTa", 2, 0}, {"MiniLM", 0, 35}};

// Settings that tensors do not tell, of encoders that are known by name.
struct KnownEncoder {
  const char* name;  // the end of its name
  int heads;
  double norm_epsilon;
};
constexpr KnownEncoder kKnown[] = {{"xlm-roberta-large", 16, 1e-5},
                                   {"xlm-roberta-base", 12, 1e-5},
                                   {"infoxlm-large", 16, 1e-5},
                                   {"infoxlm-base", 12, 1e-5},
                                   {"Multilingual-MiniLM-L12-H384", 12, 1e-12}};

std::string folder_of(const std::string& path) {
  if (is_folder(path)) return path;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const bool above = path.ends_with(".ckpt") || folder.filename() == "checkpoints";
  return (above ? folder.parent_path() : folder).string();
}

// The checkpoint of a folder: model.ckpt, or the only one.
std::string checkpoint_in(const std::string& path) {
  if (!is_folder(path)) return path;
  const std::string folder = path + "/checkpoints";
  if (file_exists(folder + "/model.ckpt")) return file_of_model(folder + "/model.ckpt");
  std::vector<std::string> found;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code))
    if (entry.path().extension() == ".ckpt") found.push_back(entry.path().string());
  if (found.size() != 1)
    throw Error(folder, ": has ", found.empty() ? "no" : "several",
                " checkpoints (*.ckpt), and no model.ckpt; ",
                found.empty() ? "a model of COMET has one" : "give one of them");
  return file_of_model(found[0]);
}

// The settings of a model: those of its checkpoint, or, where it has none, of hparams.yaml.
JsonSettings settings_of(const json& checkpoint, const JsonSettings& hparams,
                         const std::string& path) {
  json all = checkpoint.is_object() ? checkpoint.value("hyper_parameters", json()) : json();
  const bool own = all.is_object();
  if (!own) {
    // A value of YAML as JSON: true, 24, null, "mix".
    const auto as_json = [](const json& text) {
      json value = json::parse(text.get<std::string>(), nullptr, false);
      return value.is_discarded() ? text : value;
    };
    all = json::object();
    for (const std::string& key : hparams.keys()) {
      const json value = hparams.value(key);
      if (value.is_string()) all[key] = as_json(value);
      for (const json& item : value)
        if (value.is_array()) all[key].push_back(as_json(item));
    }
  }
  // unbabel-comet takes the name of this patch from hparams.yaml alone.
  if (hparams.list("layer_transformation") == std::vector<std::string>{"sparsemax_patch"})
    all["layer_transformation"] = "softmax";
  return JsonSettings::of_object(all, own ? path + ": its hyper_parameters" : hparams.path());
}

// The folder where the files of the encoder are: that of the model, or the one that it names.
std::string encoder_folder(const std::string& folder, const std::string& pretrained) {
  if (file_exists(folder + "/config.json") || !is_folder(pretrained)) return folder;
  return pretrained;
}

// Heads, epsilon and activation of an encoder, of which tensors say nothing.
void read_encoder_config(Config& config, const std::string& folder, const std::string& pretrained) {
  const std::string path = folder + "/config.json";
  if (!file_exists(path)) {
    const auto* known = std::ranges::find_if(
        kKnown, [&](const auto& each) { return pretrained.ends_with(each.name); });
    if (known == std::end(kKnown))
      throw Error(folder, ": has no config.json of its encoder, ", in_quotes(pretrained),
                  "; copy it from there");
    config.heads = known->heads;
    config.norm_epsilon = known->norm_epsilon;
    return;
  }
  const JsonSettings settings(path);
  read_settings(
      {kept("num_attention_heads", "heads"), kept("layer_norm_eps", "norm_epsilon", "1e-12"),
       kept("hidden_act", "activation", "gelu", transformers_activations())},
      values_of(settings), config);
  if (settings.text("position_embedding_type", "absolute") != "absolute")
    settings.refuse("position_embedding_type", "\"absolute\"");
  if (settings.integer("hidden_size", config.d_model, 1, 1 << 24) != config.d_model)
    settings.refuse("hidden_size", "that of the checkpoint, " + std::to_string(config.d_model));
}

Config read_encoder(const ForeignTensors& tensors, const std::string& folder,
                    const std::string& pretrained, const EncoderKind& kind) {
  const std::string embeddings = kEncoder + "embeddings.";
  Config config = comet_encoder();
  config.encoder_layers =
      tensors.layers(kEncoder + "encoder.layer.", ".output.dense.weight", "COMET");
  config.source_vocab = config.target_vocab =
      tensors.extent(embeddings + "word_embeddings.weight", 0);
  config.d_model = tensors.extent(embeddings + "word_embeddings.weight", 1);
  config.d_ff = tensors.extent(kEncoder + "encoder.layer.0.output.dense.weight", 1);
  config.max_length =
      tensors.extent(embeddings + "position_embeddings.weight", 0) - kind.first_position;
  read_encoder_config(config, folder, pretrained);
  if (config.d_model % config.heads != 0)
    throw Error(folder, ": its encoder is of width ", config.d_model, ", which ", config.heads,
                " heads do not divide; give the config.json of the encoder");
  return config;
}

// The place of a part in BERT and its successors.
ForeignPlace bert_place(const ParameterPart& part) {
  const std::string end = part.bias || part.role == Role::shift ? ".bias" : ".weight";
  if (part.layer == 0) {
    TT_CHECK(part.sublayer == Sublayer::embeddings);
    return {kEncoder + "embeddings.LayerNorm" + end};
  }
  const std::string layer = kEncoder + "encoder.layer." + std::to_string(part.layer - 1) + ".";
  const bool self = part.sublayer == Sublayer::self;
  const std::string sublayer = layer + (self ? "attention." : "");
  switch (part.role) {
    case Role::query: return {sublayer + "self.query" + end, !part.bias};
    case Role::key: return {sublayer + "self.key" + end, !part.bias};
    case Role::value: return {sublayer + "self.value" + end, !part.bias};
    case Role::hidden: return {layer + "intermediate.dense" + end, !part.bias};
    case Role::out: return {sublayer + "output.dense" + end, !part.bias};
    case Role::gain:
    case Role::shift: return {sublayer + "output.LayerNorm" + end};
    default: TT_CHECK(!"an encoder of this kind has no such part"); return {};
  }
}

// The factor of each layer: that of the mix, or one layer alone.
std::vector<float> read_mix(ForeignTensors& tensors, const JsonSettings& settings, int layers,
                            const char* key) {
  std::vector<float> mix(static_cast<std::size_t>(layers) + 1, 0.0f);
  if (settings.value(key).is_number()) {
    mix[settings.integer(key, 0, 0, layers)] = 1;
    return mix;
  }
  if (settings.text(key, "mix") != "mix") settings.refuse(key, "\"mix\" or the number of a layer");
  std::vector<float> scores;
  for (int i = 0; i <= layers; ++i)
    scores.push_back(tensors.take(kMix + "scalar_parameters." + std::to_string(i), {1})[0]);
  return comet_mix(scores, tensors.take(kMix + "gamma", {1})[0],
                   settings.text("layer_transformation", "softmax") == "sparsemax");
}

// The settings of the feed-forward network and of what is given to it, by the class of the model.
void read_estimator(CometSettings& comet, const JsonSettings& settings, const std::string& kind) {
  const bool joint = kind == "unified_metric";
  comet.input = joint                         ? CometInput::joint
                : kind == "regression_metric" ? CometInput::reference
                                              : CometInput::source;
  const std::string pool = joint ? "cls" : settings.text("pool", "avg");
  if (pool != "avg" && pool != "cls") settings.refuse("pool", "\"avg\" or \"cls\"");
  comet.pooling = pool == "cls" ? CometPooling::cls : CometPooling::average;
  const char* const layer = joint ? "sent_layer" : "layer";
  comet.layer_norm = settings.yes("layer_norm", true) && !settings.value(layer).is_number();
  for (const json& size : settings.value("hidden_sizes")) {
    if (!size.is_number_integer() || size < 1 || size > 1 << 20)
      settings.refuse("hidden_sizes", "a list of sizes");
    comet.hidden.push_back(size.get<int>());
  }
  if (comet.hidden.empty()) settings.refuse("hidden_sizes", "a list of sizes");
  const auto is = [](const std::string& name, const char* other) {
    return ascii_small(name) == other;
  };
  if (!is(settings.text("activations", "Tanh"), "tanh")) settings.refuse("activations", "\"Tanh\"");
  const std::string last = settings.text("final_activation", "");
  comet.final_activation = is(last, "tanh")      ? CometActivation::tanh
                           : is(last, "sigmoid") ? CometActivation::sigmoid
                                                 : CometActivation::none;
  if (comet.final_activation == CometActivation::none && !last.empty())
    settings.refuse("final_activation", "\"Tanh\", \"Sigmoid\" or null");
  if (!joint) return;
  comet.joins_source = comet.joins_reference = !settings.has("input_segments");
  for (const json& segment : settings.value("input_segments")) {
    if (segment == "src") comet.joins_source = true;
    else if (segment == "ref") comet.joins_reference = true;
    else if (segment != "mt") settings.refuse("input_segments", "\"mt\", \"src\" and \"ref\"");
  }
  if (!comet.joins_source && !comet.joins_reference)
    settings.refuse("input_segments", "\"mt\" and \"src\" or \"ref\"");
}

// The matrices of the feed-forward network: between two are an activation and dropout.
void take_estimator(PortableComet& model, ForeignTensors& tensors) {
  for (std::size_t i = 0; i <= model.comet.hidden.size(); ++i) {
    const std::string name = "estimator." + std::to_string(i + 1),
                      theirs = kState + "estimator.ff." + std::to_string(3 * i);
    StoredMatrix& ours = model.at(name);
    const std::int64_t inputs = ours.rows, outputs = ours.columns;
    const std::vector<float> weight = tensors.take(theirs + ".weight", {outputs, inputs});
    ours.values.resize(weight.size());
    for (std::int64_t o = 0; o < outputs; ++o)
      for (std::int64_t j = 0; j < inputs; ++j)
        ours.values[j * outputs + o] = weight[o * inputs + j];
    model.at(name + "_bias").values = tensors.take(theirs + ".bias", {outputs});
  }
}

// Embeddings, and positions with the type of a text that all tokens have.
void take_embeddings(PortableComet& model, ForeignTensors& tensors, const EncoderKind& kind) {
  const std::string embeddings = kEncoder + "embeddings.";
  const Config& config = model.config;
  const std::int64_t d = config.d_model;
  model.at(Stack::encoder, Role::embeddings).values =
      tensors.take(embeddings + "word_embeddings.weight", {config.source_vocab, d});
  const std::vector<float> positions = tensors.take(embeddings + "position_embeddings.weight",
                                                    {config.max_length + kind.first_position, d}),
                           types = tensors.take(embeddings + "token_type_embeddings.weight");
  if (static_cast<std::int64_t>(types.size()) < d)
    throw Error(tensors.path(), ": its token_type_embeddings are not of the width ", d);
  std::vector<float>& ours = model.at(Stack::encoder, Role::positions).values;
  ours.assign(positions.begin() + kind.first_position * d, positions.end());
  for (std::size_t i = 0; i < ours.size(); ++i) ours[i] += types[i % static_cast<std::size_t>(d)];
}

// Tensors of training, and of tasks beside the score.
void ignore_others(ForeignTensors& tensors) {
  for (const std::string& name : tensors.names())
    for (const char* other :
         {"layerwise_attention.dropout", "layerwise_attention.scalar_parameters",
          "layerwise_attention.gamma", "encoder.model.pooler.", "hidden2tag.",
          "encoder.model.embeddings.position_ids", "wordloss.", "sentloss.", "train_", "val_",
          "input_weights_spans"})
      if (name.starts_with(kState + other)) tensors.ignore({name});
}

// Throws Error if the pieces that SentencePiece numbers leave more rows without one than they may.
void check_spare_rows(const Vocabulary& vocabulary, const EncoderKind& kind) {
  const auto& pieces = vocabulary.pieces;
  const auto last = std::find_if(pieces.rbegin(), pieces.rend(),
                                 [](const std::string& piece) { return !piece.empty(); });
  if (last - pieces.rbegin() > kind.spare_rows)
    throw Error(vocabulary.path, ": has ", pieces.rend() - last,
                " pieces with special ones, but the model's embeddings have ", pieces.size(),
                " rows; they belong to other models");
}

std::string read_pieces(const Architecture& config, const EncoderKind& kind,
                        const std::string& subword, std::vector<std::string>& losses) {
  const std::string folder = std::filesystem::path(subword).parent_path().string();
  Vocabulary vocabulary = read_tokenizer_pieces(folder.empty() ? "." : folder, config.source_vocab,
                                                subword, PieceNumbers::fairseq);
  if (vocabulary.path == subword) check_spare_rows(vocabulary, kind);
  vocabulary.start = kBos;
  vocabulary.silent = {kBos, kPad, kMask};
  return number_pieces(read_subword(subword), vocabulary, SubwordSide::source, subword, &losses);
}

// The name of the model by that of its folder, which in the cache of Hugging Face is
// models--Unbabel--wmt22-comet-da/snapshots/HASH.
std::string name_of(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code code;
  fs::path path = fs::absolute(folder, code).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  if (path.parent_path().filename() == "snapshots") path = path.parent_path().parent_path();
  const std::string name = path.filename().string();
  const std::size_t cut = name.rfind("--");
  return cut == name.npos ? name : name.substr(cut + 2);
}

// The licence that the model's card names, or else the first line of its text.
std::string licence_of(const std::string& folder) {
  for (const char* name : {"/README.md", "/LICENSE"}) {
    if (!file_exists(folder + name)) continue;
    LineReader lines(file_of_model(folder + name));
    for (std::string line; lines.next(line);) {
      const std::string_view text = trimmed(line);
      if (std::string_view(name) == "/LICENSE" && !text.empty()) return std::string(text);
      if (text.starts_with("license:")) return std::string(trimmed(text.substr(8)));
    }
  }
  return "";
}

// Sets the model's name and licence, and notes this.
void describe(PortableComet& model, const std::string& path) {
  const std::string above = folder_of(path), folder = above.empty() ? "." : above;
  CometSettings& comet = model.comet;
  if (comet.name.empty()) comet.name = name_of(folder);
  comet.licence = licence_of(folder);
  const bool alone = comet.input == CometInput::source ||
                     (comet.input == CometInput::joint && !comet.joins_reference);
  model.notes.push_back(
      folder + (!comet.licence.empty() ? ": its licence is " + comet.licence
                : alone ? ": names no licence; models without references are mostly for research "
                          "alone"
                        : ": names no licence"));
}

}  // namespace

Config comet_encoder() {
  Config config;
  config.activation = Activation::gelu_erf;
  config.scale_embeddings = false;
  config.embedding_norm = true;
  config.attention_bias = true;
  config.positions = PositionKind::learned;
  config.source_bos = true;
  return config;
}

std::vector<float> comet_mix(const std::vector<float>& scores, float gamma, bool sparse) {
  std::vector<double> weights(scores.begin(), scores.end());
  if (sparse) {
    std::vector<double> sorted = weights;
    std::sort(sorted.rbegin(), sorted.rend());
    double sum = 0, threshold = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      sum += sorted[k];
      if (1 + static_cast<double>(k + 1) * sorted[k] <= sum) break;
      threshold = (sum - 1) / static_cast<double>(k + 1);
    }
    for (double& w : weights) w = std::max(w - threshold, 0.0);
  } else {
    const double most = *std::ranges::max_element(weights);
    double sum = 0;
    for (double& w : weights) sum += w = std::exp(w - most);
    for (double& w : weights) w /= sum;
  }
  std::vector<float> mix;
  for (const double w : weights) mix.push_back(static_cast<float>(static_cast<double>(gamma) * w));
  return mix;
}

bool is_comet(const std::string& path) {
  return (file_exists(folder_of(path) + "/" + kHparams) &&
          (is_folder(path) || path.ends_with(".ckpt"))) ||
         is_marian_comet(path);
}

PortableComet read_comet(const ImportRequest& request) {
  const bool marian = is_marian_comet(request.path);
  const std::size_t vocabularies =
      request.vocabularies.size() + (marian && !request.source_subword.empty());
  if (vocabularies > (marian ? 1 : 0) || !request.target_subword.empty() || request.source_eos)
    throw SettingError(request.path, ": is of COMET, whose encoder has one vocabulary, that of ",
                       Setting{"source_subword"}, "; omit ", Setting{"vocabulary"}, ", ",
                       Setting{"target_subword"}, " and ", Setting{"source_eos"});
  if (marian) {
    PortableComet model = read_marian_comet(request);
    describe(model, request.path);
    return model;
  }
  const std::string folder = folder_of(request.path), yaml = folder + "/" + kHparams;
  const JsonSettings hparams = JsonSettings::of_yaml(read_file(file_of_model(yaml)), yaml);
  const std::string kind = hparams.text("class_identifier", "");
  if (kind != "regression_metric" && kind != "referenceless_regression_metric" &&
      kind != "unified_metric")
    throw Error(yaml, ": class_identifier is ", in_quotes(kind),
                "; regression_metric, referenceless_regression_metric and unified_metric can be "
                "imported");
  auto [data, tensors] = read_torch_checkpoint(checkpoint_in(request.path), {"state_dict"});
  const JsonSettings settings = settings_of(data, hparams, tensors.path());
  const std::string encoder = settings.text("encoder_model", "XLM-RoBERTa"),
                    pretrained = settings.text("pretrained_model", "xlm-roberta-large");
  const auto* known = std::ranges::find(kEncoders, encoder, &EncoderKind::name);
  if (known == std::end(kEncoders))
    settings.refuse("encoder_model", "\"XLM-RoBERTa\" or \"MiniLM\"");

  PortableComet model;
  CometSettings& comet = model.comet;
  const std::string files = encoder_folder(folder, pretrained);
  model.config = comet.encoder = read_encoder(tensors, files, pretrained, *known);
  read_estimator(comet, settings, kind);
  comet.longest = model.config.max_length + known->first_position - 2;  // as max_positions there
  comet.longest_text = comet.longest - 2;
  check_config(model.config, tensors.path());
  const CometModel declared(comet);
  model.declare(declared.params(), declared.parts());
  take_embeddings(model, tensors, *known);
  read_layers(model, tensors, bert_place);
  model.at("mix").values = read_mix(tensors, settings, model.config.encoder_layers,
                                    comet.input == CometInput::joint ? "sent_layer" : "layer");
  take_estimator(model, tensors);
  ignore_others(tensors);
  tensors.check_all_taken();

  std::string subword = subword_if_any(folder, SubwordSide::source, request.source_subword);
  if (subword.empty()) subword = subword_if_any(files, SubwordSide::source, "");
  if (subword.empty())
    throw SettingError(files,
                       ": has no sentencepiece.bpe.model, that of its encoder; give it with ",
                       Setting{"source_subword"});
  model.source = model.target = read_pieces(model.config, *known, subword, model.losses);
  model.files = {tensors.path(), yaml, subword};
  describe(model, request.path);
  return model;
}

std::string summary(const PortableComet& model) {
  const Config& config = model.config;
  return "COMET that reads " +
         std::string(model.comet.input == CometInput::reference ? "source and reference"
                     : model.comet.input == CometInput::source  ? "the source"
                     : !model.comet.joins_reference             ? "the source, together"
                     : !model.comet.joins_source                ? "the reference, together"
                                                 : "source and reference, together") +
         ", " + std::to_string(config.encoder_layers) + " layers, " + std::to_string(config.heads) +
         " heads, width " + std::to_string(config.d_model) + ", " +
         std::to_string(config.source_vocab) + " pieces, " + with_commas(model.count()) +
         " parameters";
}

void write_comet(const PortableComet& model, const std::string& path, const std::string& origin) {
  const CometModel declared(model.comet);
  Metadata metadata = comet_metadata(model.comet);
  metadata["imported"] = origin;
  write_parameters(model, declared.params(), metadata, path, origin);
}

}  // namespace tt
