// The sum of the gradients of all shards in one fixed tree, wherever each of them was computed.
//
// The tree adds neighbours, then neighbouring pairs, and so on (Reduce in tensor/backend.h). A rank
// has a stretch of shards, and adds up the subtrees that it has whole. Of the parameters, too, each
// rank has stretches, its homes, where it adds what the others send, in the order of the tree, and
// sends them the sum: what a rank sends and receives is less than twice the parameters (where the
// number of ranks is a power of 2; otherwise up to as often as it has subtrees), however many ranks
// there are.
//
// It travels while the backward pass goes on. Parameters are declared in the order in which the
// forward pass uses them, so that their gradients become final from the last to the first. They are
// divided into regions, in each of which every rank has a home; the shard that is the last to
// finish a region adds up this rank's subtrees there, and a thread beside the shards exchanges one
// region after the other. The embeddings, which are used first, are what is left to wait for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ranks.h"
#include "nn/params.h"
#include "tensor/link.h"
#include "tensor/meter.h"

namespace tt {

class GradientSum {
 public:
  // Keeps references to the parameters, the backend and the ranks. Requires as many shards as
  // ranks, at least. Memory: a gradient for each shard of this rank, and with several ranks about
  // one more. Throws Error if the ranks cannot be linked.
  GradientSum(const Params& params, const Backend& backend, const Ranks& ranks, int shards);
  // Gives up an exchange that has begun.
  ~GradientSum();

  // The shards of this rank: begin() to end() - 1.
  int begin() const { return first_shard(ranks_.rank()); }
  int end() const { return first_shard(ranks_.rank() + 1); }
  Gradients& of(int shard) { return gradients_[static_cast<std::size_t>(shard - begin())]; }

  // Calls f for stretches of whole chunks that cover [begin, end).
  using Work = std::function<void(std::int64_t begin, std::int64_t end, const Meter&)>;
  using Over = std::function<void(std::int64_t begin, std::int64_t end, const Work& f)>;
  // Begins an update: from now on the ranks exchange what their shards have finished. `squares`,
  // [chunks], gets the sum of squares of those chunks that this rank is at home in; between the two
  // calls it belongs to the exchange. Throws std::system_error if a thread cannot be started.
  void start(double* squares);
  // Adds up all gradients, of which the shards' own are undefined afterwards. Every shard must be
  // finished. Throws Error.
  void add_up(const Over& over);
  // Waits for what other ranks send, which add_up() on a GPU does not. Throws Error if it cannot
  // come.
  void complete();
  // The result, [params.size()], on the device.
  const float* total() const { return gradients_.front().values(); }

 private:
  struct Block {  // of shards: a subtree that one rank has whole
    int begin, end, rank;
  };
  struct Stretch {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
  };

  int first_shard(int rank) const {
    return static_cast<int>(std::int64_t{shards_} * rank / ranks_.number());
  }
  Stretch region(std::int64_t number) const;          // from the last parameters, 0, to the first
  Stretch home(int rank, std::int64_t number) const;  // in a region
  void plan();
  void finished(int shard, std::int64_t offset, const Backend& backend);
  bool wait_for(std::int64_t number);
  void exchange();
  void contribute(std::int64_t number);
  void combine(std::int64_t number);

  const Params& params_;
  const Ranks& ranks_;
  std::unique_ptr<Link> link_;  // null if the rank is alone
  const int shards_;
  std::int64_t chunks_, region_chunks_, regions_ = 0;
  std::deque<Gradients> gradients_;            // of the own shards
  std::vector<Block> blocks_;                  // of all ranks, in the order of their shards
  std::vector<DeviceArray<float*>> subtrees_;  // the gradients of each own block
  double* squares_ = nullptr;
  DeviceArray<double> unused_;  // squares of what is not the result: of subtrees, and at home

  // With several ranks, of each region: where the home's part of each block is, and the additions
  // of blocks, two by two, in the order of the tree.
  std::deque<DeviceArray<float>> arrived_;
  std::vector<std::vector<float*>> at_;
  std::vector<std::vector<DeviceArray<float*>>> additions_;

  std::vector<std::int64_t> next_;  // of each own shard: the region that it finishes next
  std::deque<std::atomic<int>>
      unfinished_;  // of each region: the own shards that have not finished it
  std::thread thread_;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<char> ready_;  // of each region
  bool given_up_ = false;
};

}  // namespace tt
