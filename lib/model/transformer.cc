// The paper's section 3, in its order: attention and feed-forward sub-layers (3.1 to 3.3),
// embeddings (3.4), positions (3.5), then the stacks of encoder and decoder. Rows are packed: the
// tokens of all sentences, one after another, without padding, so the only masks are the causal one
// and that of a window.
#include "model/transformer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "model/attended.h"
#include "model/decoder_cache.h"
#include "model/positions.h"
#include "model/segments.h"
#include "nn/recurrent.h"

namespace tt {

// ---- 3.1 Sub-layers: Norm(x + Dropout(Sublayer(x))), or x + Dropout(Sublayer(Norm(x))) ----------

template <class Sublayer>
Var Transformer::residual(Tape& tape, Var x, const Norm& p, const Sublayer& sublayer) const {
  const auto rate = static_cast<float>(config_.dropout);
  if (pre_norm_) return tt::add_dropout(tape, x, sublayer(norm(tape, x, p)), rate);
  return add_norm(tape, x, sublayer(x), p, rate);
}

// ---- 3.2 Attention: H heads, queries and keys of d_k, values of d_v, scores of 3.2.1 ------------

AttentionInputs Transformer::reads(Var q, Var kv, std::int64_t column, const Heads& heads,
                                   const Segments& segments) const {
  AttentionInputs in;
  static_cast<Heads&>(in) = heads;
  in.q = q;
  in.kv = kv;
  in.k_column = column;
  in.v_column = column + hk_;
  in.segments = segments;
  return in;
}

Var Transformer::attend_self(Tape& tape, Var qkv, const SelfAttention& p, const Segments& segments,
                             bool causal, float* weights) const {
  AttentionInputs in = reads(qkv, qkv, hk_, heads(p), segments);
  in.causal = causal;
  return attention(tape, in, weights);
}

Var Transformer::attend_source(Tape& tape, Var q, Var memory, std::size_t layer,
                               const Segments& segments, float* weights) const {
  const std::int64_t column = static_cast<std::int64_t>(layer) * (hk_ + hv_);
  const Heads all = heads(decoder_[layer].cross.score);
  return attention(tape, reads(q, memory, column, all, segments), weights);
}

// The head that aligns is trained to attend to what its query's token is linked to.
void Transformer::guide(Tape& tape, Var q, Var memory, const Segments& segments,
                        const Guidance& guidance) const {
  const Heads all = heads(Param{});
  AlignmentInputs in;
  in.q = q;
  in.k = memory;
  in.q_column = (config_.alignment_head - 1) * all.d_k;
  in.k_column = (config_.alignment_layer - 1) * (hk_ + hv_) + in.q_column;
  in.d_k = all.d_k;
  in.scale = all.scale;
  in.segments = segments;
  in.begins = guidance.links.begins;
  in.linked = guidance.links.sources;
  in.weight = guidance.weight;
  in.sum = guidance.sum;
  alignment_loss(tape, in);
}

Heads Transformer::heads(Param score, Param distances) const {
  Heads h;
  h.heads = config_.heads;
  h.d_k = config_.key_size();
  h.d_v = config_.value_size();
  if (config_.scores == Scores::scaled) h.scale = 1 / std::sqrt(static_cast<float>(h.d_k));
  h.additive = score;
  h.bias = distances;
  if (distances) h.buckets = buckets(distances), h.far = config_.position_distance;
  h.dropout = static_cast<float>(config_.attention_dropout);
  return h;
}

const std::int32_t* Transformer::buckets(Param distances) const {
  const std::lock_guard lock(positions_mutex_);
  const bool source = distances.index == source_distances_.index;
  auto& on_device = source ? source_buckets_ : target_buckets_;
  if (!on_device) {
    const auto all = distance_buckets(config_.position_buckets, config_.position_distance, source);
    on_device.emplace(params_.backend(), std::span<const std::int32_t>(all));
  }
  return on_device->data();
}

// ---- 3.3 Position-wise feed-forward: max(0, x W1 + b1) W2 + b2 ----------------------------------

// With a gate what is activated is multiplied by x Wg (Dauphin et al. 2017; Shazeer 2020).
Var Transformer::feed_forward(Tape& tape, Var x, const FeedForward& p) const {
  const auto rate = static_cast<float>(config_.ffn_dropout);
  for (const Hidden& h : p.hidden) {
    const bool gated{h.gate};
    Var hidden = activation(tape, x, h.weight, h.bias, config_.activation, rate, gated);
    x = gated ? multiply(tape, hidden, linear(tape, x, h.gate, h.gate_bias)) : hidden;
  }
  return linear(tape, x, p.out, p.out_bias);
}

// ---- 3.4, 3.5 Embeddings times sqrt(D), plus positions ------------------------------------------

std::optional<std::int32_t> Transformer::start_token() const {
  return config_.start == StartSymbol::zero ? std::optional(-1) : std::nullopt;
}

Transformer::Rows Transformer::lay_out(Tape& tape, const Side& side,
                                       std::optional<std::int32_t> begins) const {
  TT_CHECK(side.offsets.size() > 1);
  const auto places = tape.host_array<std::int32_t>(side.rows());
  std::int32_t longest = 0;
  for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b) {
    longest = std::max(longest, side.offsets[b + 1] - side.offsets[b]);
    for (std::int32_t r = side.offsets[b]; r < side.offsets[b + 1]; ++r)
      places[static_cast<std::size_t>(r)] = r - side.offsets[b];
  }
  const std::int32_t* tokens = tape.upload(std::span(side.tokens));
  if (begins) {
    const auto changed = tape.host_array<std::int32_t>(side.rows());
    std::copy(side.tokens.begin(), side.tokens.end(), changed.begin());
    for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b)
      changed[static_cast<std::size_t>(side.offsets[b])] = *begins;
    tokens = tape.upload(std::span<const std::int32_t>(changed));
  }
  return {side.rows(), longest, tokens, tape.upload(std::span<const std::int32_t>(places))};
}

