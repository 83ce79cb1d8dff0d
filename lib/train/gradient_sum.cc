#include "train/gradient_sum.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/system.h"

namespace tt {
namespace {

constexpr std::int64_t kHome = 16;    // chunks, 4 MiB: the most that travels while as much is added
constexpr std::int64_t kRegions = 8;  // at least, where there are so many chunks

}  // namespace

GradientSum::GradientSum(const Params& params, const Backend& backend, const Ranks& ranks,
                         int shards)
    : params_(params), ranks_(ranks), link_(ranks.number() > 1 ? backend.link(ranks) : nullptr),
      shards_(shards), chunks_((params.size() + Reduce::kChunk - 1) / Reduce::kChunk),
      region_chunks_(ranks.number() *
                     std::clamp<std::int64_t>(chunks_ / (kRegions * ranks.number()), 1, kHome)) {
  TT_CHECK(shards >= ranks.number());
  for (int s = begin(); s < end(); ++s) gradients_.emplace_back(params, backend);
  plan();
  for (const Block& block : blocks_) {
    if (block.rank != ranks.rank()) continue;
    std::vector<float*> pointers;
    for (int s = block.begin; s < block.end; ++s) pointers.push_back(of(s).values());
    subtrees_.emplace_back(backend, std::span<float* const>(pointers));
  }
  if (ranks.number() == 1) return;
  unused_ = DeviceArray<double>(backend, chunks_ + region_chunks_);
  regions_ = (chunks_ + region_chunks_ - 1) / region_chunks_;
  for (std::int64_t r = 0; r < regions_; ++r) unfinished_.emplace_back(0);
  for (int s = begin(); s < end(); ++s)
    of(s).watch([this, s](std::int64_t offset, const Backend& on) { finished(s, offset, on); });

  const auto mine = [&](std::int64_t r) { return home(ranks.rank(), r); };
  std::int64_t all = 0;
  for (std::int64_t r = 0; r < regions_; ++r) all += mine(r).end - mine(r).begin;
  std::vector<float*> at;
  for (const Block& block : blocks_)
    at.push_back(block.rank == ranks.rank() ? of(block.begin).values()
                                            : arrived_.emplace_back(backend, all).data());
  std::vector<std::size_t> block_of;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    block_of.insert(block_of.end(), static_cast<std::size_t>(blocks_[b].end - blocks_[b].begin), b);
  for (std::int64_t r = 0, place = 0; r < regions_; ++r) {
    std::vector<float*>& here = at_.emplace_back(at);
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      here[b] += blocks_[b].rank == ranks.rank() ? mine(r).begin : place;
    place += mine(r).end - mine(r).begin;
    // a + b = b + a, so that each sum may replace either of the two: the result then comes to be
    // where total() is.
    const float* const target = of(begin()).values() + mine(r).begin;
    std::vector<float*> sums = here;
    auto& additions = additions_.emplace_back();
    for (std::size_t stride = 1; stride < block_of.size(); stride *= 2)
      for (std::size_t s = 0; s + stride < block_of.size(); s += 2 * stride) {
        float *&to = sums[block_of[s]], *from = sums[block_of[s + stride]];
        if (to == from) continue;
        if (from == target) std::swap(to, from);
        additions.emplace_back(backend, std::span<float* const>(std::vector<float*>{to, from}));
      }
    TT_CHECK(sums.front() == target);
  }
}

GradientSum::~GradientSum() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
  }
  changed_.notify_all();
  link_->give_up();
  thread_.join();
}

// Subtrees of the whole tree: stretches of 2^k shards from a multiple of 2^k on, or up to the last
// shard.
void GradientSum::plan() {
  for (int r = 0; r < ranks_.number(); ++r)
    for (int s = first_shard(r), end = first_shard(r + 1); s < end;) {
      int size = 1;
      while (s + size < shards_ && s % (2 * size) == 0 && std::min(s + 2 * size, shards_) <= end)
        size *= 2;
      blocks_.push_back({s, std::min(s + size, shards_), r});
      s = blocks_.back().end;
    }
}

GradientSum::Stretch GradientSum::region(std::int64_t number) const {
  const auto place = [&](std::int64_t chunk) {
    return std::min(params_.size(), std::max<std::int64_t>(chunk, 0) * Reduce::kChunk);
  };
  const std::int64_t end = chunks_ - number * region_chunks_;
  return {place(end - region_chunks_), place(end)};
}

