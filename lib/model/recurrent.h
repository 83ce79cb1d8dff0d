// The LSTM encoder-decoder, with or without attention: the parameters of its layers, and its
// functions.
//
// Sources: Sutskever et al. 2014 (encoder and decoder), Bahdanau et al. 2015 (bidirectional
// encoder), Luong et al. 2015 (attention and input feeding, with their notation).
#pragma once

#include <span>
#include <vector>

#include "model/model.h"
#include "nn/ops.h"
#include "nn/recurrent.h"

namespace tt {

class LSTM : public Model {
 public:
  explicit LSTM(const Config& config);

  std::int64_t longest() const override { return 0; }
  bool attends(AttentionSite site) const override {
    return site == AttentionSite::cross && attentive_;
  }
  void loss(Tape& tape, const Batch& batch, float scale, double* sums) const override;
  std::unique_ptr<State> start(Tape& tape, const Sequences& source) const override;
  std::vector<float> token_scores(Tape& tape, const Batch& batch) const override;
  std::vector<AttentionWeights> attention_weights(Tape& tape, const Batch& batch) const override;

 private:
  friend class LSTMState;

  struct Cell {
    Param x, h, bias;  // [inputs, 4 U], [U, 4 U], [4 U]
  };
  struct EncoderLayer {
    Cell forward, backward;  // backward: only if the encoder is bidirectional
  };

  // The rows of one side, laid out by steps (nn/recurrent.h), and the mapping from there to packed
  // rows, where sentences are in the order of the batch.
  struct Rows {
    std::int64_t count = 0;
    Steps steps;
    std::span<const std::int32_t>
        sentences;  // on the host: the sentence of each row of the first step
    std::span<const std::int32_t> places;  // on the host: the place of each packed row
    const std::int32_t* tokens = nullptr;  // on the device, by steps
    RowChoice packed, reversed;            // packed rows; every sentence reversed, again by steps
  };
  // The source as the decoder sees it.
  struct Memory {
    Var states = nullptr,
        keys = nullptr;  // packed; null without attention; keys are the states except for "concat"
    std::vector<Cells> starts;  // the initial state of each decoder layer
  };
  // The hypotheses, or the sentences of a batch, between two steps.
  struct Decoding {
    std::vector<Cells> layers;
    Var feed = nullptr;  // h~ of the previous step; null initially, and without input feeding
  };

  Cell add_cell(const std::string& name, std::int64_t in, std::int64_t units);
  Rows lay_out(Tape& tape, const Sequences& side) const;
  Var embed(Tape& tape, std::int64_t rows, const std::int32_t* tokens, Param table) const;
  Var drop(Tape& tape, Var x) const {
    return dropout(tape, x, static_cast<float>(config_.dropout));
  }

  Cells run(Tape& tape, Var x, const Cell& cell, const Steps& steps,
            const Cells& before = {}) const;
  // `order`: the sentences whose final states are the decoder's initial ones, one per row.
  Memory encode(Tape& tape, const Sequences& source, std::span<const std::int32_t> order) const;
  Var attend(Tape& tape, Var h, const Memory& memory, const Segments& segments,
             float* weights) const;
  Var step(Tape& tape, Var x, Decoding& now, const Memory& memory, const Segments& segments,
           float* weights) const;
  // h~ of all target rows, packed.
  Var decode(Tape& tape, const Sequences& target, const Rows& rows, const Memory& memory,
             const Sequences& source, float* weights) const;
  // Decodes with input feeding: calls each(h~, t) for every step in order. `weights` gets those of
  // the steps in order.
  template <class Each>
  void decode_by_steps(Tape& tape, const Rows& rows, const Memory& memory, const Sequences& source,
                       float* weights, const Each& each) const;
  // Calls each(h~, targets, first row, places) for all target rows, packed, places being null; or,
  // with input feeding, for those of step after step, `places` on the host saying where each packed
  // row stands among these. Targets are on the device.
  template <class Each>
  void project(Tape& tape, const Batch& batch, const Each& each) const;
  Decoding choose(Tape& tape, const Decoding& from, const RowChoice& rows) const;
  static std::vector<Var> matrices(const Decoding& of);

  const std::int64_t d_;
  const bool attentive_;
  Tables tables_;
  std::vector<EncoderLayer> encoder_;
  std::vector<Cell> decoder_;
  Param feed_;                     // [D, 4 D]: h~ of the previous step, into the first layer
  Param w_, query_, key_, score_;  // W_a of "general"; W_a = [query; key] and v_a of "concat"
  Param combine_, combine_bias_;   // W_c [2 D, D] and its bias
};

}  // namespace tt
