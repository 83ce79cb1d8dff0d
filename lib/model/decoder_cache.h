// A decoder's memory of earlier steps of search, which later ones read: keys and values, or the
// cells of recurrent units.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nn/ops.h"

namespace tt {

// It owns all matrices that the tape makes while there is one, of which a step leaves those that
// later ones need.
class DecoderCache {
 public:
  explicit DecoderCache(Tape& tape) : tape_(tape), all_(tape.mark()) {}
  virtual ~DecoderCache() = default;

  // Begins a step of so many rows, one for each hypothesis.
  virtual void begin_step(std::int64_t rows) = 0;
  // The sub-layer of `layer`, from 0, in this step, which reads what was decoded. `inputs` is the
  // product of its rows: queries, keys and values, or gates.
  virtual Var read(std::size_t layer, Var inputs) = 0;
  // The matrix of the layer read last that later steps need.
  Var last() const { return kept_.back(); }
  void end_step() { tape_.keep(step_, kept_); }
  // Row r of the next step goes on from row parents[r] of this one.
  virtual void reorder(std::span<const std::int32_t> parents) = 0;

 protected:
  Tape& tape_;
  const std::size_t all_;  // the tape's mark before what any step has made
  std::size_t step_ = 0;   // and before what this one makes
  std::vector<Var> kept_;  // of this step
};

// Keys and values of self-attention with these heads, one for each layer, which differ in their
// parameters alone; window: see Segments.
std::unique_ptr<DecoderCache> keys_and_values(Tape& tape, std::vector<Heads> layers,
                                              std::int64_t window);
// Cells of simpler simple recurrent units.
std::unique_ptr<DecoderCache> unit_cells(Tape& tape, std::size_t layers);

}  // namespace tt
