// A backend's memory for activations and gradients: taken and given back inside a step without asking the backend.
//
// Invariant: the blocks of a chunk, in address order, cover it without gaps, and no two neighbouring blocks are both free. The first
// step grows the arena; later steps of the same size find everything in it. One arena belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tensor/backend.h"

namespace tt {

class Arena {
 public:
  // The backend must outlive the arena.
  explicit Arena(const Backend& backend) : backend_(backend) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // `bytes` bytes, aligned to 64, uninitialised. Throws Error if the backend has no more.
  void* take(std::size_t bytes);
  // Gives back what take() returned; null is allowed.
  void give(void* memory);

  template <class T>
  T* take_array(std::int64_t n) {
    return static_cast<T*>(take(static_cast<std::size_t>(n) * sizeof(T)));
  }

  std::size_t used() const { return used_; }          // bytes taken now
  std::size_t peak() const { return peak_; }          // the largest used() so far
  std::size_t reserved() const { return reserved_; }  // bytes held from the backend

 private:
  struct Block {
    std::size_t size;
    bool free;
    bool first;  // begins a chunk: is never merged with the block before it
  };
  using Blocks = std::map<std::byte*, Block>;

  void grow(std::size_t bytes);

  const Backend& backend_;
  Blocks blocks_;
  std::multimap<std::size_t, std::byte*> free_;  // by size: take() looks for the smallest that is large enough
  std::vector<void*> chunks_;
  std::size_t used_ = 0, peak_ = 0, reserved_ = 0;
};

}  // namespace tt
