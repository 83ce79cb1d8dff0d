// The paper's section 3, in its order: attention and feed-forward sub-layers (3.1 to 3.3), embeddings (3.4), positions (3.5), then the
// stacks of encoder and decoder. Rows are packed: the tokens of all sentences, one under the other, without padding, so the only mask is
// the causal one.
#include "model/transformer.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "model/positions.h"

namespace tt {

// ---- Parameters ------------------------------------------------------------------------------------------------------------------

Transformer::Transformer(const Config& config)
    : Model(config), d_(config.d_model), hk_(config.heads * config.key_size()), hv_(config.heads * config.value_size()),
      pre_norm_(config.norm == "pre") {
  const float deviation = 1 / std::sqrt(static_cast<float>(d_));
  const auto table = [&](const char* name, int vocabulary) { return params_.add(name, vocabulary, d_, Init::normal, deviation); };
  if (config.embeddings == "shared") {
    source_table_ = target_table_ = output_table_ = table("embeddings", config.source_vocab);
  } else {
    source_table_ = table("encoder.embeddings", config.source_vocab);
    target_table_ = table("decoder.embeddings", config.target_vocab);
    output_table_ = config.embeddings == "target" ? target_table_ : table("output", config.target_vocab);
  }
  if (config.positions == "learned") {
    source_places_ = params_.add("encoder.positions", config.max_length, d_, Init::normal, deviation);
    target_places_ = params_.add("decoder.positions", config.max_length, d_, Init::normal, deviation);
  }
  for (int i = 1; i <= config.encoder_layers; ++i) {
    const std::string name = "encoder." + std::to_string(i);
    encoder_.push_back({add_self_params(name + ".self"), add_ffn_params(name + ".ffn")});
  }
  if (pre_norm_) encoder_norm_ = add_norm_params("encoder.norm");
  const std::int64_t kv = config.decoder_layers * (hk_ + hv_);
  cross_kv_ = params_.add("decoder.cross.kv", d_, kv, Init::xavier, std::sqrt(0.5f), 2 * config.decoder_layers);
  if (config.attention_bias) cross_kv_bias_ = params_.add("decoder.cross.kv_bias", 1, kv, Init::zeros);
  for (int i = 1; i <= config.decoder_layers; ++i) {
    const std::string name = "decoder." + std::to_string(i), cross = name + ".cross";
    DecoderLayer layer;
    layer.self = add_self_params(name + ".self");
    layer.cross.q = params_.add(cross + ".q", d_, hk_, Init::xavier, std::sqrt(0.5f));
    if (config.attention_bias) layer.cross.q_bias = params_.add(cross + ".q_bias", 1, hk_, Init::zeros);
    layer.cross.out = params_.add(cross + ".out", hv_, d_, Init::xavier);
    if (config.attention_bias) layer.cross.out_bias = params_.add(cross + ".out_bias", 1, d_, Init::zeros);
    layer.cross.norm = add_norm_params(cross + ".norm");
    layer.ffn = add_ffn_params(name + ".ffn");
    decoder_.push_back(layer);
  }
  if (pre_norm_) decoder_norm_ = add_norm_params("decoder.norm");
  params_.create(config.seed);
}

Transformer::Norm Transformer::add_norm_params(const std::string& name) {
  return {params_.add(name + ".gain", 1, d_, Init::ones), params_.add(name + ".bias", 1, d_, Init::zeros)};
}

Transformer::SelfAttention Transformer::add_self_params(const std::string& name) {
  SelfAttention p;
  p.qkv = params_.add(name + ".qkv", d_, 2 * hk_ + hv_, Init::xavier, std::sqrt(0.5f), 3);
  if (config_.attention_bias) p.qkv_bias = params_.add(name + ".qkv_bias", 1, 2 * hk_ + hv_, Init::zeros);
  p.out = params_.add(name + ".out", hv_, d_, Init::xavier);
  if (config_.attention_bias) p.out_bias = params_.add(name + ".out_bias", 1, d_, Init::zeros);
  p.norm = add_norm_params(name + ".norm");
  return p;
}

Transformer::FeedForward Transformer::add_ffn_params(const std::string& name) {
  FeedForward p;
  p.in = params_.add(name + ".in", d_, config_.d_ff, Init::xavier);
  p.in_bias = params_.add(name + ".in_bias", 1, config_.d_ff, Init::zeros);
  p.out = params_.add(name + ".out", config_.d_ff, d_, Init::xavier);
  p.out_bias = params_.add(name + ".out_bias", 1, d_, Init::zeros);
  p.norm = add_norm_params(name + ".norm");
  return p;
}

// ---- 3.1 Sub-layers: LayerNorm(x + Dropout(Sublayer(x))), or with pre-norm x + Dropout(Sublayer(LayerNorm(x))) -----------------------

template <class Sublayer>
Var Transformer::residual(Tape& tape, Var x, const Norm& p, const Sublayer& sublayer) const {
  const auto rate = static_cast<float>(config_.dropout);
  if (pre_norm_) return tt::add_dropout(tape, x, sublayer(norm(tape, x, p.gain, p.bias)), rate);
  return add_norm(tape, x, sublayer(x), p.gain, p.bias, rate);
}

// ---- 3.2 Attention: H heads, queries and keys of d_k, values of d_v --------------------------------------------------------------

AttentionInputs Transformer::heads_of(Var q, Var kv) const {
  AttentionInputs in;
  in.q = q;
  in.kv = kv;
  in.heads = config_.heads;
  in.d_k = config_.key_size();
  in.d_v = config_.value_size();
  in.dropout = static_cast<float>(config_.attention_dropout);
  return in;
}

// ---- 3.3 Position-wise feed-forward: max(0, x W1 + b1) W2 + b2 --------------------------------------------------------------------

Var Transformer::feed_forward(Tape& tape, Var x, const FeedForward& p) const {
  const Activation kind = config_.activation == "gelu" ? Activation::gelu : Activation::relu;
  Var hidden = activation(tape, linear(tape, x, p.in), p.in_bias, kind, static_cast<float>(config_.ffn_dropout));
  return linear(tape, hidden, p.out, p.out_bias);
}

// ---- 3.4, 3.5 Embeddings times sqrt(D), plus positions ------------------------------------------------------------------------------

Transformer::Rows Transformer::lay_out(Tape& tape, const Side& side) const {
  const auto n = static_cast<std::int64_t>(side.tokens.size());
  auto* places = tape.array<std::int32_t>(n);
  for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b)
    for (std::int32_t r = side.offsets[b]; r < side.offsets[b + 1]; ++r) places[r] = r - side.offsets[b];
  return {side.tokens, {places, static_cast<std::size_t>(n)}};
}

