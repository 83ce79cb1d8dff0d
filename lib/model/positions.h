// Sinusoidal positional encodings: a fixed vector per position, added to the embeddings.
//
// Source: "Attention Is All You Need" (2017), section 3.5:
//   PE(pos, 2i) = sin(pos / 10000^(2i/D)),  PE(pos, 2i+1) = cos(pos / 10000^(2i/D)).
// 2i is the (even) index of a dimension, so the exponent ranges from 0 to just under 1. Taking the
// index for i would double the exponent and give most dimensions wavelengths too long to
// distinguish positions in any sentence.
//
// Invariant: a row depends only on its position and on D, never on which rows are computed
// together.
#pragma once

#include <cstdint>
#include <vector>

namespace tt {

// The columns of the sine and the cosine of frequency i.
enum class PositionLayout {
  interleaved,    // columns 2i and 2i+1, as in the paper
  concatenated,   // columns i and ceil(D/2)+i: all sines, then all cosines
  tensor2tensor,  // concatenated, but with 10000^(i/(D/2 - 1)) in place of 10000^(2i/D): as in that
                  // library and in Marian
};

// Writes rows first..first+n-1 of the encoding to `out` [n, D], computed in double. An odd D has
// one more sine than cosines. Requires first >= 0, n >= 0, d >= 1.
void sinusoidal_positions(float* out, std::int64_t first, std::int64_t n, std::int64_t d,
                          PositionLayout layout = PositionLayout::interleaved);

// Writes the map M [D, D] with M PE(pos) = PE(pos + by) for every position: for each frequency of
// angle a the rotation by `by` a, [cos, sin; -sin, cos] over its sine and its cosine. Requires d to
// be even, as a sine without its cosine does not determine the next one.
void rotate_positions(float* map, std::int64_t by, std::int64_t d,
                      PositionLayout layout = PositionLayout::interleaved);

// The bucket of each distance from -far to far between a query and a key, [2 far + 1]. Half of the
// buckets hold one distance each, from 0 on, the others stretches of distances that grow as these
// do, so that the last begins before `far`. With `both` a key behind the query has other buckets
// than one before it, of which each then has half; without, all keys behind it are at distance 0.
// Requires buckets >= 4 and far > buckets / 2. Source: Raffel et al. 2020, section 2.1, as their
// program in mesh_tensorflow computes it.
std::vector<std::int32_t> distance_buckets(int buckets, int far, bool both);

// The wavelength of a dimension in positions: 2 pi 10000^(2i/D), where i is the index of its
// frequency. Requires 0 <= dimension < d.
double wavelength(std::int64_t dimension, std::int64_t d,
                  PositionLayout layout = PositionLayout::interleaved);

}  // namespace tt
