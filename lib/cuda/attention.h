// Shared by the two files of attention: attention.cu, and attention_warps.cu for tensor cores.
#pragma once

#include "base/error.h"
#include "cuda/gpu.h"
#include "tensor/backend.h"

namespace tt::gpu {

// A block for each segment, head and `rows` of the longest segment. Throws Error if that is too
// long.
inline dim3 tiles(const Attention& a, std::int64_t longest, std::int64_t rows) {
  if (divide_up(longest, rows) > kMostAcross)
    throw Error("a sentence of ", longest,
                " tokens is too long for this GPU; use shorter ones, or the CPU");
  return blocks(a.segments.count * a.heads, divide_up(longest, rows));
}

// Whether scores have no bias, heads are at most 128 columns wide, and every row of one begins at a
// multiple of 16 bytes and is one long.
bool fits_warps(const Attention& a);
bool fits_warps(const AttentionBackward& b);
// Attention on tensor cores, with factors rounded to the device's precision. Require fits_warps().
void attend_with_warps(const Device& device, const Attention& a);
void attend_backward_with_warps(const Device& device, const AttentionBackward& b);

}  // namespace tt::gpu
