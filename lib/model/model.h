// What training and search may know of a model: parameters, a loss, and a decoding state that can be stepped and reordered.
//
// A model is written once and serves training, scoring and decoding. It has no state but its parameters, so any number of threads may
// use it, each with its own tape.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

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
  // `pieces`, [rows, best] each, descending, on the host. Where there are fewer, the rest has the log-probability minus infinity.
  virtual void step(std::span<const std::int32_t> tokens, int best, float* values, std::int32_t* pieces) = 0;

  // Row i becomes a copy of row parents[i]; rows that are nobody's parent are dropped. Requires parents of one sentence to stand
  // together, sentences in their order.
  virtual void reorder(std::span<const std::int32_t> parents) = 0;
};

// Where a model attends: the decoder to the encoder; encoder and decoder to themselves.
enum class AttentionSite { cross, self };

// The attention of one layer, for pictures: per sentence a block [heads, queries, keys], one sentence after the other.
struct AttentionWeights {
  std::string kind;  // "encoder", "decoder": to themselves; "cross": the decoder to the encoder
  int layer;         // from 1
  int heads;
  std::vector<float> weights;
};

class Model {
 public:
  virtual ~Model() = default;

  const Config& config() const { return config_; }
  // What errors call it: the path of its file, or of the run.
  const std::string& name() const { return name_; }
  void set_name(const std::string& name) { name_ = name; }
  const Params& params() const { return params_; }
  Params& params() { return params_; }

  // The most tokens that a sentence of either side may have, </s> or <s> counted; 0: any number.
  virtual std::int64_t longest() const = 0;

  // Whether there is attention of that kind: what attention_weights() returns.
  virtual bool attends(AttentionSite site) const = 0;

  // Adds the loss of the target given the source, summed over target tokens, to sums[0], and its negative log-likelihood to sums[1]; sums
  // is on the device. When the tape records, scale times that loss is what backward() derives. Throws Error if a sentence is longer than
  // longest().
  virtual void loss(Tape& tape, const Batch& batch, float scale, double* sums) const = 0;

  // Encodes the sources; the state uses the tape, which must be in inference, until it ends. Throws Error if a sentence is longer than
  // longest(), and so does the state's step().
  virtual std::unique_ptr<State> start(Tape& tape, const Side& source) const = 0;

  // Reads source and target once, and returns the attention of all layers that have one, in their order. The tape must be in inference.
  virtual std::vector<AttentionWeights> attention_weights(Tape& tape, const Batch& batch) const = 0;

 protected:
  // The matrices of embeddings, [pieces, D], which may be the same (section 3.4), drawn with deviation D^-0.5.
  struct Tables {
    Param source, target, output;
  };
  Tables add_tables();

  explicit Model(const Config& config) : config_(config) {}
  Config config_;
  Params params_;
  std::string name_ = "the model";
};

// The model that the configuration describes, its parameters declared: they have no memory and no values yet (nn/params.h). Requires
// check(config) and both vocabulary sizes.
std::unique_ptr<Model> make_model(const Config& config);

// The loss of a batch that is not trained on, for the host. The tape must be in inference, and is cleared.
LossSums score(const Model& model, Tape& tape, const Batch& batch);

}  // namespace tt
