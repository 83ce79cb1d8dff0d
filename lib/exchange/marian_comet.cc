#include "exchange/marian_comet.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/setting.h"
#include "comet/comet_model.h"
#include "exchange/json_settings.h"
#include "exchange/marian_file.h"
#include "exchange/vocabulary.h"

namespace tt {
namespace {

constexpr double kNormEpsilon = 1e-5;
constexpr int kLongest = 512;  // tokens that pymarian reads, whatever the model has positions for
const std::string kEncoder = "CometEncoder->encoder->", kLinear = ")->as<marian::nn::Linear>()->";

// The file of a folder that was downloaded, or a file.
std::string file_of(const std::string& path) {
  return is_folder(path) ? path + "/checkpoints/marian.model.bin" : path;
}

std::string type_of(const JsonSettings& options) { return options.text("type", "transformer"); }

std::string layer_name(int layer) {
  return kEncoder + "layers->at(" + std::to_string(layer) +
         ")->as<marian::nn::TransformerEncoderLayer>()->";
}

// A matrix of the feed-forward network, between two of which are an activation and dropout.
std::string estimator_name(std::size_t matrix) {
  return "CometQEPooler->layers->at(" + std::to_string(3 * matrix) + kLinear;
}

// The options that these models have.
ForeignTable options_of(bool joint) {
  const ForeignTable joined{only("input-join-fields comet-use-separator", {"true"}, "false"),
                            only("separator-symbol", {"</s>"}, "[eos]")};
  return {joint ? joined : only("input-join-fields", {"false"}),
          only("transformer-preprocess transformer-postprocess-top", {""}),
          only("transformer-postprocess", {"an"}),
          only("transformer-postprocess-emb", {"n"}, ""),
          only("transformer-ffn-activation", {"gelu"}, "relu"),
          only("transformer-ffn-depth", {"2"}),
          only("transformer-train-position-embeddings comet-prepend-zero", {"true"}, "false"),
          only("transformer-attention-mask", {"default"}),
          only("comet-pool", {"avg", "cls"}),
          only("comet-mix-transformation", {"softmax", "sparsemax"}),
          only("transformer-no-bias transformer-no-affine right-left bert-train-type-embeddings "
               "transformer-disable-position-embeddings",
               {"false"}),
          kept("transformer-heads", "heads", "8")};
}

void read_options(Config& config, const JsonSettings& options) {
  const std::string type = type_of(options);
  if (type != "comet-qe" && type != "comet" && type != "comet-unified")
    throw Error(options.path(), ": its type is ", in_quotes(type),
                "; comet-qe, comet and comet-unified can be imported");
  const bool joint = type == "comet-unified";
  read_settings(options_of(joint), marian_values(options), config);
  const std::vector<std::string> order = options.list("input-reorder");
  if (joint && (order.size() < 2 || order[0] != "1" || order[1] != "0"))
    throw Error(options.path(),
                ": its option \"input-reorder\" does not put the translation before the source, "
                "which cannot be imported");
}

Config read_encoder(const JsonSettings& options, const ForeignTensors& tensors) {
  Config config = comet_encoder();
  read_options(config, options);
  const std::string first = layer_name(0), query = "selfAttentionBlock->selfAttention->qProj->";
  config.encoder_layers = tensors.layers(
      kEncoder + "layers->at(", first.substr(first.find(")->as")) + query + "weight", "Marian");
  config.source_vocab = config.target_vocab = tensors.extent("Wemb", 0);
  config.d_model = tensors.extent("Wemb", 1);
  config.d_ff = tensors.extent(first + "filterBlock->layers->at(0" + kLinear + "weight", 1);
  config.max_length = tensors.extent(kEncoder + "positionEmbedding->embeddings", 0);
  if (config.d_model % config.heads != 0) options.refuse("transformer-heads");
  config.norm_epsilon = kNormEpsilon;
  return config;
}

ForeignPlace place_of(const ParameterPart& part) {
  const std::string end = part.bias || part.role == Role::shift ? "bias" : "weight";
  if (part.layer == 0) return {kEncoder + "preprocessor->norm->" + end};
  const bool self = part.sublayer == Sublayer::self;
  const std::string block =
      layer_name(part.layer - 1) + (self ? "selfAttentionBlock->" : "filterBlock->");
  switch (part.role) {
    case Role::query: return {block + "selfAttention->qProj->" + end};
    case Role::key: return {block + "selfAttention->kProj->" + end};
    case Role::value: return {block + "selfAttention->vProj->" + end};
    case Role::hidden: return {block + "layers->at(0" + kLinear + end};
    case Role::out:
      return {block + (self ? "selfAttention->oProj->" : "layers->at(3" + kLinear) + end};
    case Role::gain:
    case Role::shift: return {block + "postprocessor->norm->" + end};
    default: TT_CHECK(!"an encoder of this kind has no such part"); return {};
  }
}

// Settings of what is done with the encoder's layers.
void read_estimator_settings(CometSettings& comet, const JsonSettings& options,
                             const ForeignTensors& tensors) {
  const std::string type = type_of(options);
  comet.input = type == "comet"      ? CometInput::reference
                : type == "comet-qe" ? CometInput::source
                                     : CometInput::joint;
  comet.joins_reference = false;
  comet.pooling =
      options.text("comet-pool", "avg") == "cls" ? CometPooling::cls : CometPooling::average;
  comet.layer_norm = options.yes("comet-mix-norm", false);
  comet.final_activation = options.yes("comet-final-sigmoid", false) ? CometActivation::sigmoid
                           : type == "comet-unified"                 ? CometActivation::clamp
                                                                     : CometActivation::none;
  for (std::size_t i = 0; tensors.has(estimator_name(i + 1) + "weight"); ++i)
    comet.hidden.push_back(tensors.extent(estimator_name(i) + "weight", 1));
}

// The factor of each layer: that of the mix, or the last alone.
std::vector<float> read_mix(const JsonSettings& options, ForeignTensors& tensors, int layers) {
  if (options.yes("comet-mix", false)) {
    const std::vector<float> scores = tensors.take(kEncoder + "weights", {layers + 1});
    return comet_mix(scores, tensors.take(kEncoder + "gamma", {1})[0],
                     options.text("comet-mix-transformation", "softmax") == "sparsemax");
  }
  std::vector<float> mix(static_cast<std::size_t>(layers) + 1, 0.0f);
  mix.back() = 1;
  return mix;
}

// The SentencePiece model: given, or beside the file, or in the folder above its own.
std::string vocabulary_path(const ImportRequest& request, const std::string& model) {
  if (!request.source_subword.empty()) return request.source_subword;
  if (!request.vocabularies.empty()) return request.vocabularies[0];
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(model).parent_path();
  for (const fs::path& each : {folder, folder.filename() == "checkpoints" ? folder / ".." : folder})
    for (const char* name : {"vocab.spm", "sentencepiece.bpe.model"})
      if (const std::string path = (each / name).string(); file_exists(path))
        return file_of_model(path);
  throw SettingError(model,
                     ": no vocab.spm, its SentencePiece model, lies beside it; give it with ",
                     Setting{"source_subword"});
}

// The name of a model that is a file "NAME.npz", or "model.NAME.bin", as pymarian keeps it; of a
// file with one of the usual names that of its folder counts.
std::string name_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).stem().string();
  if (name == "model" || name == "marian.model") return "";
  return name.starts_with("model.") ? name.substr(6) : name;
}

