// Section 3 of the paper, in its order and its letters: the stacks (3.1), attention (3.2),
// feed-forward networks (3.3), embeddings and softmax (3.4), positions (3.5). Options that it does
// not have are in transformer_options.cc, and search, which computes the same with one row for each
// hypothesis, in transformer_state.cc.
//
// Rows are packed: x is [rows, D], the tokens of all sentences, one after another, without padding,
// so the only masks are the causal one and that of a window.
#include "model/transformer.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "model/positions.h"
#include "model/segments.h"
#include "nn/recurrent.h"

namespace tt {

// ---- 3.1 Encoder and decoder stacks -------------------------------------------------------------

// Around each sub-layer: LayerNorm(x + Dropout(Sublayer(x))), or, with a norm before it, x +
// Dropout(Sublayer(LayerNorm(x))).
Var Transformer::residual(Tape& tape, Var x, const Norm& p, const Rewrite& sublayer) const {
  const auto dropout = static_cast<float>(config_.dropout);
  if (pre_norm_) return tt::add_dropout(tape, x, sublayer(norm(tape, x, p)), dropout);
  return add_norm(tape, x, sublayer(x), p, dropout);
}

// N layers of two sub-layers.
Var Transformer::encode(Tape& tape, const Sequences& source, Sink* sink,
                        const SeeLayer& see) const {
  const Rows rows = lay_out(tape, source);
  const auto segments = pair_up(tape, source, source, config_.window);
  const std::size_t begin = tape.mark();
  Var x = embed(tape, rows, Stack::encoder);
  if (see) see(0, x);
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    const EncoderLayer& p = encoder_[i];
    tape.first_use(p.self.w_qkv);
    x = residual(tape, x, p.self.norm, [&](Var y) {
      float* const weights = weights_for(tape, sink, "encoder", i, segments);
      return output(tape, attend_self(tape, y, p.self, segments, false, weights), p.self);
    });
    x = residual(tape, x, p.ffn.norm, [&](Var y) { return feed_forward(tape, y, p.ffn); });
    if (see) see(static_cast<int>(i) + 1, x);
    if (!sink) tape.keep(begin, x);
  }
  return norm_if_any(tape, x, encoder_norm_);
}

