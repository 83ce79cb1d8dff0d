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
    source_table_ =
        add_table("embeddings", Stack::encoder, Role::embeddings, config.source_vocab, d_);
  }
  const Scope encoder{"encoder", Stack::encoder, 0, Sublayer::none},
      decoder{"decoder", Stack::decoder, 0, Sublayer::none};
  if (config.output_bias && decodes) {
    output_bias_ = params_.add("output_bias", 1, output_table_.rows, Init::zeros);
    parts_.push_back({"output_bias", Stack::decoder, 0, Sublayer::none, Role::output, 0, true, 1, 0,
                      output_table_.rows});
  }
  if (config.positions == PositionKind::learned) {
    const auto add = [&](const char* name, Stack stack) {
      return add_table(name, stack, Role::positions, config.max_length, d_);
    };
    source_places_ = add("encoder.positions", Stack::encoder);
    if (decodes) target_places_ = add("decoder.positions", Stack::decoder);
  }
  if (config.embedding_norm) {
    source_norm_ = add_norm_params(encoder.inside("embeddings", Sublayer::embeddings));
    if (decodes) target_norm_ = add_norm_params(decoder.inside("embeddings", Sublayer::embeddings));
  }
  if (config.positions == PositionKind::relative) {
    const auto add = [&](const char* name, Stack stack) {
      return add_table(name, stack, Role::distances, config.heads, config.position_buckets);
    };
    source_distances_ = add("encoder.distances", Stack::encoder);
    if (decodes && !ssru_) target_distances_ = add("decoder.distances", Stack::decoder);
  }
  for (int i = 1; i <= config.encoder_layers; ++i) {
    const Scope layer{"encoder." + std::to_string(i), Stack::encoder, i, Sublayer::none};
    encoder_.push_back({add_self_attention(layer.inside("self", Sublayer::self)),
                        add_feed_forward(layer.inside("ffn", Sublayer::ffn))});
  }
  if (config.has_final_norm()) encoder_norm_ = add_norm_params(encoder);
  if (!decodes) return;
  add_keys_and_values();
  for (int i = 1; i <= config.decoder_layers; ++i) {
    const Scope layer{"decoder." + std::to_string(i), Stack::decoder, i, Sublayer::none};
    DecoderLayer p;
    if (ssru_) p.units = add_units(layer.inside("self", Sublayer::self));
    else p.self = add_self_attention(layer.inside("self", Sublayer::self));
    p.cross = add_cross_attention(layer.inside("cross", Sublayer::cross));
    p.ffn = add_feed_forward(layer.inside("ffn", Sublayer::ffn));
    decoder_.push_back(p);
  }
  if (config.has_final_norm()) decoder_norm_ = add_norm_params(decoder);
}

void Transformer::publish(const Scope& scope, const std::string& name, std::int64_t rows,
                          const Stretches& stretches, bool bias, std::int64_t column) {
  for (const Stretch& s : stretches) {
    parts_.push_back({name, scope.stack, scope.layer, scope.sublayer, s.role, s.index, bias, rows,
                      column, s.columns});
    column += s.columns;
  }
}

std::pair<Param, Param> Transformer::add_linear(const Scope& scope, const std::string& part,
                                                std::int64_t rows, const Stretches& stretches,
                                                bool bias, float scale, int blocks) {
  std::int64_t columns = 0;
  for (const Stretch& s : stretches) columns += s.columns;
  const std::string name = scope.name + "." + part;
  publish(scope, name, rows, stretches, false);
  const Param w = params_.add(name, rows, columns, Init::xavier, scale, blocks);
  if (!bias) return {w, {}};
  publish(scope, name + "_bias", 1, stretches, true);
  return {w, params_.add(name + "_bias", 1, columns, Init::zeros)};
}

Param Transformer::add_vector(const Scope& scope, const std::string& name, Role role,
                              std::int64_t columns, Init init) {
  publish(scope, scope.name + "." + name, 1, {{role, columns}}, false);
  return params_.add(scope.name + "." + name, 1, columns, init);
}

Param Transformer::add_table(const std::string& name, Stack stack, Role role, std::int64_t rows,
                             std::int64_t columns) {
  parts_.push_back({name, stack, 0, Sublayer::none, role, 0, false, rows, 0, columns});
  return params_.add(name, rows, columns, Init::normal, 1 / std::sqrt(static_cast<float>(d_)));
}

