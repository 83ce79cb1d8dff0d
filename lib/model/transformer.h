// The Transformer ("Attention Is All You Need", 2017), section 3: the parameters of its layers, and
// its functions.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "model/model.h"
#include "nn/ops.h"

namespace tt {

class DecoderCache;

class Transformer : public Model {
 public:
  // `stacks`: an encoder alone has no parameters of a decoder, and nothing but encode() may be
  // called.
  enum class Stacks { both, encoder };
  explicit Transformer(const Config& config, Stacks stacks = Stacks::both);

  std::int64_t longest() const override;
  bool attends(AttentionSite) const override { return true; }
  void loss(Tape& tape, const Batch& batch, float scale, double* sums) const override;
  std::unique_ptr<State> start(Tape& tape, const Sequences& source) const override;
  std::vector<float> token_scores(Tape& tape, const Batch& batch) const override;
  std::vector<AttentionWeights> attention_weights(Tape& tape, const Batch& batch) const override;

 protected:
  // Gets what the encoder has computed, [source rows, D]: behind layer 0 the embeddings.
  using SeeLayer = std::function<void(int layer, Var x)>;
  // Attention weights on the device, collected on request.
  struct Weights {
    const char* kind;
    int layer;
    std::int64_t size;
    const float* at;
  };
  using Sink = std::vector<Weights>;
  // Requires at least one sentence. Throws Error if a sentence is longer than longest().
  Var encode(Tape& tape, const Sequences& source, Sink* sink, const SeeLayer& see) const;

 private:
  friend class TransformerState;

  using Norm = NormParams;
  using Rewrite = std::function<Var(Var)>;  // of rows, [rows, D]
  struct Hidden {
    Param w1, b1, wg, bg;  // wg: the gate, if there is one
  };
  struct FeedForward {
    std::vector<Hidden> hidden;
    Param w2, b2;
    Norm norm;
  };
  struct SelfAttention {
    Param w_qkv, b_qkv, w_o, b_o;  // queries, keys and values side by side: [D, 2 H K + H V]
    Param score;                   // [H K], of additive scores
    Param distances;               // [H, B], of relative positions; one for all layers
    Norm norm;
  };
  struct RecurrentUnits {     // in place of the decoder's attention to itself
    Param gates, gates_bias;  // what is taken in and what is forgotten: [D, 2 D]
    Norm norm;
  };
  struct CrossAttention {
    Param w_q, b_q, w_o, b_o;  // the keys and values of all layers are one matrix, w_kv_
    Param score;
    Norm norm;
  };
  struct EncoderLayer {
    SelfAttention self;
    FeedForward ffn;
  };
  struct DecoderLayer {
    SelfAttention self;  // one of the two
    RecurrentUnits units;
    CrossAttention cross;
    FeedForward ffn;
  };

  // The rows of one side on the device: their tokens, and their positions in their sentences.
  struct Rows {
    std::int64_t count, longest;  // rows, and those of the longest sentence
    const std::int32_t *tokens, *places;
  };
  // Guided alignment: the links of what is decoded, the weight of their loss, and its sum on the
  // device.
  struct Guidance {
    const RowLinks& links;
    float weight;
    double* sum;
  };

  // The declaration of parameters: the beginning of their names, and what all their parts have in
  // common.
  struct Scope {
    std::string name;
    Stack stack;
    int layer;
    Sublayer sublayer;

    Scope inside(const std::string& part, Sublayer of) const {
      return {name + "." + part, stack, layer, of};
    }
  };
  struct Stretch {  // of columns
    Role role;
    std::int64_t columns;
    int index = 0;
  };
  using Stretches = std::vector<Stretch>;
  // Declare parameters and publish their parts. A bias is named after its matrix.
  std::pair<Param, Param> add_linear(const Scope& scope, const std::string& part, std::int64_t rows,
                                     const Stretches& stretches, bool bias, float scale = 1,
                                     int blocks = 1);
  Param add_vector(const Scope& scope, const std::string& name, Role role, std::int64_t columns,
                   Init init);
  void publish(const Scope& scope, const std::string& name, std::int64_t rows,
               const Stretches& stretches, bool bias, std::int64_t column = 0);
  Norm add_norm_params(const Scope& scope);
  SelfAttention add_self_attention(const Scope& scope);
  RecurrentUnits add_units(const Scope& scope);
  CrossAttention add_cross_attention(const Scope& scope);
  FeedForward add_feed_forward(const Scope& scope);
  Param add_score(const Scope& scope);
  Param add_table(const std::string& name, Stack stack, Role role, std::int64_t rows,
                  std::int64_t columns);
  void add_keys_and_values();