ConstMatrix Transformer::positions(std::int64_t length) const {
  const std::lock_guard lock(positions_mutex_);
  if (length > positions_computed_) {
    const std::int64_t rows = std::max<std::int64_t>({length, 2 * positions_computed_, 512});
    std::vector<float> table(static_cast<std::size_t>(rows * d_));
    if (config_.positions == PositionKind::sinusoidal)
      sinusoidal_positions(table.data(), config_.first_position, rows, d_, config_.position_layout);
    position_tables_.emplace_back(params_.backend(), std::span<const float>(table));
    positions_computed_ = rows;
  }
  return float32(position_tables_.back().data(), positions_computed_, d_);
}

Var Transformer::embed(Tape& tape, const Rows& rows, Stack stack) const {
  const bool source = stack == Stack::encoder;
  const Param learned = source ? source_places_ : target_places_;
  EmbedInputs in;
  in.rows = rows.count;
  in.tokens = rows.tokens;
  in.places = rows.places;
  in.table = source ? source_table_ : target_table_;
  in.scale = config_.scale_embeddings ? std::sqrt(static_cast<float>(d_)) : 1;
  in.learned = learned;
  if (!learned) in.positions = positions(rows.longest);
  else if (rows.longest > learned.rows)
    throw Error("a sentence has ", rows.longest,
                " tokens, but the model has learned positions for ", learned.rows);
  in.dropout = static_cast<float>(config_.dropout);
  return norm_if_any(tape, tt::embed(tape, in), source ? source_norm_ : target_norm_);
}

std::int64_t Transformer::longest() const { return source_places_ ? source_places_.rows : 0; }

// ---- 3.1 The stacks -----------------------------------------------------------------------------

float* Transformer::weights_for(Tape& tape, Sink* sink, const char* kind, std::size_t layer,
                                const Segments& segments) const {
  if (!sink) return nullptr;
  const auto size = static_cast<std::int64_t>(segments.pairs) * config_.heads;
  float* at = tape.array<float>(size);
  sink->push_back({kind, static_cast<int>(layer) + 1, size, at});
  return at;
}

