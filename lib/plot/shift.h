// Whether the encoding of a position is a linear function of that k positions before.
//
// Source: "Attention Is All You Need" (2017), section 3.5: "for any fixed offset k, PE(pos + k) can
// be represented as a linear function of PE(pos)". For sines and cosines it is a rotation for each
// frequency, whatever the position (rotate_positions() of model/positions.h); of learned positions
// it can only be asked how well one map fits them all.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file.h"
#include "plot/encoding.h"

namespace tt::plot {

// The map M [columns, columns] with the least squared error of M PE(pos) = PE(pos + by) over every
// second position of the table, from the first one on, and of those the map with the least norm.
// Requires 1 <= by < rows. Throws Error if a value is not finite.
std::vector<float> fitted_shift(const EncodingTable& table, std::int64_t by);

// The map from each encoding to that `by` positions behind it, and its errors over the positions,
// |M PE(pos) - PE(pos + by)| / |PE(pos + by)|: of the exact map, if there is one, which then is the
// one drawn; of the fitted one where it was fitted, and elsewhere.
Figure shift_of(const EncodingTable& table, std::int64_t by, const std::vector<float>& exact,
                const std::vector<float>& fitted);

}  // namespace tt::plot
