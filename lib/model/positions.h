// Sinusoidal positional encodings: a fixed vector per position, added to the embeddings.
//
// Source: "Attention Is All You Need" (2017), section 3.5:
//   PE(pos, 2i) = sin(pos / 10000^(2i/D)),  PE(pos, 2i+1) = cos(pos / 10000^(2i/D)).
// 2i is the even index of a dimension, so the exponent runs from 0 to just under 1. A program that puts the index where the
// formula has i doubles the exponent and gives most of its dimensions to waves that no sentence is long enough to tell apart.
//
// Invariant: a row depends on its position and on D only, never on which rows are asked for together with it.
#pragma once

#include <cstdint>

namespace tt {

// Where the sine and the cosine of frequency i stand in a row.
enum class PositionLayout {
  interleaved,    // columns 2i and 2i+1, as in the paper
  concatenated,   // columns i and ceil(D/2)+i: all sines, then all cosines
  tensor2tensor,  // concatenated, but with 10000^(i/(D/2 - 1)) in place of 10000^(2i/D): of that library, and of Marian
};

// Writes rows first..first+n-1 of the encoding to `out` [n, D], computed in double. An odd D has one more sine than cosines.
// Requires first >= 0, n >= 0, d >= 1.
void sinusoidal_positions(float* out, std::int64_t first, std::int64_t n, std::int64_t d,
                          PositionLayout layout = PositionLayout::interleaved);

// The wavelength of one dimension in positions: 2 pi 10000^(2i/D), where i is the dimension's frequency.
// Requires 0 <= dimension < d.
double wavelength(std::int64_t dimension, std::int64_t d, PositionLayout layout = PositionLayout::interleaved);

}  // namespace tt
