// Device memory for activations and gradients: allocated and freed within a step without calling
// the backend.
//
// Invariant: the blocks of a chunk, in address order, cover it without gaps, and no two
// neighbouring blocks are both free. The first step grows the arena; later steps of the same size
// fit into it. Where the backend has no more memory, chunks that are not in use go back to it for a
// larger one. An arena belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/error.h"
#include "tensor/backend.h"

namespace tt {

class Arena {
 public:
  // The backend must outlive the arena.
  explicit Arena(const Backend& backend) : backend_(backend) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // `bytes` bytes, aligned to 64, uninitialised. Throws Error if the backend has no more memory.
  void* take(std::size_t bytes);
  // Frees memory returned by take(); null is allowed.
  void give(void* memory);

  template <class T>
  T* take_array(std::int64_t n) {
    TT_CHECK(n >= 0 && n <= PTRDIFF_MAX / static_cast<std::int64_t>(2 * sizeof(T)));
    return static_cast<T*>(take(static_cast<std::size_t>(n) * sizeof(T)));
  }

  std::size_t used() const { return used_; }          // bytes in use
  std::size_t reserved() const { return reserved_; }  // bytes held from the backend

 private:
  struct Block {
    std::size_t size;
    bool free;
    bool first;  // begins a chunk: never merged with the preceding block
  };
  using Blocks = std::map<std::byte*, Block>;

  void grow(std::size_t bytes);
  bool shrink();  // gives chunks back that are free as a whole; false: there were none

  const Backend& backend_;
  Blocks blocks_;
  std::multimap<std::size_t, std::byte*>
      free_;  // by size: take() uses the smallest that is large enough
  std::vector<void*> chunks_;
  std::size_t used_ = 0, reserved_ = 0;
};

}  // namespace tt
