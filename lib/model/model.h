// The interface of models for training and search: parameters, a loss, and a decoding state that
// can be stepped and reordered.
//
// A model has one implementation for training, scoring and decoding. It has no state but its
// parameters, so any number of threads may use it, each with its own tape.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/parameter_part.h"
#include "nn/loss.h"
#include "nn/params.h"
#include "nn/tape.h"
#include "text/batch.h"

namespace tt {

// The hypotheses that search extends, one per row. Initially one empty hypothesis per source
// sentence, in order.
class State {
 public:
  virtual ~State() = default;

  // From now on the translation of sentence s can have the pieces of lists[s] alone (OutputLayer).
  // Requires OutputLayer::can_restrict(); called at most once, before the first step.
  virtual void restrict(std::vector<PieceList> lists) = 0;

  // Appends token i to hypothesis i (initially <s>) and queries the scores of its continuations.
  virtual void step(std::span<const std::int32_t> tokens, const BestQuery& query,
                    BestScores& scores) = 0;

  // Appends tokens, and sets `all` to the log-probabilities of all pieces, [rows, V].
  virtual void step(std::span<const std::int32_t> tokens, std::vector<float>& all) = 0;

  // Row i becomes a copy of row parents[i]; rows that are not parents are dropped. Requires the
  // parents of a sentence to be adjacent, and sentences to stay in order.
  virtual void reorder(std::span<const std::int32_t> parents) = 0;
};

// Row i becomes a copy of row parents[i].
template <class Row>
void reorder(std::vector<Row>& rows, std::span<const std::int32_t> parents) {
  std::vector<Row> chosen;
  for (const std::int32_t parent : parents)
    chosen.push_back(rows[static_cast<std::size_t>(parent)]);
  rows = std::move(chosen);
}

// Kinds of attention: cross is the decoder to the encoder; self is encoder and decoder to
// themselves.
enum class AttentionSite { cross, self };

// The attention of one layer, for plots: a block [heads, queries, keys] per sentence, one after
// another.
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
  // Its name in errors: the path of its file, or of the run.
  const std::string& name() const { return name_; }
  void set_name(const std::string& name) { name_ = name; }
  const Params& params() const { return params_; }
  Params& params() { return params_; }
  // The roles of the parameters; of an LSTM only embeddings and the output.
  const std::vector<ParameterPart>& parts() const { return parts_; }

  // The maximum length in tokens of a sentence on either side, including </s> or <s>; 0: no limit.
  virtual std::int64_t longest() const = 0;

  // Whether the model has attention of that kind, to be returned by attention_weights().
  virtual bool attends(AttentionSite site) const = 0;

  // Adds the loss of the target given the source, summed over target tokens, to sums[0], its
  // negative log-likelihood to sums[1], and, where the model has a head that aligns and the batch
  // links, that of guided alignment to sums[2]; sums is on the device. When the tape records,
  // backward() computes the gradient of scale times (sums[0] + guided_alignment_weight sums[2]),
  // and the batch must stay as it is until then. Throws Error if a sentence is longer than
  // longest(). Here and below there is at least one sentence.
  virtual void loss(Tape& tape, const Batch& batch, float scale, double* sums) const = 0;

  // Encodes the sources; the state uses the tape, which must be in inference mode, for its
  // lifetime. Throws Error if a sentence is longer than longest(), and so does the state's step().
  virtual std::unique_ptr<State> start(Tape& tape, const Sequences& source) const = 0;

  // The log-probability of every target row of a batch, given the rows before it and the source:
  // [target rows]. The tape must be in inference. Throws Error if a sentence is longer than
  // longest().
  virtual std::vector<float> token_scores(Tape& tape, const Batch& batch) const = 0;

  // Reads source and target once, and returns the attention of all layers that have one, in their
  // order. The tape must be in inference.
  virtual std::vector<AttentionWeights> attention_weights(Tape& tape, const Batch& batch) const = 0;

 protected:
  // The embedding matrices, [pieces, D], which may be the same (section 3.4), initialised with
  // standard deviation D^-0.5.
  struct Tables {
    Param source, target, output;
  };
  Tables add_tables();

  explicit Model(const Config& config) : config_(config) {}
  Config config_;
  Params params_;
  std::vector<ParameterPart> parts_;
  std::string name_ = "the model";
};

// The model described by the configuration. Its parameters are declared, without memory and values
// (nn/params.h). Requires check_config(config). Throws Error if a vocabulary has no size.
std::unique_ptr<Model> make_model(const Config& config);

// The loss of a batch without training, on the host. The tape must be in inference mode, and is
// cleared.
LossSums score(const Model& model, Tape& tape, const Batch& batch);

}  // namespace tt