// Sets the subword model, and the embeddings of its pieces. Marian begins a text with piece 0,
// which is <unk> to SentencePiece; here it is <s>, which no text of Marian has.
void take_pieces(PortableComet& model, ForeignTensors& tensors, const std::string& path) {
  const std::string bytes = read_subword(path);
  Vocabulary vocabulary = vocabulary_of(bytes, path);
  const auto bos = std::ranges::find(vocabulary.pieces, kBos);
  if (bos == vocabulary.pieces.end())
    throw Error(path, ": has no piece ", kBos, "; it belongs to another model");
  check_rows(vocabulary, model.config.source_vocab);
  vocabulary.start = kBos;
  vocabulary.silent = {kBos};
  model.source = model.target =
      number_pieces(bytes, vocabulary, SubwordSide::source, path, &model.losses);
  std::vector<float>& rows = model.at(Stack::encoder, Role::embeddings).values;
  rows = tensors.take("Wemb", {model.config.source_vocab, model.config.d_model});
  std::copy_n(rows.begin(), model.config.d_model,
              rows.begin() + (bos - vocabulary.pieces.begin()) * model.config.d_model);
}

}  // namespace

bool is_marian_comet(const std::string& given) {
  const std::string path = file_of(given);
  if ((!path.ends_with(".npz") && !path.ends_with(".bin")) || !regular_file(path)) return false;
  try {
    const std::string type = type_of(JsonSettings::of_yaml(read_marian_file(path).options, path));
    return type.starts_with("comet") || type == "bleurt";
  } catch (const Error&) {
    return false;  // whose reader says what is wrong
  }
}

PortableComet read_marian_comet(const ImportRequest& request) {
  const std::string path = file_of(request.path);
  MarianFile file = read_marian_file(path);
  const JsonSettings options = JsonSettings::of_yaml(file.options, path + ": its options");
  ForeignTensors& tensors = file.tensors;
  PortableComet model;
  CometSettings& comet = model.comet;
  model.config = comet.encoder = read_encoder(options, tensors);
  read_estimator_settings(comet, options, tensors);
  comet.reading = CometReading::marian;
  comet.name = name_of(path);
  comet.longest = comet.longest_text = std::min(model.config.max_length, kLongest);
  check_config(model.config, path);
  const CometModel declared(comet);
  model.declare(declared.params(), declared.parts());

  const std::string subword = vocabulary_path(request, path);
  model.files = {path, subword};
  take_pieces(model, tensors, subword);
  model.at(Stack::encoder, Role::positions).values = tensors.take(
      kEncoder + "positionEmbedding->embeddings", {model.config.max_length, model.config.d_model});
  read_layers(model, tensors, place_of);
  model.at("mix").values = read_mix(options, tensors, model.config.encoder_layers);
  for (std::size_t i = 0; i <= comet.hidden.size(); ++i) {
    const std::string name = "estimator." + std::to_string(i + 1);
    StoredMatrix &weight = model.at(name), &bias = model.at(name + "_bias");
    weight.values = tensors.take(estimator_name(i) + "weight", {weight.rows, weight.columns});
    bias.values = tensors.take(estimator_name(i) + "bias", {bias.columns});
  }
  tensors.check_all_taken();
  return model;
}

}  // namespace tt
