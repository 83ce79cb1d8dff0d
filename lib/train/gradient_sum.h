// The sum of the gradients of all shards in one fixed tree, wherever each of them was computed.
//
// The tree adds neighbours, then neighbouring pairs, and so on (Reduce in tensor/backend.h). A rank has a stretch of shards, and
// adds up the subtrees that it has whole. Of the parameters, too, each rank has a stretch, its home, where it adds what the
// others send, in the order of the tree, and sends them the sum: what a rank sends and receives is less than twice the parameters
// (where the number of ranks is a power of 2; otherwise up to as often as it has subtrees), however many ranks there are. Parts
// of it travel while others are added.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "base/ranks.h"
#include "nn/params.h"
#include "tensor/meter.h"

namespace tt {

class GradientSum {
 public:
  // Keeps references to the parameters, the backend and the ranks. Requires as many shards as ranks, at least, and memory of the
  // host where there are several. Memory: a gradient for each shard of this rank, and with several ranks about one more.
  GradientSum(const Params& params, const Backend& backend, const Ranks& ranks, int shards);

  // The shards of this rank: begin() to end() - 1.
  int begin() const { return first_shard(ranks_.rank()); }
  int end() const { return first_shard(ranks_.rank() + 1); }
  Gradients& of(int shard) { return gradients_[static_cast<std::size_t>(shard - begin())]; }

  // Calls f for stretches of whole chunks that cover [begin, end).
  using Work = std::function<void(std::int64_t begin, std::int64_t end, const Meter&)>;
  using Over = std::function<void(std::int64_t begin, std::int64_t end, const Work& f)>;
  // Adds up all gradients, of which the shards' own are undefined afterwards. `squares`, [chunks], gets the sum of squares of
  // those chunks that this rank is at home in.
  void add_up(const Over& over, double* squares);
  // The result, [params.size()], on the device.
  const float* total() const { return gradients_.front().values(); }

 private:
  struct Block {  // of shards: a subtree that one rank has whole
    int begin, end, rank;
  };
  struct Stretch {
    std::int64_t begin, end;
    std::size_t bytes() const { return static_cast<std::size_t>(end - begin) * sizeof(float); }
  };

  int first_shard(int rank) const { return static_cast<int>(std::int64_t{shards_} * rank / ranks_.number()); }
  Stretch home(int rank) const;
  Stretch part(int rank, std::int64_t number) const;  // of its home
  void plan();
  void contribute(std::int64_t number);
  void combine(std::int64_t number, const Over& over, double* squares);

  const Params& params_;
  const Ranks& ranks_;
  const int shards_;
  std::int64_t chunks_, parts_ = 0;
  std::deque<Gradients> gradients_;  // of the own shards
  std::vector<Block> blocks_;        // of all ranks, in the order of their shards
  std::vector<float*> at_;           // where the home's part of each block is
  std::deque<DeviceArray<float>> arrived_;
  std::vector<DeviceArray<float*>> subtrees_;   // the gradients of each own block
  std::vector<DeviceArray<float*>> additions_;  // of blocks, two by two, in the order of the tree
  DeviceArray<double> unused_;                  // squares of what is not the result
};

}  // namespace tt
