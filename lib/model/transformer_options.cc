// Options of a Transformer that the paper does not have, and how it is looked at: a head that
// learns to align, relative positions, gates, norms of whole stacks, first inputs, and attention
// weights.
#include <algorithm>
#include <cmath>
#include <span>

#include "model/positions.h"
#include "model/transformer.h"

namespace tt {

// ---- Guided alignment ---------------------------------------------------------------------------

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

// Queries, or keys and values, of the attention to the source. Where it is guided, its queries and
// keys have two readers, whose gradients are added, which float32 alone can be.
Var Transformer::cross_input(Tape& tape, Var x, Param w, Param bias, bool guided) const {
  return guided ? linear(tape, x, w, bias)
                : attention_input(tape, x, w, bias, heads(decoder_[0].cross.score));
}

// ---- Relative positions of T5 -------------------------------------------------------------------

const std::int32_t* Transformer::buckets(Param distances) const {
  const std::lock_guard lock(positions_mutex_);
  const bool source = distances.index == source_distances_.index;
  auto& on_device = source ? source_buckets_ : target_buckets_;
  if (!on_device) {
    const auto all = distance_buckets(config_.position_buckets, config_.position_distance, source);
    on_device.emplace(params_.backend(), all);
  }
  return on_device->data();
}

// ---- Gates of the feed-forward network (Dauphin et al. 2017; Shazeer 2020)
// -----------------------

// act(x W1 + b1) (x Wg + bg)
Var Transformer::gated(Tape& tape, Var x, const Hidden& h, float dropout) const {
  Var hidden = activation(tape, x, h.w1, h.b1, config_.activation, dropout, true);
  return multiply(tape, hidden, linear(tape, x, h.wg, h.bg));
}

// ---- Norms of whole stacks and of embeddings, and a scale before the output ---------------------

Var Transformer::norm_if_any(Tape& tape, Var x, const Norm& p) const {
  return p.gain ? norm(tape, x, p) : x;
}

Var Transformer::finish(Tape& tape, Var x) const {
  x = norm_if_any(tape, x, decoder_norm_);
  return config_.scale_output ? multiply(tape, x, 1 / std::sqrt(static_cast<float>(d_))) : x;
}

// ---- The rows of a batch, and what the decoder begins with --------------------------------------

std::optional<std::int32_t> Transformer::start_token() const {
  return config_.start == StartSymbol::zero ? std::optional(-1) : std::nullopt;
}

Transformer::Rows Transformer::lay_out(Tape& tape, const Sequences& side,
                                       std::optional<std::int32_t> begins) const {
  TT_CHECK(side.offsets.size() > 1);
  const auto places = tape.host_array<std::int32_t>(side.rows());
  std::int32_t longest = 0;
  for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b) {
    longest = std::max(longest, side.offsets[b + 1] - side.offsets[b]);
    for (std::int32_t r = side.offsets[b]; r < side.offsets[b + 1]; ++r)
      places[static_cast<std::size_t>(r)] = r - side.offsets[b];
  }
  const std::int32_t* tokens = tape.upload(side.tokens);
  if (begins) {
    const auto changed = tape.host_array<std::int32_t>(side.rows());
    std::copy(side.tokens.begin(), side.tokens.end(), changed.begin());
    for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b)
      changed[static_cast<std::size_t>(side.offsets[b])] = *begins;
    tokens = tape.upload(changed);
  }
  return {side.rows(), longest, tokens, tape.upload(places)};
}

// ---- Attention weights --------------------------------------------------------------------------

float* Transformer::weights_for(Tape& tape, Sink* sink, const char* kind, std::size_t layer,
                                const Segments& segments) const {
  if (!sink) return nullptr;
  const auto size = static_cast<std::int64_t>(segments.pairs) * config_.heads;
  float* at = tape.array<float>(size);
  sink->push_back({kind, static_cast<int>(layer) + 1, size, at});
  return at;
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

}  // namespace tt
