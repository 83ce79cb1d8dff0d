// What training and search may know of a model: parameters, a loss, and a decoding state that can be stepped and reordered.
//
// A model is written once and serves training, scoring and decoding. It has no state but its parameters, so any number of threads may
// use it, each with its own tape.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "model/config.h"
#include "nn/loss.h"
#include "nn/params.h"
#include "nn/tape.h"
#include "text/batch.h"

namespace tt {

// The hypotheses that search is extending, one per row. At first one row per source sentence, in order, with nothing decoded.
class State {
 public:
  virtual ~State() = default;

  // Appends token i to hypothesis i (at first <s>) and finds its `best` likeliest continuations: log-probabilities `values` and
  // `pieces`, [rows, best] each, descending.
  virtual void step(std::span<const std::int32_t> tokens, int best, float* values, std::int32_t* pieces) = 0;

  // Row i becomes a copy of row parents[i]; rows that are nobody's parent are dropped. Requires parents of one sentence to stand
  // together, sentences in their order.
  virtual void reorder(std::span<const std::int32_t> parents) = 0;
};

// Attention weights of one layer, for pictures: returns the memory for `floats` numbers, per sentence [heads, queries, keys], one sentence
// after the other. kind: "encoder", "decoder", "cross"; layer from 1.
using AttentionSink = std::function<float*(const std::string& kind, int layer, std::int64_t floats)>;

class Model {
 public:
  virtual ~Model() = default;

  const Config& config() const { return config_; }
  const Params& params() const { return params_; }
  Params& params() { return params_; }

  // The loss of the target given the source, summed over target tokens; when the tape records, scale * loss is what backward() derives.
  virtual LossSums loss(Tape& tape, const Batch& batch, float scale) const = 0;

  // Encodes the sources; the state uses the tape, which must be in inference, until it ends.
  virtual std::unique_ptr<State> start(Tape& tape, const Side& source) const = 0;

  // Reads source and target once and hands every layer's attention weights to the sink.
  virtual void attention_weights(Tape& tape, const Batch& batch, const AttentionSink& sink) const = 0;

 protected:
  explicit Model(const Config& config) : config_(config) {}
  Config config_;
  Params params_;
};

// The model that the configuration describes, its parameters drawn from the seed. Requires check(config) and both vocabulary sizes.
std::unique_ptr<Model> make_model(const Config& config);

}  // namespace tt