GradientSum::Stretch GradientSum::home(int rank, std::int64_t number) const {
  const auto [begin, end] = region(number);
  const std::int64_t first = begin / Reduce::kChunk,
                     chunks = (end - begin + Reduce::kChunk - 1) / Reduce::kChunk;
  const auto place = [&](int r) {
    return std::min(params_.size(), (first + chunks * r / ranks_.number()) * Reduce::kChunk);
  };
  return {place(rank), place(rank + 1)};
}

void GradientSum::start(double* squares) {
  squares_ = squares;
  if (ranks_.number() == 1) return;
  next_.assign(gradients_.size(), 0);
  ready_.assign(static_cast<std::size_t>(regions_), 0);
  for (std::atomic<int>& number : unfinished_) number = end() - begin();
  thread_ = sys::start_thread([this] {
    try {
      exchange();
    } catch (...) {
      failure_ = std::current_exception();
      link_->give_up();  // or destructors would wait for kernels that wait for other ranks
    }
  });
}

void GradientSum::add_up(const Over& over) {
  if (ranks_.number() == 1) {
    for (const DeviceArray<float*>& gradients : subtrees_)
      over(0, params_.size(), [&](std::int64_t begin, std::int64_t end, const Meter& meter) {
        meter.reduce({static_cast<int>(gradients.size()), gradients.data(), begin, end, squares_});
      });
    return;
  }
  thread_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void GradientSum::complete() {
  if (!link_) return;
  try {
    link_->complete();
  } catch (...) {
    link_->give_up();
    throw;
  }
}

// Called by the shards' threads, with offsets that fall.
void GradientSum::finished(int shard, std::int64_t offset, const Backend& backend) {
  std::int64_t& next = next_[static_cast<std::size_t>(shard - begin())];
  for (; next < regions_ && region(next).begin >= offset; ++next) {
    const auto number = static_cast<std::size_t>(next);
    if (--unfinished_[number] > 0) continue;
    const auto [begin, end] = region(next);
    for (const DeviceArray<float*>& gradients : subtrees_)
      if (gradients.size() > 1)
        backend.reduce(
            {static_cast<int>(gradients.size()), gradients.data(), begin, end, unused_.data()});
    link_->mark(next);
    const std::lock_guard lock(mutex_);
    ready_[number] = 1;
    changed_.notify_all();
  }
}

// False if it is given up.
bool GradientSum::wait_for(std::int64_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return given_up_ || ready_[static_cast<std::size_t>(number)]; });
  return !given_up_;
}

// Queues: 0 and 1 for what is contributed to regions, 2 and 3 for their sums.
void GradientSum::exchange() {
  for (std::int64_t r = 0; r < regions_ + 2; ++r) {
    if (r < regions_) {
      if (!wait_for(r)) return;
      link_->follow(r);
      contribute(r);
    }
    if (r >= 1 && r - 1 < regions_) combine(r - 1);
    if (r >= 2) link_->wait(2 + static_cast<int>(r % 2));
  }
  link_->finish();
}

// Starts to send the own part of each other's sum, and to receive the others' part of the own.
void GradientSum::contribute(std::int64_t number) {
  const int me = ranks_.rank();
  std::vector<Link::Part> sent, received;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].rank != me) {
      received.push_back(
          {blocks_[b].rank, at_[static_cast<std::size_t>(number)][b], home(me, number).size()});
      continue;
    }
    for (int q = 0; q < ranks_.number(); ++q)
      if (q != me)
        sent.push_back(
            {q, of(blocks_[b].begin).values() + home(q, number).begin, home(q, number).size()});
  }
  link_->exchange(static_cast<int>(number % 2), sent, received);
}

// Adds up the part at home, and exchanges the sums. What they replace was sent before: contribute()
// of this number has ended.
void GradientSum::combine(std::int64_t number) {
  const int queue = static_cast<int>(number % 2), me = ranks_.rank();
  link_->wait(queue);
  const auto [from, to] = home(me, number);
  const auto& additions = additions_[static_cast<std::size_t>(number)];
  for (const DeviceArray<float*>& two : additions) {
    const bool last = &two == &additions.back();
    if (from < to)
      link_->backend().reduce({2, two.data(), 0, to - from,
                               last ? squares_ + from / Reduce::kChunk : unused_.data() + chunks_});
  }
  float* total = gradients_.front().values();
  std::vector<Link::Part> sent, received;
  for (int q = 0; q < ranks_.number(); ++q) {
    if (q == me) continue;
    sent.push_back({q, total + from, to - from});
    received.push_back({q, total + home(q, number).begin, home(q, number).size()});
  }
  link_->exchange(2 + queue, sent, received);
}

}  // namespace tt
