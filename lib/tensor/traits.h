// Traits that a backend states, so that nobody needs to ask which one it is, and the precision that
// it is asked for.
#pragma once

#include <cstdint>

#include "tensor/matrix.h"

namespace tt {

// The format to which products round their factors; sums are float32.
enum class Precision { float32, tf32, bfloat16 };
inline const char* name_of(Precision precision) {
  constexpr const char* kNames[] = {"float32", "tf32", "bfloat16"};
  return kNames[static_cast<int>(precision)];
}

struct Traits {
  // The host may access its memory, and its kernels the host's: nothing needs to be copied.
  bool host_memory = true;
  // Kernels are computed one after another by something that is busy only with large ones,
  // whichever threads ask for them. Otherwise each is computed by the thread that calls it.
  bool queue = false;

  // The type in which products read their factors; those of another type they convert first. What
  // several products read is converted once (Round), or written so by the kernel that computes it.
  ElementType factors = ElementType::float32;
  // The type in which a product may write a result that only activations, attention, cross_entropy
  // and products read, and these may work. Such a result has whole multiples of 8 columns.
  ElementType results = ElementType::float32;
  // The most columns of a head, a multiple of 8, of whose queries, keys and values this is true.
  std::int64_t result_heads = 0;
  // The type of a W that does not change, for row products: what Pack writes.
  ElementType weights = ElementType::float32;
};

}  // namespace tt