// N layers of three sub-layers, of which the second attends to what the encoder has computed.
Var Transformer::decode(Tape& tape, const Sequences& source, const Sequences& target, Sink* sink,
                        const Guidance* guidance) const {
  Var encoded = encode(tape, source, sink, {});
  tape.first_use(w_kv_);
  Var memory = cross_input(tape, encoded, w_kv_, b_kv_, guidance);
  const Rows rows = lay_out(tape, target, start_token());
  const auto self = pair_up(tape, target, target, config_.window),
             cross = pair_up(tape, target, source);
  const std::size_t begin = tape.mark();
  Var x = embed(tape, rows, Stack::decoder);
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const DecoderLayer& p = decoder_[i];
    tape.first_use(ssru_ ? p.units.gates : p.self.w_qkv);
    x = decoder_layer(
        tape, x, p,
        [&](Var y) {
          if (ssru_) return ssru(tape, gates(tape, y, p.units), self);
          float* const weights = weights_for(tape, sink, "decoder", i, self);
          return output(tape, attend_self(tape, y, p.self, self, true, weights), p.self);
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

// The caller provides the attention: over a whole batch in training, or one row per hypothesis with
// a cache in search.
Var Transformer::decoder_layer(Tape& tape, Var x, const DecoderLayer& p, const Rewrite& read_self,
                               const Rewrite& cross_attend, bool guided) const {
  x = residual(tape, x, ssru_ ? p.units.norm : p.self.norm, read_self);
  x = residual(tape, x, p.cross.norm, [&](Var y) {
    Var q = cross_input(tape, y, p.cross.w_q, p.cross.b_q, guided);
    return linear(tape, cross_attend(q), p.cross.w_o, p.cross.b_o);
  });
  return residual(tape, x, p.ffn.norm, [&](Var y) { return feed_forward(tape, y, p.ffn); });
}

// ---- 3.2 Attention: softmax(Q K^T / sqrt(d_k)) V in H heads, Concat(head_1, ..., head_H) W^O
// ------

// 3.2.1: of every head, the width of its queries and keys, d_k, and of its values, d_v.
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

// 3.2.2: x W^Q, x W^K and x W^V of all heads, side by side.
Var Transformer::queries_keys_values(Tape& tape, Var x, const SelfAttention& p) const {
  return attention_input(tape, x, p.w_qkv, p.b_qkv, heads(p));
}

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

// 3.2.3: in self-attention queries, keys and values come from the same x; in the decoder no row
// sees those behind it.
Var Transformer::attend_self(Tape& tape, Var x, const SelfAttention& p, const Segments& segments,
                             bool causal, float* weights) const {
  Var qkv = queries_keys_values(tape, x, p);
  AttentionInputs in = reads(qkv, qkv, hk_, heads(p), segments);
  in.causal = causal;
  return attention(tape, in, weights);
}

// Queries come from the decoder, keys and values from the encoder.
Var Transformer::attend_source(Tape& tape, Var q, Var memory, std::size_t layer,
                               const Segments& segments, float* weights) const {
  const std::int64_t column = static_cast<std::int64_t>(layer) * (hk_ + hv_);
  const Heads all = heads(decoder_[layer].cross.score);
  return attention(tape, reads(q, memory, column, all, segments), weights);
}

// ---- 3.3 Position-wise feed-forward networks: FFN(x) = max(0, x W1 + b1) W2 + b2 ----------------

Var Transformer::feed_forward(Tape& tape, Var x, const FeedForward& p) const {
  const auto dropout = static_cast<float>(config_.ffn_dropout);
  for (const Hidden& h : p.hidden)
    x = h.wg ? gated(tape, x, h, dropout)
             : activation(tape, x, h.w1, h.b1, config_.activation, dropout, false);
  return linear(tape, x, p.w2, p.b2);
}

// ---- 3.4 Embeddings and softmax: one matrix for both, and embeddings times sqrt(D) --------------

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

// The logits are never there as a whole (nn/loss.h). Section 5.4 smooths the labels.
void Transformer::loss(Tape& tape, const Batch& batch, float scale, double* sums) const {
  const auto weight = scale * static_cast<float>(config_.guided_alignment_weight);
  const Guidance guidance{batch.links, weight, sums + 2};
  const bool guided = config_.alignment_layer > 0 && !batch.links.empty();
  Var x = decode(tape, batch.source, batch.target_in, nullptr, guided ? &guidance : nullptr);
  const std::int32_t* targets = tape.upload(batch.target_out.tokens);
  const auto smoothing = static_cast<float>(config_.label_smoothing),
             agreement = static_cast<float>(config_.r_drop);
  projected_loss(tape, x, output(), {targets, smoothing, batch.twice ? agreement : 0, scale, sums});
}

std::vector<float> Transformer::token_scores(Tape& tape, const Batch& batch) const {
  Var x = decode(tape, batch.source, batch.target_in, nullptr);
  float* scores = tape.array<float>(x->rows);
  projected_scores(tape, x, output(), tape.upload(batch.target_out.tokens), scores);
  const float* from = tape.download(scores, x->rows);
  return {from, from + x->rows};
}

// ---- 3.5 Positional encoding: PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos
// ---------

ConstMatrix Transformer::positions(std::int64_t length) const {
  const std::lock_guard lock(positions_mutex_);
  if (length > positions_computed_) {
    const std::int64_t rows = std::max<std::int64_t>({length, 2 * positions_computed_, 512});
    std::vector<float> table(static_cast<std::size_t>(rows * d_));
    if (config_.positions == PositionKind::sinusoidal)
      sinusoidal_positions(table.data(), config_.first_position, rows, d_, config_.position_layout);
    position_tables_.emplace_back(params_.backend(), table);
    positions_computed_ = rows;
  }
  return float32(position_tables_.back().data(), positions_computed_, d_);
}

std::int64_t Transformer::longest() const { return source_places_ ? source_places_.rows : 0; }

}  // namespace tt
