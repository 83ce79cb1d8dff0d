// The parameters of a Transformer: their names, shapes and first values, and what each stretch of
// columns is for.
#include <cmath>
#include <tuple>

#include "model/transformer.h"

namespace tt {
namespace {

// Queries, keys and values begin smaller than Glorot's by the square root of 1/2 (as in fairseq).
const float kSmaller = std::sqrt(0.5f);

}  // namespace

Transformer::Transformer(const Config& config, Stacks stacks)
    : Model(config), d_(config.d_model), hk_(config.heads * config.key_size()),
      hv_(config.heads * config.value_size()), pre_norm_(config.norm == NormPlace::pre),
      ssru_(config.decoder_self == DecoderSelf::ssru) {
  const bool decodes = stacks == Stacks::both;
  if (decodes) {
    const Tables tables = add_tables();
    source_table_ = tables.source, target_table_ = tables.target, output_table_ = tables.output;
  } else {  // nothing is multiplied by these embeddings, which so have no other form than float32
    parts_.push_back({"embeddings", Stack::encoder, 0, Sublayer::none, Role::embeddings, 0, false,
                      config.source_vocab, 0, d_});
    source_table_ = params_.add("embeddings", config.source_vocab, d_, Init::normal,
                                1 / std::sqrt(static_cast<float>(d_)));
  }
  const Place encoder{"encoder", Stack::encoder, 0, Sublayer::none},
      decoder{"decoder", Stack::decoder, 0, Sublayer::none};
  if (config.output_bias && decodes) {
    output_bias_ = params_.add("output_bias", 1, output_table_.rows, Init::zeros);
    parts_.push_back({"output_bias", Stack::decoder, 0, Sublayer::none, Role::output, 0, true, 1, 0,
                      output_table_.rows});
  }
  if (config.positions == PositionKind::learned) {
    source_places_ = add_positions(Stack::encoder);
    if (decodes) target_places_ = add_positions(Stack::decoder);
  }
  if (config.embedding_norm) {
    source_norm_ = add_norm_params(encoder.inside("embeddings", Sublayer::embeddings));
    if (decodes) target_norm_ = add_norm_params(decoder.inside("embeddings", Sublayer::embeddings));
  }
  if (config.positions == PositionKind::relative) {
    source_distances_ = add_distances(Stack::encoder);
    if (decodes && !ssru_) target_distances_ = add_distances(Stack::decoder);
  }
  for (int i = 1; i <= config.encoder_layers; ++i) {
    const Place layer{"encoder." + std::to_string(i), Stack::encoder, i, Sublayer::none};
    encoder_.push_back({add_self_attention(layer.inside("self", Sublayer::self)),
                        add_feed_forward(layer.inside("ffn", Sublayer::ffn))});
  }
  if (config.has_final_norm()) encoder_norm_ = add_norm_params(encoder);
  if (!decodes) return;
  // Keys and values of all layers are one matrix, since the source is the same.
  Stretches all;
  for (int i = 0; i < config.decoder_layers; ++i)
    all.insert(all.end(), {{Role::key, hk_}, {Role::value, hv_}});
  const auto of_layers = [&](const char* name, bool bias) {
    std::int64_t column = 0;
    for (std::size_t i = 0; i < all.size(); column += all[i++].columns)
      parts_.push_back({name, Stack::decoder, static_cast<int>(i) / 2 + 1, Sublayer::cross,
                        all[i].role, 0, bias, bias ? 1 : d_, column, all[i].columns});
  };
  const std::int64_t kv = config.decoder_layers * (hk_ + hv_);
  w_kv_ =
      params_.add("decoder.cross.kv", d_, kv, Init::xavier, kSmaller, 2 * config.decoder_layers);
  of_layers("decoder.cross.kv", false);
  if (config.attention_bias) {
    b_kv_ = params_.add("decoder.cross.kv_bias", 1, kv, Init::zeros);
    of_layers("decoder.cross.kv_bias", true);
  }
  for (int i = 1; i <= config.decoder_layers; ++i) {
    const Place layer{"decoder." + std::to_string(i), Stack::decoder, i, Sublayer::none};
    DecoderLayer p;
    if (ssru_) p.units = add_units(layer.inside("self", Sublayer::self));
    else p.self = add_self_attention(layer.inside("self", Sublayer::self));
    p.cross = add_cross_attention(layer.inside("cross", Sublayer::cross));
    p.ffn = add_feed_forward(layer.inside("ffn", Sublayer::ffn));
    decoder_.push_back(p);
  }
  if (config.has_final_norm()) decoder_norm_ = add_norm_params(decoder);
}

void Transformer::publish(const Place& place, const std::string& name, std::int64_t rows,
                          const Stretches& stretches, bool bias) {
  std::int64_t column = 0;
  for (const Stretch& s : stretches) {
    parts_.push_back({name, place.stack, place.layer, place.sublayer, s.role, s.index, bias, rows,
                      column, s.columns});
    column += s.columns;
  }
}

std::pair<Param, Param> Transformer::add_linear(const Place& place, const std::string& part,
                                                std::int64_t rows, const Stretches& stretches,
                                                bool bias, float scale, int blocks) {
  std::int64_t columns = 0;
  for (const Stretch& s : stretches) columns += s.columns;
  const std::string name = place.name + "." + part;
  publish(place, name, rows, stretches, false);
  const Param w = params_.add(name, rows, columns, Init::xavier, scale, blocks);
  if (!bias) return {w, {}};
  publish(place, name + "_bias", 1, stretches, true);
  return {w, params_.add(name + "_bias", 1, columns, Init::zeros)};
}

Param Transformer::add_vector(const Place& place, const std::string& name, Role role,
                              std::int64_t columns, Init init) {
  publish(place, place.name + "." + name, 1, {{role, columns}}, false);
  return params_.add(place.name + "." + name, 1, columns, init);
}

Param Transformer::add_positions(Stack stack) {
  const std::string name =
      std::string(stack == Stack::encoder ? "encoder" : "decoder") + ".positions";
  parts_.push_back(
      {name, stack, 0, Sublayer::none, Role::positions, 0, false, config_.max_length, 0, d_});
  return params_.add(name, config_.max_length, d_, Init::normal,
                     1 / std::sqrt(static_cast<float>(d_)));
}

Param Transformer::add_distances(Stack stack) {
  const char* const name = stack == Stack::encoder ? "encoder.distances" : "decoder.distances";
  const int buckets = config_.position_buckets;
  parts_.push_back(
      {name, stack, 0, Sublayer::none, Role::distances, 0, false, config_.heads, 0, buckets});
  return params_.add(name, config_.heads, buckets, Init::normal,
                     1 / std::sqrt(static_cast<float>(d_)));
}

Transformer::Norm Transformer::add_norm_params(const Place& place) {
  Norm p;
  p.gain = add_vector(place, "norm.gain", Role::gain, d_, Init::ones);
  if (config_.norm_type == NormType::layer)
    p.bias = add_vector(place, "norm.bias", Role::shift, d_, Init::zeros);
  p.epsilon = static_cast<float>(config_.norm_epsilon);
  p.type = config_.norm_type;
  return p;
}

Param Transformer::add_score(const Place& place) {
  return config_.scores == Scores::additive
             ? add_vector(place, "score", Role::score, hk_, Init::xavier)
             : Param{};
}

Transformer::SelfAttention Transformer::add_self_attention(const Place& place) {
  SelfAttention p;
  const Stretches qkv{{Role::query, hk_}, {Role::key, hk_}, {Role::value, hv_}},
      out{{Role::out, d_}};
  const bool bias = config_.attention_bias;
  std::tie(p.w_qkv, p.b_qkv) = add_linear(place, "qkv", d_, qkv, bias, kSmaller, 3);
  std::tie(p.w_o, p.b_o) = add_linear(place, "out", hv_, out, bias);
  p.score = add_score(place);
  p.distances = place.stack == Stack::encoder ? source_distances_ : target_distances_;
  p.norm = add_norm_params(place);
  return p;
}

// As in Kim et al. (2019) and in Marian the gate alone has a bias. The content's is there, and
// zero, since models of before may have one.
Transformer::RecurrentUnits Transformer::add_units(const Place& place) {
  RecurrentUnits p;
  const Stretches gates{{Role::content, d_}, {Role::forget, d_}};
  std::tie(p.gates, p.gates_bias) = add_linear(place, "gates", d_, gates, true, 1, 2);
  params_.fix(p.gates_bias, d_);
  p.norm = add_norm_params(place);
  return p;
}

Transformer::CrossAttention Transformer::add_cross_attention(const Place& place) {
  CrossAttention p;
  const Stretches q{{Role::query, hk_}}, out{{Role::out, d_}};
  std::tie(p.w_q, p.b_q) = add_linear(place, "q", d_, q, config_.attention_bias, kSmaller);
  std::tie(p.w_o, p.b_o) = add_linear(place, "out", hv_, out, config_.attention_bias);
  p.score = add_score(place);
  p.norm = add_norm_params(place);
  return p;
}

Transformer::FeedForward Transformer::add_feed_forward(const Place& place) {
  FeedForward p;
  for (int i = 1; i <= config_.ffn_layers; ++i) {
    const std::string name = i == 1 ? "in" : "hidden" + std::to_string(i);
    const Stretches hidden{{Role::hidden, config_.d_ff, i}};
    const std::int64_t inputs = i == 1 ? d_ : config_.d_ff;
    Hidden& h = p.hidden.emplace_back();
    std::tie(h.w1, h.b1) = add_linear(place, name, inputs, hidden, config_.ffn_bias);
    if (!config_.ffn_gate) continue;
    const std::string gate = "gate" + (i == 1 ? "" : std::to_string(i));
    const Stretches gates{{Role::gate, config_.d_ff, i}};
    std::tie(h.wg, h.bg) = add_linear(place, gate, inputs, gates, config_.ffn_bias);
  }
  const Stretches out{{Role::out, d_, config_.ffn_layers + 1}};
  std::tie(p.w2, p.b2) = add_linear(place, "out", config_.d_ff, out, config_.ffn_bias);
  p.norm = add_norm_params(place);
  return p;
}

}  // namespace tt