  // `begins`, if given, replaces the first token of each sentence.
  Rows lay_out(Tape& tape, const Sequences& side, std::optional<std::int32_t> begins = {}) const;
  // The first input of the decoder, if it is not a piece.
  std::optional<std::int32_t> start_token() const;
  ConstMatrix positions(std::int64_t length) const;
  float* weights_for(Tape& tape, Sink* sink, const char* kind, std::size_t layer,
                     const Segments& segments) const;

  Var embed(Tape& tape, const Rows& rows, Stack stack) const;
  Var decode(Tape& tape, const Sequences& source, const Sequences& target, Sink* sink,
             const Guidance* guidance = nullptr) const;
  Var norm_if_any(Tape& tape, Var x, const Norm& p) const;
  Var finish(Tape& tape, Var x) const;  // the rows of the last decoder layer, for output()
  Var feed_forward(Tape& tape, Var x, const FeedForward& p) const;
  Var gated(Tape& tape, Var x, const Hidden& h, float dropout) const;
  // `read_self` is the sub-layer that reads what was decoded; it gets its rows, and those before
  // they were normalised.
  Var decoder_layer(Tape& tape, Var x, const DecoderLayer& p, const Rewrite& read_self,
                    const Rewrite& cross_attend, bool guided = false) const;
  // The products of the sub-layers that read what was decoded, and what is made of what attention
  // has seen.
  Var queries_keys_values(Tape& tape, Var x, const SelfAttention& p) const;
  Var cross_input(Tape& tape, Var x, Param w, Param bias, bool guided) const;
  Var gates(Tape& tape, Var x, const RecurrentUnits& p) const {
    return linear(tape, x, p.gates, p.gates_bias);
  }
  Var output(Tape& tape, Var seen, const SelfAttention& p) const {
    return linear(tape, seen, p.w_o, p.b_o);
  }
  Var residual(Tape& tape, Var x, const Norm& p, const Rewrite& sublayer) const;

  // Of every attention, with additive scores or biases for distances if there are.
  Heads heads(Param score, Param distances = {}) const;
  Heads heads(const SelfAttention& p) const { return heads(p.score, p.distances); }
  // Of each distance the bucket, on the device, in which those of that parameter count it.
  const std::int32_t* buckets(Param distances) const;
  // Queries are the first columns of `q`; of `kv` keys stand at `column`, and values behind them.
  AttentionInputs reads(Var q, Var kv, std::int64_t column, const Heads& heads,
                        const Segments& segments) const;
  // Self-attention, and cross-attention of a layer, from 0, of which `memory` has the keys and
  // values of all. `weights`: as of attention().
  Var attend_self(Tape& tape, Var x, const SelfAttention& p, const Segments& segments, bool causal,
                  float* weights) const;
  Var attend_source(Tape& tape, Var q, Var memory, std::size_t layer, const Segments& segments,
                    float* weights = nullptr) const;
  void guide(Tape& tape, Var q, Var memory, const Segments& segments,
             const Guidance& guidance) const;
  Projection output() const { return {output_table_, output_bias_}; }
  std::unique_ptr<DecoderCache> cache(Tape& tape) const;

  const std::int64_t d_, hk_, hv_;  // D, H K, H V
  bool pre_norm_, ssru_;
  Param source_table_, target_table_, output_table_, output_bias_, source_places_, target_places_,
      source_distances_, target_distances_, w_kv_, b_kv_;
  std::vector<EncoderLayer> encoder_;
  std::vector<DecoderLayer> decoder_;
  Norm encoder_norm_, decoder_norm_;  // if there is a final norm
  Norm source_norm_, target_norm_;    // of embeddings, if they are normalised

  // Sinusoids, or zeros where there are no positions, on the device, computed up to the longest
  // length so far; earlier tables are kept, since other threads may be reading them.
  mutable std::mutex positions_mutex_;
  mutable std::vector<DeviceArray<float>> position_tables_;
  mutable std::int64_t positions_computed_ = 0;
  mutable std::optional<DeviceArray<std::int32_t>> source_buckets_, target_buckets_;
};

}  // namespace tt