const float* Transformer::positions(std::int64_t length) const {
  const std::lock_guard lock(positions_mutex_);
  if (length > positions_computed_) {
    positions_computed_ = std::max<std::int64_t>({length, 2 * positions_computed_, 512});
    std::vector<float> table(static_cast<std::size_t>(positions_computed_ * d_));
    const auto layout = config_.position_layout == "concatenated" ? PositionLayout::concatenated : PositionLayout::interleaved;
    sinusoidal_positions(table.data(), 0, positions_computed_, d_, layout);
    position_tables_.push_back(std::move(table));
  }
  return position_tables_.back().data();
}

Var Transformer::embed(Tape& tape, const Rows& rows, Param table, Param learned, std::int64_t longest) const {
  EmbedInputs in;
  in.tokens = rows.tokens;
  in.places = rows.places;
  in.table = table;
  in.scale = std::sqrt(static_cast<float>(d_));
  in.learned = learned;
  if (!learned) in.positions = positions(longest);
  else if (longest > learned.rows)
    throw Error("a sentence has ", longest, " tokens, but the model has learned positions for ", learned.rows);
  in.dropout = static_cast<float>(config_.dropout);
  return tt::embed(tape, in);
}

// ---- 3.1 The stacks ---------------------------------------------------------------------------------------------------------------

namespace {

std::int64_t longest(const Side& side) {
  std::int32_t most = 0;
  for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b) most = std::max(most, side.offsets[b + 1] - side.offsets[b]);
  return most;
}

// Sentence b's queries see sentence b's keys.
std::span<const Segment> pair_up(Tape& tape, const Side& queries, const Side& keys) {
  const std::size_t n = queries.offsets.size() - 1;
  auto* segments = tape.array<Segment>(static_cast<std::int64_t>(n));
  for (std::size_t b = 0; b < n; ++b)
    segments[b] = {queries.offsets[b], queries.offsets[b + 1], keys.offsets[b], keys.offsets[b + 1]};
  return {segments, n};
}

