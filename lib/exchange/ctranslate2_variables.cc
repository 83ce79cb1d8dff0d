#include "exchange/ctranslate2_variables.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/error.h"

namespace tt {
namespace {

// Biases of distances, buckets by heads, and the distance from which all have one bucket.
constexpr const char *kBias = "relative_attention_bias",
                     *kDistance = "relative_attention_max_distance",
                     *kFirst = "layer_0/self_attention/";

// One number that both sides have, and must agree in.
double both(ForeignTensors& tensors, const std::string& name, double otherwise) {
  const double encoder = scalar(tensors, "encoder/" + name, otherwise),
               decoder = scalar(tensors, "decoder/" + name, otherwise);
  if (encoder != decoder)
    throw Error(tensors.path(), ": encoder and decoder have different ", name, " (", encoder,
                " and ", decoder, "), which cannot be imported");
  return encoder;
}

bool is_close(double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); }

}  // namespace

std::string side_of(bool decoder) { return decoder ? "decoder" : "encoder"; }

double scalar(ForeignTensors& tensors, std::string name, double otherwise) {
  if (!tensors.has(name) && tensors.has(name.substr(name.find('/') + 1)))
    name = name.substr(name.find('/') + 1);
  if (!tensors.has(name)) return otherwise;
  if (elements(tensors.shape(name)) != 1)
    throw Error(tensors.path(), ": ", in_quotes(name), " should be one number, but is ",
                to_string(tensors.shape(name)));
  return tensors.take(name)[0];
}

ForeignValues values_of(CTranslate2File& file, const ForeignTable& table, int d_model) {
  ForeignTensors& tensors = file.variables;
  const auto text = [&, d_model](const std::string& key) {
    const auto row = std::ranges::find_if(table, [&](const auto& r) { return r.key == key; });
    double otherwise = std::stod(row->missing);
    if (key == "num_heads" && file.heads > 0) otherwise = file.heads;
    const bool scale = key == "scale_embeddings";
    if (scale) otherwise = both(tensors, "embeddings/multiply_by_sqrt_depth", otherwise);
    double value =
        key.find('/') == key.npos ? both(tensors, key, otherwise) : scalar(tensors, key, otherwise);
    if (scale && is_close(value, std::sqrt(static_cast<double>(d_model)))) value = 1;
    std::ostringstream shown;
    shown << value;
    return std::optional(shown.str());
  };
  return {tensors.path(), text, [&, text](const std::string& key, const std::string& possible) {
            throw Error(tensors.path(), ": its ", in_quotes(key), " ", *text(key),
                        " cannot be imported", possible.empty() ? "" : "; " + possible + " can");
          }};
}

ForeignPlace ctranslate2_place(const ParameterPart& part) {
  std::string name = side_of(part.stack == Stack::decoder) + "/";
  if (part.layer > 0) name += "layer_" + std::to_string(part.layer - 1) + "/";
  if (part.layer > 0)
    name += part.sublayer == Sublayer::self    ? "self_attention/"
            : part.sublayer == Sublayer::cross ? "attention/"
                                               : "ffn/";
  if (part.role == Role::gain || part.role == Role::shift)
    return {name +
            (part.sublayer == Sublayer::embeddings ? "layernorm_embedding/" : "layer_norm/") +
            (part.role == Role::gain ? "gamma" : "beta")};
  // Of the first layer; the others have the same.
  if (part.role == Role::distances) return {name + kFirst + kBias, true};
  const bool self = part.sublayer == Sublayer::self;
  const int number = part.role == Role::query ? 0 : part.role == Role::key ? 1 : 2;
  ForeignPlace place;
  if (part.role == Role::gate) name += "linear_0_noact";
  else if (part.sublayer == Sublayer::ffn) name += "linear_" + std::to_string(part.index - 1);
  else if (part.role == Role::out) name += self ? "linear_1" : "linear_2";
  else if (self) name += "linear_0", place.number = number, place.count = 3;
  else if (number == 0) name += "linear_0";
  else name += "linear_1", place.number = number - 1, place.count = 2;
  place.name = name + (part.bias ? "/bias" : "/weight");
  place.transposed = !part.bias, place.may_lack = part.bias;
  return place;
}

