// A COMET model: the encoder of model/transformer.h, the mix of its layers, and the feed-forward
// network.
//
// Letters: N layers, D the encoder's width, n texts or segments.
#pragma once

#include <span>
#include <vector>

#include "comet/settings.h"
#include "model/transformer.h"

namespace tt {

class CometModel : private Transformer {
 public:
  // Declares the parameters, without memory and values.
  explicit CometModel(const CometSettings& settings);

  using Model::params;
  using Model::parts;  // of the encoder
  const CometSettings& settings() const { return settings_; }

  // The embeddings of texts, [n, D]; each depends on its text alone. The tape, which must be in
  // inference, is cleared.
  std::vector<float> embed(Tape& tape, const Sequences& texts) const;

  // The numbers that the feed-forward network reads for one segment.
  std::int64_t features() const;
  // Appends them, from the embeddings of its texts, [D]. Requires a model that reads these one by
  // one; one without reference does not look at it.
  void add_features(std::span<const float> source, std::span<const float> translation,
                    std::span<const float> reference, std::vector<float>& features) const;
  // The scores of n segments, [n, features()]. The tape is cleared.
  std::vector<float> score(Tape& tape, std::span<const float> features) const;

 private:
  struct Layer {
    Param weight, bias;
  };
  void pool(std::span<const float> rows, double weight, std::span<double> sums) const;

  CometSettings settings_;
  // Of the embeddings and of each layer: the factor of its rows in the sum, [N + 1].
  Param mix_;
  std::vector<Layer> layers_;  // of the feed-forward network
};

}  // namespace tt
