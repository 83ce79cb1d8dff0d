#include "train/gradient_sum.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace tt {
namespace {

constexpr std::int64_t kPart = 16;  // chunks, 4 MiB: what travels while as much is added

}  // namespace

GradientSum::GradientSum(const Params& params, const Backend& backend, const Ranks& ranks, int shards)
    : params_(params), ranks_(ranks), shards_(shards), chunks_((params.size() + Reduce::kChunk - 1) / Reduce::kChunk) {
  TT_CHECK(shards >= ranks.number() && (ranks.number() == 1 || backend.is_host()));
  for (int s = begin(); s < end(); ++s) gradients_.emplace_back(params, backend);
  plan();
  const Stretch mine = home(ranks.rank());
  for (const Block& block : blocks_) {
    if (block.rank != ranks.rank()) {
      at_.push_back(arrived_.emplace_back(backend, mine.end - mine.begin).data());
      continue;
    }
    at_.push_back(of(block.begin).values() + mine.begin);
    std::vector<float*> pointers;
    for (int s = block.begin; s < block.end; ++s) pointers.push_back(of(s).values());
    subtrees_.emplace_back(backend, std::span<float* const>(pointers));
  }
  if (ranks.number() == 1) return;
  unused_ = DeviceArray<double>(backend, chunks_);
  for (int r = 0; r < ranks.number(); ++r)
    parts_ = std::max(parts_, ((home(r).end - home(r).begin) / Reduce::kChunk + kPart) / kPart);

  // a + b = b + a, so that each sum may replace either of the two: the result then comes to be where total() is.
  const float* const target = of(begin()).values() + mine.begin;
  std::vector<std::size_t> block_of;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    block_of.insert(block_of.end(), static_cast<std::size_t>(blocks_[b].end - blocks_[b].begin), b);
  std::vector<float*> sums = at_;
  for (std::size_t stride = 1; stride < block_of.size(); stride *= 2)
    for (std::size_t s = 0; s + stride < block_of.size(); s += 2 * stride) {
      float *&to = sums[block_of[s]], *from = sums[block_of[s + stride]];
      if (to == from) continue;
      if (from == target) std::swap(to, from);
      additions_.emplace_back(backend, std::span<float* const>(std::vector<float*>{to, from}));
    }
  TT_CHECK(sums.front() == target);
}

// Subtrees of the whole tree: stretches of 2^k shards from a multiple of 2^k on, or up to the last shard.
void GradientSum::plan() {
  for (int r = 0; r < ranks_.number(); ++r)
    for (int s = first_shard(r), end = first_shard(r + 1); s < end;) {
      int size = 1;
      while (s + size < shards_ && s % (2 * size) == 0 && std::min(s + 2 * size, shards_) <= end) size *= 2;
      blocks_.push_back({s, std::min(s + size, shards_), r});
      s = blocks_.back().end;
    }
}

GradientSum::Stretch GradientSum::home(int rank) const {
  const auto place = [&](int r) { return std::min(params_.size(), chunks_ * r / ranks_.number() * Reduce::kChunk); };
  return {place(rank), place(rank + 1)};
}

GradientSum::Stretch GradientSum::part(int rank, std::int64_t number) const {
  const auto [begin, end] = home(rank);
  const std::int64_t size = kPart * Reduce::kChunk;
  return {std::min(end, begin + number * size), std::min(end, begin + (number + 1) * size)};
}

void GradientSum::add_up(const Over& over, double* squares) {
  const bool alone = ranks_.number() == 1;
  for (const DeviceArray<float*>& gradients : subtrees_) {
    if (!alone && gradients.size() == 1) continue;
    over(0, params_.size(), [&](std::int64_t begin, std::int64_t end, const Meter& meter) {
      meter.reduce({static_cast<int>(gradients.size()), gradients.data(), begin, end, alone ? squares : unused_.data()});
    });
  }
  if (alone) return;
  // Queues: 0 and 1 for what parts contribute, 2 and 3 for their sums.
  contribute(0);
  for (std::int64_t p = 0; p < parts_; ++p) {
    if (p + 1 < parts_) contribute(p + 1);
    combine(p, over, squares);
    if (p > 0) ranks_.wait(2 + static_cast<int>((p - 1) % 2));
  }
  ranks_.wait(2 + static_cast<int>((parts_ - 1) % 2));
}

// Starts to send the own part of each other's sum, and to receive the others' part of the own.
void GradientSum::contribute(std::int64_t number) {
  const int queue = static_cast<int>(number % 2), me = ranks_.rank();
  const Stretch mine = part(me, number);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].rank != me) {
      ranks_.receive(queue, blocks_[b].rank, at_[b] + (mine.begin - home(me).begin), mine.bytes());
      continue;
    }
    for (int q = 0; q < ranks_.number(); ++q)
      if (q != me) ranks_.send(queue, q, of(blocks_[b].begin).values() + part(q, number).begin, part(q, number).bytes());
  }
}

// Adds up the part at home, and exchanges the sums. What they replace was sent before: contribute() of this number has ended.
void GradientSum::combine(std::int64_t number, const Over& over, double* squares) {
  const int queue = static_cast<int>(number % 2), me = ranks_.rank();
  ranks_.wait(queue);
  const Stretch mine = part(me, number);
  const std::int64_t from = home(me).begin;
  for (const DeviceArray<float*>& two : additions_)
    over(mine.begin - from, mine.end - from, [&](std::int64_t begin, std::int64_t end, const Meter& meter) {
      const bool last = &two == &additions_.back();
      meter.reduce({2, two.data(), begin, end, last ? squares + from / Reduce::kChunk : unused_.data()});
    });
  float* total = gradients_.front().values();
  for (int q = 0; q < ranks_.number(); ++q) {
    if (q == me) continue;
    ranks_.send(2 + queue, q, total + mine.begin, mine.bytes());
    ranks_.receive(2 + queue, q, total + part(q, number).begin, part(q, number).bytes());
  }
}

}  // namespace tt