Var Transformer::norm_if_any(Tape& tape, Var x, const Norm& p) const {
  return p.gain ? norm(tape, x, p) : x;
}

Var Transformer::finish(Tape& tape, Var x) const {
  x = norm_if_any(tape, x, decoder_norm_);
  return config_.scale_output ? multiply(tape, x, 1 / std::sqrt(static_cast<float>(d_))) : x;
}

Var Transformer::encode_layers(Tape& tape, const Side& source, const SeeLayer& see) const {
  return encode(tape, source, nullptr, see);
}

Var Transformer::encode(Tape& tape, const Side& source, Sink* sink, const SeeLayer& see) const {
  const Rows rows = lay_out(tape, source);
  const auto segments = pair_up(tape, source, source, config_.window);
  const std::size_t begin = tape.mark();
  Var x = embed(tape, rows, Stack::encoder);
  if (see) see(0, x);
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    const EncoderLayer& p = encoder_[i];
    tape.first_use(p.self.qkv);
    x = residual(tape, x, p.self.norm, [&](Var y) {
      Var qkv = queries_keys_values(tape, y, p.self);
      Var seen = attend_self(tape, qkv, p.self, segments, false,
                             weights_for(tape, sink, "encoder", i, segments));
      return output(tape, seen, p.self);
    });
    x = residual(tape, x, p.ffn.norm, [&](Var y) { return feed_forward(tape, y, p.ffn); });
    if (see) see(static_cast<int>(i) + 1, x);
    if (!sink) tape.keep(begin, x);
  }
  return norm_if_any(tape, x, encoder_norm_);
}

Var Transformer::queries_keys_values(Tape& tape, Var x, const SelfAttention& p) const {
  return attention_input(tape, x, p.qkv, p.qkv_bias, heads(p));
}

// One decoder layer. The caller provides the attention: over a whole batch in training, or one row
// per hypothesis with a cache in search.
template <class ReadSelf, class CrossAttend>
Var Transformer::decoder_layer(Tape& tape, Var x, const DecoderLayer& p, const ReadSelf& read_self,
                               const CrossAttend& cross_attend, bool guided) const {
  x = residual(tape, x, ssru_ ? p.units.norm : p.self.norm, read_self);
  x = residual(tape, x, p.cross.norm, [&](Var y) {
    Var q = cross_input(tape, y, p.cross.q, p.cross.q_bias, guided);
    return linear(tape, cross_attend(q), p.cross.out, p.cross.out_bias);
  });
  return residual(tape, x, p.ffn.norm, [&](Var y) { return feed_forward(tape, y, p.ffn); });
}

// Queries, or keys and values, of the attention to the source. Where it is guided, its queries and
// keys have two readers, whose gradients are added, which float32 alone can be.
Var Transformer::cross_input(Tape& tape, Var x, Param w, Param bias, bool guided) const {
  return guided ? linear(tape, x, w, bias)
                : attention_input(tape, x, w, bias, heads(decoder_[0].cross.score));
}

Var Transformer::decode(Tape& tape, const Side& source, const Side& target, Sink* sink,
                        const Guidance* guidance) const {
  Var encoded = encode(tape, source, sink, {});
  tape.first_use(cross_kv_);
  Var memory = cross_input(tape, encoded, cross_kv_, cross_kv_bias_, guidance);
  const Rows rows = lay_out(tape, target, start_token());
  const auto self = pair_up(tape, target, target, config_.window),
             cross = pair_up(tape, target, source);
  const std::size_t begin = tape.mark();
  Var x = embed(tape, rows, Stack::decoder);
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const DecoderLayer& p = decoder_[i];
    tape.first_use(ssru_ ? p.units.gates : p.self.qkv);
    x = decoder_layer(
        tape, x, p,
        [&](Var y) {
          if (ssru_) return ssru(tape, gates(tape, y, p.units), self);
          Var qkv = queries_keys_values(tape, y, p.self);
          Var seen = attend_self(tape, qkv, p.self, self, true,
                                 weights_for(tape, sink, "decoder", i, self));
          return output(tape, seen, p.self);
        },
        [&](Var q) {
          if (guidance && static_cast<int>(i) + 1 == config_.alignment_layer)
            guide(tape, q, memory, cross, *guidance);
          return attend_source(tape, q, memory, i, cross,
                               weights_for(tape, sink, "cross", i, cross));
        },
        guidance);
    if (!sink) tape.keep(begin, x);
  }
  return finish(tape, x);
}