// Keys and values of all layers are one matrix, since the source is the same.
void Transformer::add_keys_and_values() {
  const int layers = config_.decoder_layers;
  const std::int64_t of_layer = hk_ + hv_;
  const auto publish_all = [&](const char* name, bool bias) {
    for (int i = 0; i < layers; ++i)
      publish({"", Stack::decoder, i + 1, Sublayer::cross}, name, bias ? 1 : d_,
              {{Role::key, hk_}, {Role::value, hv_}}, bias, i * of_layer);
  };
  w_kv_ =
      params_.add("decoder.cross.kv", d_, layers * of_layer, Init::xavier, kSmaller, 2 * layers);
  publish_all("decoder.cross.kv", false);
  if (!config_.attention_bias) return;
  b_kv_ = params_.add("decoder.cross.kv_bias", 1, layers * of_layer, Init::zeros);
  publish_all("decoder.cross.kv_bias", true);
}

Transformer::Norm Transformer::add_norm_params(const Scope& scope) {
  Norm p;
  p.gain = add_vector(scope, "norm.gain", Role::gain, d_, Init::ones);
  if (config_.norm_type == NormType::layer)
    p.bias = add_vector(scope, "norm.bias", Role::shift, d_, Init::zeros);
  p.epsilon = static_cast<float>(config_.norm_epsilon);
  p.type = config_.norm_type;
  return p;
}

Param Transformer::add_score(const Scope& scope) {
  return config_.scores == Scores::additive
             ? add_vector(scope, "score", Role::score, hk_, Init::xavier)
             : Param{};
}

Transformer::SelfAttention Transformer::add_self_attention(const Scope& scope) {
  SelfAttention p;
  const Stretches qkv{{Role::query, hk_}, {Role::key, hk_}, {Role::value, hv_}},
      out{{Role::out, d_}};
  const bool bias = config_.attention_bias;
  std::tie(p.w_qkv, p.b_qkv) = add_linear(scope, "qkv", d_, qkv, bias, kSmaller, 3);
  std::tie(p.w_o, p.b_o) = add_linear(scope, "out", hv_, out, bias);
  p.score = add_score(scope);
  p.distances = scope.stack == Stack::encoder ? source_distances_ : target_distances_;
  p.norm = add_norm_params(scope);
  return p;
}

// As in Kim et al. (2019) and in Marian the gate alone has a bias. The content's is there, and
// zero, since models of before may have one.
Transformer::RecurrentUnits Transformer::add_units(const Scope& scope) {
  RecurrentUnits p;
  const Stretches gates{{Role::content, d_}, {Role::forget, d_}};
  std::tie(p.gates, p.gates_bias) = add_linear(scope, "gates", d_, gates, true, 1, 2);
  params_.fix(p.gates_bias, d_);
  p.norm = add_norm_params(scope);
  return p;
}

Transformer::CrossAttention Transformer::add_cross_attention(const Scope& scope) {
  CrossAttention p;
  const Stretches q{{Role::query, hk_}}, out{{Role::out, d_}};
  std::tie(p.w_q, p.b_q) = add_linear(scope, "q", d_, q, config_.attention_bias, kSmaller);
  std::tie(p.w_o, p.b_o) = add_linear(scope, "out", hv_, out, config_.attention_bias);
  p.score = add_score(scope);
  p.norm = add_norm_params(scope);
  return p;
}

Transformer::FeedForward Transformer::add_feed_forward(const Scope& scope) {
  FeedForward p;
  for (int i = 1; i <= config_.ffn_layers; ++i) {
    const std::string name = i == 1 ? "in" : "hidden" + std::to_string(i);
    const Stretches hidden{{Role::hidden, config_.d_ff, i}};
    const std::int64_t inputs = i == 1 ? d_ : config_.d_ff;
    Hidden& h = p.hidden.emplace_back();
    std::tie(h.w1, h.b1) = add_linear(scope, name, inputs, hidden, config_.ffn_bias);
    if (!config_.ffn_gate) continue;
    const std::string gate = "gate" + (i == 1 ? "" : std::to_string(i));
    const Stretches gates{{Role::gate, config_.d_ff, i}};
    std::tie(h.wg, h.bg) = add_linear(scope, gate, inputs, gates, config_.ffn_bias);
  }
  const Stretches out{{Role::out, d_, config_.ffn_layers + 1}};
  std::tie(p.w2, p.b2) = add_linear(scope, "out", config_.d_ff, out, config_.ffn_bias);
  p.norm = add_norm_params(scope);
  return p;
}

}  // namespace tt