float* weights_for(const AttentionSink* sink, const char* kind, std::size_t layer, std::span<const Segment> segments, int heads) {
  if (!sink) return nullptr;
  std::int64_t floats = 0;
  for (const Segment& s : segments) floats += std::int64_t{heads} * (s.query_end - s.query_begin) * (s.key_end - s.key_begin);
  return (*sink)(kind, static_cast<int>(layer) + 1, floats);
}

}  // namespace

Var Transformer::encode(Tape& tape, const Side& source, const AttentionSink* sink) const {
  const Rows rows = lay_out(tape, source);
  const auto segments = pair_up(tape, source, source);
  const std::size_t begin = tape.mark();
  Var x = embed(tape, rows, source_table_, source_places_, longest(source));
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    const EncoderLayer& p = encoder_[i];
    x = residual(tape, x, p.self.norm, [&](Var y) {
      Var qkv = linear(tape, y, p.self.qkv, p.self.qkv_bias);
      AttentionInputs in = heads_of(qkv, qkv);
      in.k_column = hk_;
      in.v_column = 2 * hk_;
      in.segments = segments;
      return linear(tape, attention(tape, in, weights_for(sink, "encoder", i, segments, config_.heads)), p.self.out,
                    p.self.out_bias);
    });
    x = residual(tape, x, p.ffn.norm, [&](Var y) { return feed_forward(tape, y, p.ffn); });
    tape.keep(begin, x);
  }
  return pre_norm_ ? norm(tape, x, encoder_norm_.gain, encoder_norm_.bias) : x;
}

// One decoder layer. What attends is the caller's: a whole batch in training, or one row per hypothesis and a cache in search.
template <class SelfAttend, class CrossAttend>
Var Transformer::decoder_layer(Tape& tape, Var x, const DecoderLayer& p, const SelfAttend& self_attend,
                               const CrossAttend& cross_attend) const {
  x = residual(tape, x, p.self.norm, [&](Var y) {
    return linear(tape, self_attend(linear(tape, y, p.self.qkv, p.self.qkv_bias)), p.self.out, p.self.out_bias);
  });
  x = residual(tape, x, p.cross.norm, [&](Var y) {
    return linear(tape, cross_attend(linear(tape, y, p.cross.q, p.cross.q_bias)), p.cross.out, p.cross.out_bias);
  });
  return residual(tape, x, p.ffn.norm, [&](Var y) { return feed_forward(tape, y, p.ffn); });
}

Var Transformer::decode(Tape& tape, const Side& source, const Side& target, const AttentionSink* sink) const {
  Var memory = linear(tape, encode(tape, source, sink), cross_kv_, cross_kv_bias_);
  const Rows rows = lay_out(tape, target);
  const auto self = pair_up(tape, target, target), cross = pair_up(tape, target, source);
  const std::size_t begin = tape.mark();
  Var x = embed(tape, rows, target_table_, target_places_, longest(target));
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    x = decoder_layer(
        tape, x, decoder_[i],
        [&](Var qkv) {
          AttentionInputs in = heads_of(qkv, qkv);
          in.k_column = hk_;
          in.v_column = 2 * hk_;
          in.segments = self;
          in.causal = true;
          return attention(tape, in, weights_for(sink, "decoder", i, self, config_.heads));
        },
        [&](Var q) {
          AttentionInputs in = heads_of(q, memory);
          in.k_column = static_cast<std::int64_t>(i) * (hk_ + hv_);
          in.v_column = in.k_column + hk_;
          in.segments = cross;
          return attention(tape, in, weights_for(sink, "cross", i, cross, config_.heads));
        });
    tape.keep(begin, x);
  }
  return pre_norm_ ? norm(tape, x, decoder_norm_.gain, decoder_norm_.bias) : x;
}

LossSums Transformer::loss(Tape& tape, const Batch& batch, float scale) const {
  Var x = decode(tape, batch.source, batch.target_in, nullptr);
  return projected_loss(tape, x, output_table_, batch.target_out.tokens, static_cast<float>(config_.label_smoothing), scale);
}

void Transformer::attention_weights(Tape& tape, const Batch& batch, const AttentionSink& sink) const {
  decode(tape, batch.source, batch.target_in, &sink);
}

// ---- Decoding: the same layers with one row per hypothesis ----------------------------------------------------------------------

