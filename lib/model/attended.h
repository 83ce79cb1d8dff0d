// States of models that tell, while search goes on, how they attend to the source.
#pragma once

#include <span>

#include "model/model.h"

namespace tt {

// A head of the decoder's attention to the encoder, or all heads of a layer; both from 1.
struct AttentionHead {
  int layer = 1, head = 0;  // 0: all
};

// A State of which attention can be asked for. Where it is not one, attention must be read by
// Model::attention_weights().
class AttendedState : public State {
 public:
  // Lets every later step find how these heads attend. False if it cannot.
  virtual bool attend(std::span<const AttentionHead> heads) = 0;
  // Of row i in the last step, before reorder(): the sum over these heads, [source rows].
  virtual std::span<const float> attention(std::size_t row) const = 0;
};

}  // namespace tt
