#include "tensor/arena.h"

#include <algorithm>

namespace tt {
namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kChunk = std::size_t{16} << 20;

void forget(std::multimap<std::size_t, std::byte*>& free, std::size_t size, std::byte* at) {
  for (auto it = free.lower_bound(size); it != free.end() && it->first == size; ++it)
    if (it->second == at) {
      free.erase(it);
      return;
    }
  TT_CHECK(false);
}

}  // namespace

Arena::~Arena() {
  for (void* chunk : chunks_) backend_.release(chunk);
}

void Arena::grow(std::size_t bytes) {
  const std::size_t size = std::max(kChunk, (bytes + kChunk / 4 - 1) / (kChunk / 4) * (kChunk / 4));
  chunks_.reserve(chunks_.size() + 1);
  std::byte* at = nullptr;
  try {
    at = static_cast<std::byte*>(backend_.allocate(size));
  } catch (const Error&) {
    if (!shrink()) throw;
    at = static_cast<std::byte*>(backend_.allocate(size));
  }
  chunks_.push_back(at);
  reserved_ += size;
  blocks_[at] = {size, true, true};
  free_.emplace(size, at);
}

bool Arena::shrink() {
  const auto goes = [&](void* chunk) {
    const auto block = blocks_.find(static_cast<std::byte*>(chunk));
    const auto after = std::next(block);
    if (!block->second.free || (after != blocks_.end() && !after->second.first)) return false;
    forget(free_, block->second.size, block->first);
    reserved_ -= block->second.size;
    blocks_.erase(block);
    backend_.release(chunk);
    return true;
  };
  return std::erase_if(chunks_, goes) > 0;
}

void* Arena::take(std::size_t bytes) {
  const std::size_t size = std::max(kAlign, (bytes + kAlign - 1) / kAlign * kAlign);
  auto fit = free_.lower_bound(size);
  if (fit == free_.end()) {
    grow(size);
    fit = free_.lower_bound(size);
  }
  std::byte* at = fit->second;
  Block& block = blocks_[at];
  free_.erase(fit);
  block.free = false;
  if (block.size > size) {
    std::byte* rest = at + size;
    blocks_[rest] = {block.size - size, true, false};
    free_.emplace(block.size - size, rest);
    block.size = size;
  }
  used_ += size;
  return at;
}

void Arena::give(void* memory) {
  if (!memory) return;
  auto it = blocks_.find(static_cast<std::byte*>(memory));
  TT_CHECK(it != blocks_.end() && !it->second.free);
  used_ -= it->second.size;
  it->second.free = true;
  const auto after = std::next(it);
  if (after != blocks_.end() && after->second.free && !after->second.first) {
    forget(free_, after->second.size, after->first);
    it->second.size += after->second.size;
    blocks_.erase(after);
  }
  if (!it->second.first && it != blocks_.begin()) {
    const auto before = std::prev(it);
    if (before->second.free) {
      forget(free_, before->second.size, before->first);
      before->second.size += it->second.size;
      blocks_.erase(it);
      it = before;
    }
  }
  free_.emplace(it->second.size, it->first);
}

}  // namespace tt