// Keys and values stay where their step computed them, one block per layer and step; hypothesis r's are found through slots_[r], so
// reordering copies integers only.
class TransformerState : public State {
 public:
  TransformerState(const Transformer& model, Tape& tape, const Side& source) : model_(model), tape_(tape), source_(source) {
    TT_CHECK(!tape.recording());
    const std::size_t begin = tape.mark();
    memory_ = linear(tape, model.encode(tape, source, nullptr), model.cross_kv_, model.cross_kv_bias_);
    tape.keep(begin, memory_);
    for (std::int32_t b = 0; b + 1 < static_cast<std::int32_t>(source.offsets.size()); ++b) sentence_.push_back(b);
    slots_.resize(sentence_.size());
    blocks_.resize(model.decoder_.size());
  }

  void step(std::span<const std::int32_t> tokens, int best, float* values, std::int32_t* pieces) override {
    const auto rows = static_cast<std::int64_t>(tokens.size());
    TT_CHECK(tokens.size() == sentence_.size());
    const auto time = static_cast<std::int32_t>(blocks_[0].size());
    const std::size_t begin = tape_.mark();
    places_.assign(tokens.size(), time);
    for (std::size_t r = 0; r < tokens.size(); ++r) slots_[r].push_back(static_cast<std::int32_t>(r));
    table_.clear();
    for (const auto& row : slots_) table_.insert(table_.end(), row.begin(), row.end());
    segments_.clear();
    for (std::int32_t r = 0; r < rows; ++r) {
      const auto b = static_cast<std::size_t>(sentence_[static_cast<std::size_t>(r)]);
      if (r > 0 && sentence_[static_cast<std::size_t>(r) - 1] == sentence_[static_cast<std::size_t>(r)])
        segments_.back().query_end = r + 1;
      else segments_.push_back({r, r + 1, source_.offsets[b], source_.offsets[b + 1]});
    }
    kept_.clear();
    Var x = model_.embed(tape_, {tokens, places_}, model_.target_table_, model_.target_places_, time + 1);
    for (std::size_t i = 0; i < model_.decoder_.size(); ++i)
      x = model_.decoder_layer(
          tape_, x, model_.decoder_[i],
          [&](Var qkv) {
            kept_.push_back(qkv);
            blocks_[i].push_back(qkv->value + model_.hk_);
            CachedAttention a;
            a.rows = rows;
            a.steps = time + 1;
            a.heads = model_.config_.heads;
            a.d_k = model_.config_.key_size();
            a.d_v = model_.config_.value_size();
            a.scale = 1 / std::sqrt(static_cast<float>(a.d_k));
            a.q = qkv->value;
            a.ldq = a.ld = qkv->columns;
            a.blocks = blocks_[i].data();
            a.value_column = model_.hk_;
            a.slots = table_.data();
            a.ld_slots = time + 1;
            Var y = tape_.make(rows, model_.hv_);
            tape_.backend().cached_attention(a, y->value);
            return y;
          },
          [&](Var q) {
            AttentionInputs in = model_.heads_of(q, memory_);
            in.k_column = static_cast<std::int64_t>(i) * (model_.hk_ + model_.hv_);
            in.v_column = in.k_column + model_.hk_;
            in.segments = segments_;
            return attention(tape_, in);
          });
    if (model_.pre_norm_) x = norm(tape_, x, model_.decoder_norm_.gain, model_.decoder_norm_.bias);
    projected_best(tape_, x, model_.output_table_, best, values, pieces);
    tape_.keep(begin, kept_);
  }

  void reorder(std::span<const std::int32_t> parents) override {
    std::vector<std::vector<std::int32_t>> slots;
    std::vector<std::int32_t> sentence;
    for (const std::int32_t parent : parents) {
      slots.push_back(slots_[static_cast<std::size_t>(parent)]);
      sentence.push_back(sentence_[static_cast<std::size_t>(parent)]);
    }
    slots_ = std::move(slots);
    sentence_ = std::move(sentence);
  }

 private:
  const Transformer& model_;
  Tape& tape_;
  const Side source_;
  Var memory_;                                     // [S, N (H K + H V)]: every layer's keys and values of the source
  std::vector<std::vector<const float*>> blocks_;  // [layer][step]: keys and values of the rows of that step
  std::vector<std::vector<std::int32_t>> slots_;   // [row][step]: which row of the block
  std::vector<std::int32_t> sentence_, places_, table_;
  std::vector<Segment> segments_;
  std::vector<Var> kept_;
};

std::unique_ptr<State> Transformer::start(Tape& tape, const Side& source) const {
  return std::make_unique<TransformerState>(*this, tape, source);
}

std::unique_ptr<Model> make_model(const Config& config) { return std::make_unique<Transformer>(config); }

}  // namespace tt
