// The Transformer ("Attention Is All You Need", 2017), section 3: the parameters of its layers, and its functions.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "model/model.h"
#include "nn/ops.h"

namespace tt {

class Transformer : public Model {
 public:
  explicit Transformer(const Config& config);

  std::int64_t longest() const override;
  bool attends(AttentionSite) const override { return true; }
  void loss(Tape& tape, const Batch& batch, float scale, double* sums) const override;
  std::unique_ptr<State> start(Tape& tape, const Side& source) const override;
  std::vector<float> token_scores(Tape& tape, const Batch& batch) const override;
  std::vector<AttentionWeights> attention_weights(Tape& tape, const Batch& batch) const override;

 private:
  friend class TransformerState;

  using Norm = NormParams;
  struct Hidden {
    Param weight, bias;
  };
  struct FeedForward {
    std::vector<Hidden> hidden;
    Param out, out_bias;
    Norm norm;
  };
  struct SelfAttention {
    // Queries, keys and values side by side: [D, 2 H K + H V]; of a decoder of recurrent units their gates [D, 2 D], and no
    // `out`.
    Param qkv, qkv_bias, out, out_bias;
    Param score;  // [H K], of additive scores
    Norm norm;
  };
  struct CrossAttention {
    Param q, q_bias, out, out_bias;  // the keys and values of all layers are one matrix, cross_kv_
    Param score;
    Norm norm;
  };
  struct EncoderLayer {
    SelfAttention self;
    FeedForward ffn;
  };
  struct DecoderLayer {
    SelfAttention self;
    CrossAttention cross;
    FeedForward ffn;
  };

  // The rows of one side on the device: their tokens, and their positions in their sentences.
  struct Rows {
    std::int64_t count, longest;  // rows, and those of the longest sentence
    const std::int32_t *tokens, *places;
  };
  // Attention weights on the device, collected on request.
  struct Weights {
    const char* kind;
    int layer;
    std::int64_t size;
    const float* at;
  };
  using Sink = std::vector<Weights>;

  Norm add_norm_params(const std::string& name);
  SelfAttention add_self_params(const std::string& name);
  SelfAttention add_ssru_params(const std::string& name);
  FeedForward add_ffn_params(const std::string& name);
  Param add_score(const std::string& name);

  // `begins`, if given, replaces the first token of each sentence.
  Rows lay_out(Tape& tape, const Side& side, std::optional<std::int32_t> begins = {}) const;
  // The first input of the decoder, if it is not a piece.
  std::optional<std::int32_t> start_token() const;
  ConstMatrix positions(std::int64_t length) const;
  float* weights_for(Tape& tape, Sink* sink, const char* kind, std::size_t layer, const Segments& segments) const;

  Var embed(Tape& tape, const Rows& rows, Param table, Param learned) const;
  Var encode(Tape& tape, const Side& source, Sink* sink) const;
  Var decode(Tape& tape, const Side& source, const Side& target, Sink* sink) const;
  Var final_norm(Tape& tape, Var x, const Norm& p) const;  // if there is one
  Var feed_forward(Tape& tape, Var x, const FeedForward& p) const;
  // `self_attend` gets the queries, keys and values, and the rows before they were normalised.
  template <class SelfAttend, class CrossAttend>
  Var decoder_layer(Tape& tape, Var x, const DecoderLayer& p, const SelfAttend& self_attend,
                    const CrossAttend& cross_attend) const;
  template <class Sublayer>
  Var residual(Tape& tape, Var x, const Norm& p, const Sublayer& sublayer) const;

  Heads heads(Param score) const;  // of every attention, with additive scores if there are
  // Queries are the first columns of `q`; of `kv` keys stand at `column`, and values behind them. `weights`: as of attention().
  Var attend(Tape& tape, Var q, Var kv, std::int64_t column, Param score, const Segments& segments, bool causal,
             float* weights) const;
  // Cross-attention of a layer, from 0; `memory` has the keys and values of all.
  Var attend_source(Tape& tape, Var q, Var memory, std::size_t layer, const Segments& segments, float* weights = nullptr) const {
    return attend(tape, q, memory, static_cast<std::int64_t>(layer) * (hk_ + hv_), decoder_[layer].cross.score, segments, false,
                  weights);
  }
  Projection output() const { return {output_table_, output_bias_}; }

  const std::int64_t d_, hk_, hv_;  // D, H K, H V
  bool pre_norm_, ssru_;
  Param source_table_, target_table_, output_table_, output_bias_, source_places_, target_places_, cross_kv_, cross_kv_bias_;
  std::vector<EncoderLayer> encoder_;
  std::vector<DecoderLayer> decoder_;
  Norm encoder_norm_, decoder_norm_;  // if there is a final norm

  // Sinusoids, or zeros where there are no positions, on the device, computed up to the longest length so far; earlier tables are
  // kept, since other threads may be reading them.
  mutable std::mutex positions_mutex_;
  mutable std::vector<DeviceArray<float>> position_tables_;
  mutable std::int64_t positions_computed_ = 0;
};

}  // namespace tt