namespace {

// A number that each of `count` sub-layers has, or none of them.
std::optional<double> of_layers(ForeignTensors& tensors, const std::string& name, int count) {
  std::optional<double> common;
  int found = 0;
  for (const std::string& tensor : tensors.names()) {
    if (!tensor.ends_with("/" + name)) continue;
    const double value = scalar(tensors, tensor, 0);
    if (found++ > 0 && value != *common)
      throw Error(tensors.path(), ": layers have different ", name, " (", *common, " and ", value,
                  "), which cannot be imported");
    common = value;
  }
  if (found != 0 && found != count)
    throw Error(tensors.path(), ": only ", found, " of ", count, " layers have ", name,
                ", which cannot be imported");
  return common;
}

// The width of heads, and what scores and the output are multiplied by.
void read_scales(Architecture& config, ForeignTensors& tensors) {
  const std::string& path = tensors.path();
  const std::int64_t rows = tensors.extent("encoder/layer_0/self_attention/linear_0/weight", 0);
  const bool own = rows != 3 * config.d_model;
  if (config.heads < 1 || (own ? rows % (3 * config.heads) : config.d_model % config.heads) != 0)
    throw Error(path, ": its width ", own ? rows / 3 : config.d_model, " is not divisible by its ",
                config.heads, " heads");
  if (own) config.d_k = config.d_v = static_cast<int>(rows / (3 * config.heads));
  const double usual = 1 / std::sqrt(static_cast<double>(config.d_model / config.heads)),
               scale = of_layers(tensors, "queries_scale",
                                 config.encoder_layers + 2 * config.decoder_layers)
                           .value_or(usual);
  if (scale == 1) config.scores = Scores::dot;
  else if (!is_close(scale, 1 / std::sqrt(static_cast<double>(config.key_size()))))
    throw Error(path, ": its \"queries_scale\" ", scale, " cannot be imported; 1, or 1 / sqrt(",
                config.key_size(), ") can");
  const double output = scalar(tensors, "decoder/scale_outputs", 1);
  config.scale_output = is_close(output, 1 / std::sqrt(static_cast<double>(config.d_model)));
  if (!config.scale_output && output != 1)
    throw Error(path, ": its \"scale_outputs\" ", output, " cannot be imported; 1, or 1 / sqrt(",
                config.d_model, ") can");
}

// Biases of distances, which are those of the first layer in all others.
void read_distances(Architecture& config, ForeignTensors& tensors) {
  if (!tensors.has(std::string("encoder/") + kFirst + kBias)) return;
  config.positions = PositionKind::relative;
  const std::string& path = tensors.path();
  for (const bool decoder : {false, true}) {
    const std::string first = side_of(decoder) + "/" + kFirst + kBias;
    config.position_buckets = tensors.extent(first, 0);
    const Shape shape{config.position_buckets, config.heads};
    const StoredNumbers numbers = tensors.later(first, shape);
    for (int k = 1; k < (decoder ? config.decoder_layers : config.encoder_layers); ++k) {
      const std::string name =
          side_of(decoder) + "/layer_" + std::to_string(k) + "/self_attention/" + kBias;
      if (!(tensors.later(name, shape) == numbers))
        throw Error(path, ": its layers have different biases of distances (", in_quotes(name),
                    "), as those of UMT5 have, which cannot be imported");
    }
  }
  config.position_distance = static_cast<int>(
      of_layers(tensors, kDistance, config.encoder_layers + config.decoder_layers).value_or(0));
}

}  // namespace

void read_attention(Architecture& config, ForeignTensors& tensors) {
  read_scales(config, tensors);
  read_distances(config, tensors);
}

void write_attention(const Architecture& config, bool decoder, CTranslate2Writer& file) {
  const std::string side = side_of(decoder) + "/";
  const bool own =
      config.scores == Scores::dot || config.key_size() * config.heads != config.d_model;
  const float scale =
      config.scores == Scores::dot ? 1 : 1 / std::sqrt(static_cast<float>(config.key_size()));
  const int layers = decoder ? config.decoder_layers : config.encoder_layers;
  for (int k = 0; k < layers; ++k) {
    const std::string layer = side + "layer_" + std::to_string(k) + "/",
                      self = layer + "self_attention/";
    if (own) file.add(self + "queries_scale", {}, {scale});
    if (own && decoder) file.add(layer + "attention/queries_scale", {}, {scale});
    if (config.positions != PositionKind::relative) continue;
    file.add(self + kDistance, config.position_distance);
    if (k > 0) file.alias(self + kBias, side + kFirst + kBias);
  }
}

}  // namespace tt
