// Matrices in the order in which products of the host read them: what Pack (tensor/backend.h) writes there, the same on every
// processor, and what the file of a packed model has (tt-model(5)), so that nothing is converted when it is read.
//
// Column j of W [k, n] is column j % 16 of panel j / 16, a matrix [k, 16]; the panels follow each other. Their number is even,
// for processors that take two at a time; columns that pad are zeros.
#pragma once

#include <cstdint>

namespace tt {

inline constexpr std::int64_t kPanelColumns = 16;

inline std::int64_t panels_of(std::int64_t n) { return (n + 2 * kPanelColumns - 1) / (2 * kPanelColumns) * 2; }
inline std::int64_t panel_floats(std::int64_t n, std::int64_t k) { return panels_of(n) * kPanelColumns * k; }

// Where W[0][j] is; W[i][j] is i * kPanelColumns floats behind it.
inline const float* column_of(const float* panels, std::int64_t k, std::int64_t j) {
  return panels + j / kPanelColumns * kPanelColumns * k + j % kPanelColumns;
}

// W [k, n], or its transpose if transposed, of panels.
void unpack(bool transposed, std::int64_t n, std::int64_t k, const float* panels, float* w);

}  // namespace tt