void Transformer::loss(Tape& tape, const Batch& batch, float scale, double* sums) const {
  const auto weight = scale * static_cast<float>(config_.guided_alignment_weight);
  const Guidance guidance{batch.links, weight, sums + 2};
  const bool guided = config_.alignment_layer > 0 && !batch.links.empty();
  Var x = decode(tape, batch.source, batch.target_in, nullptr, guided ? &guidance : nullptr);
  const std::int32_t* targets = tape.upload(std::span(batch.target_out.tokens));
  const auto smoothing = static_cast<float>(config_.label_smoothing),
             agreement = static_cast<float>(config_.r_drop);
  projected_loss(tape, x, output(), {targets, smoothing, batch.twice ? agreement : 0, scale, sums});
}

std::vector<float> Transformer::token_scores(Tape& tape, const Batch& batch) const {
  Var x = decode(tape, batch.source, batch.target_in, nullptr);
  float* scores = tape.array<float>(x->rows);
  projected_scores(tape, x, output(), tape.upload(std::span(batch.target_out.tokens)), scores);
  const float* from = tape.download(scores, x->rows);
  return {from, from + x->rows};
}

std::vector<AttentionWeights> Transformer::attention_weights(Tape& tape, const Batch& batch) const {
  Sink sink;
  decode(tape, batch.source, batch.target_in, &sink);
  std::vector<AttentionWeights> all;
  for (const Weights& w : sink) {
    const float* from = tape.download(w.at, w.size);
    all.push_back({w.kind, w.layer, config_.heads, {from, from + w.size}});
  }
  return all;
}

// ---- Decoding: the same layers with one row per hypothesis --------------------------------------

class TransformerState : public AttendedState {
 public:
  TransformerState(const Transformer& model, Tape& tape, const Side& source)
      : model_(model), tape_(tape), output_(tape, model.output()), source_(source) {
    TT_CHECK(!tape.recording());
    const std::size_t begin = tape.mark();
    memory_ = linear(tape, model.encode(tape, source, nullptr, {}), model.cross_kv_,
                     model.cross_kv_bias_);
    tape.keep(begin, memory_);
    cache_ = model.cache(tape);
    for (std::int32_t b = 0; b + 1 < static_cast<std::int32_t>(source.offsets.size()); ++b)
      sentence_.push_back(b);
  }

  void restrict(std::vector<PieceList> lists) override { output_.restrict(std::move(lists)); }

  void step(std::span<const std::int32_t> tokens, const BestQuery& query,
            BestScores& scores) override {
    advance(tokens, [&](Var x) { output_.best(x, sentence_, query, scores); });
  }

  void step(std::span<const std::int32_t> tokens, std::vector<float>& all) override {
    advance(tokens, [&](Var x) { output_.distribution(x, sentence_, all); });
  }

  void reorder(std::span<const std::int32_t> parents) override {
    std::vector<std::int32_t> sentence;
    for (const std::int32_t parent : parents)
      sentence.push_back(sentence_[static_cast<std::size_t>(parent)]);
    sentence_ = std::move(sentence);
    cache_->reorder(parents);
  }

  bool attend(std::span<const AttentionHead> heads) override {
    const Traits traits = tape_.backend().traits();  // each step would wait for a device
    if (traits.queue || !traits.host_memory) return false;
    asked_.assign(heads.begin(), heads.end());
    return true;
  }

