// The tied projection in inference: the distribution over the pieces that may come next, of all
// pieces, or of a list for each sentence.
//
// Logits [n, V] are not stored where the host computes: stretches of them are looked at while in
// the cache.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/tape.h"
#include "tensor/device_array.h"

namespace tt {

// Logits x table^T + bias: table [V, D], optional bias [V].
struct Projection {
  Param table, bias;
};

// A query about the distribution softmax(logits) of each row of x, and its result, on the host.
struct BestQuery {
  int best = 1;  // so many of its largest log-probabilities
  std::span<const std::int32_t>
      barred;  // [rows, ...]: pieces that are not to be among these; negative: none
  std::span<const std::int32_t>
      asked;  // [rows, ...]: pieces whose log-probabilities are wanted whatever they are
};
struct BestScores {
  std::vector<float> values;  // [rows, best], descending; minus infinity where there are fewer
  std::vector<std::int32_t> pieces;  // [rows, best]
  std::vector<float> asked;          // [rows, ...], in the order of the query
};

// Pieces, ascending, at least one.
using PieceList = std::vector<std::int32_t>;

struct OutputColumns;

class OutputLayer {
 public:
  // The tape must be in inference, and outlive it.
  OutputLayer(Tape& tape, const Projection& to) : tape_(tape), to_(to) {}

  // Whether the layer can be restricted: the backend has the host's memory, and panels.
  static bool can_restrict(const Backend& backend);
  // From now on sentence s can have the pieces of lists[s] alone: its softmax is over these, and
  // others have the log-probability minus infinity. Copies their columns of the projection, once
  // for all steps, so that each of these costs a product with as many columns as the list has
  // pieces; a logit has the bits that it has among all.
  void restrict(std::vector<PieceList> lists);

  // Queries the rows of x [n, D], which are of these sentences [n]; those of one are adjacent.
  // Barred pieces keep their share of the probability: that of the others does not sum to one.
  void best(Var x, std::span<const std::int32_t> sentences, const BestQuery& query,
            BestScores& scores) const;
  // Sets `all` to log softmax(logits), [n, V], on the host.
  void distribution(Var x, std::span<const std::int32_t> sentences, std::vector<float>& all) const;

 private:
  OutputColumns columns_of(std::size_t sentence) const;
  void copy_columns(std::size_t sentence) const;
  std::int64_t stored_depth() const;
  Matrix packed(std::size_t sentence) const;
  std::span<const std::int32_t> places(std::span<const std::int32_t> pieces,
                                       std::span<const std::int32_t> sentences,
                                       std::vector<std::int32_t>& scratch) const;
  template <class Each>
  void project(Var x, std::span<const std::int32_t> sentences, bool whole, const Each& each) const;

  Tape& tape_;
  const Projection to_;
  std::vector<PieceList> lists_;  // by sentence; none: all pieces
  // The columns of all lists, one list behind the other, as row products prefer them, or in eight
  // bits.
  std::vector<std::int64_t> begins_;  // of each list
  DeviceArray<float> panels_, scales_, bias_;
  DeviceArray<std::uint32_t> int8_panels_;
};

// values[i] = the log-probability of targets[i] in row i of x [n, D]; both [n], on the device.
void projected_scores(Tape& tape, Var x, const Projection& to, const std::int32_t* targets,
                      float* values);

}  // namespace tt