  std::span<const float> attention(std::size_t row) const override { return attention_[row]; }

 private:
  // Appends the tokens, and gives the decoder's rows to `project`.
  template <class Project>
  void advance(std::span<const std::int32_t> tokens, const Project& project) {
    const auto rows = static_cast<std::int64_t>(tokens.size());
    TT_CHECK(tokens.size() == sentence_.size());
    cache_->begin_step(rows);
    const Segments cross = see_sources(tape_, sentence_, source_, segments_);
    if (const auto start = model_.start_token(); start && time_ == 0) {
      first_.assign(tokens.size(), *start);
      tokens = first_;
    }
    places_.assign(tokens.size(), time_++);
    Var x = model_.embed(
        tape_,
        {rows, time_, tape_.upload(tokens), tape_.upload(std::span<const std::int32_t>(places_))},
        Stack::decoder);
    for (std::size_t i = 0; i < model_.decoder_.size(); ++i) {
      const std::size_t layer = tape_.mark();
      const Transformer::DecoderLayer& p = model_.decoder_[i];
      x = model_.decoder_layer(
          tape_, x, p,
          [&](Var y) {
            if (model_.ssru_) return cache_->read(i, model_.gates(tape_, y, p.units));
            Var qkv = model_.queries_keys_values(tape_, y, p.self);
            return model_.output(tape_, cache_->read(i, qkv), p.self);
          },
          [&](Var q) { return attend_source(q, i, cross); });
      tape_.keep(layer, std::array{x, cache_->last()});
    }
    project(model_.finish(tape_, x));
    cache_->end_step();
  }

  // The layer's attention, of which the weights that are asked for are added up.
  Var attend_source(Var q, std::size_t layer, const Segments& cross) {
    if (layer == 0 && !asked_.empty()) attention_.assign(sentence_.size(), {});
    const auto is_of_layer = [&](const AttentionHead& h) {
      return h.layer == static_cast<int>(layer) + 1;
    };
    const auto heads = static_cast<std::int64_t>(model_.config_.heads);
    float* weights = nullptr;
    if (std::ranges::any_of(asked_, is_of_layer))
      weights = tape_.array<float>(static_cast<std::int64_t>(cross.pairs) * heads);
    const Var seen = model_.attend_source(tape_, q, memory_, layer, cross, weights);
    for (const AttentionHead& asked : asked_) {
      if (!is_of_layer(asked)) continue;
      const float* from = weights;
      for (const Segment& s : segments_)
        for (std::int64_t h = 1; h <= heads; ++h)
          for (std::int32_t row = s.query_begin; row < s.query_end; ++row) {
            std::vector<float>& sum = attention_[static_cast<std::size_t>(row)];
            sum.resize(static_cast<std::size_t>(s.key_end - s.key_begin));
            if (asked.head == 0 || asked.head == h)
              for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += from[k];
            from += sum.size();
          }
    }
    return seen;
  }

  const Transformer& model_;
  Tape& tape_;
  OutputLayer output_;
  const Side source_;
  Var memory_;  // [S, N (H K + H V)]: every layer's keys and values of the source
  std::unique_ptr<DecoderCache> cache_;
  std::int32_t time_ = 0;                                // steps
  std::vector<std::int32_t> sentence_, places_, first_;  // by row
  std::vector<Segment> segments_;
  std::vector<AttentionHead> asked_;           // whose attention is found
  std::vector<std::vector<float>> attention_;  // by row
};

std::unique_ptr<DecoderCache> Transformer::cache(Tape& tape) const {
  if (ssru_) return unit_cells(tape, decoder_.size());
  std::vector<Heads> layers;
  for (const DecoderLayer& p : decoder_) layers.push_back(heads(p.self));
  return keys_and_values(tape, std::move(layers), config_.window);
}

std::unique_ptr<State> Transformer::start(Tape& tape, const Side& source) const {
  return std::make_unique<TransformerState>(*this, tape, source);
}

}  // namespace tt
