// Matrices in the order in which products of the host read them: what Pack (tensor/backend.h)
// writes there, the same on every processor, and what the file of a packed model has (tt-model(5)),
// so that nothing is converted when it is read.
//
// Column j of W [k, n] is column j % 16 of panel j / 16, a matrix [k, 16]; the panels follow each
// other. Their number is even, for processors that take two at a time; columns that pad are zeros.
// In paired panels the bits of W[2i][j] and W[2i + 1][j], rounded to bfloat16, are the lower and
// the upper half of a number of 32 bits, so that a panel is a matrix [ceil(k / 2), 16] of these;
// they are made when a model is loaded, and no file has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tensor/matrix.h"

namespace tt {

inline constexpr std::int64_t kPanelColumns = 16;

inline std::int64_t panels_of(std::int64_t n) {
  return (n + 2 * kPanelColumns - 1) / (2 * kPanelColumns) * 2;
}
inline std::int64_t panel_floats(std::int64_t n, std::int64_t k) {
  return panels_of(n) * kPanelColumns * k;
}

// Pairs of neighbours among k; the last may have a zero in place of its second.
inline std::int64_t pairs_of(std::int64_t k) { return (k + 1) / 2; }

// Bytes of a W, or with `transposed` of W^T, that Pack has written in this type; 0: it is read as
// it is.
inline std::size_t packed_bytes(ElementType type, bool transposed, std::int64_t n, std::int64_t k) {
  if (type == ElementType::panels)
    return static_cast<std::size_t>(panel_floats(n, k)) * sizeof(float);
  if (type == ElementType::paired_panels)
    return static_cast<std::size_t>(panel_floats(n, pairs_of(k))) * sizeof(float);
  if (type == ElementType::float32) return 0;
  return transposed ? bytes_of(type, n, k) : bytes_of(type, k, n);
}

// Rows [begin, begin + n) of a table that is W^T, or of panels of either type of its W. Requires
// that `begin` is a multiple of 2 kPanelColumns, at which panels begin.
inline ConstMatrix table_rows(const ConstMatrix& table, std::int64_t begin, std::int64_t n) {
  const bool pairs = table.type == ElementType::paired_panels;
  if (!pairs && table.type != ElementType::panels) return table.rows_from(begin, n);
  const std::int64_t depth = pairs ? pairs_of(table.columns) : table.columns;
  return {table.floats() + panel_floats(begin, depth), table.type, n, table.columns};
}

// The place of W[0][j]; W[i][j] is i * kPanelColumns floats behind it.
inline const float* column_of(const float* panels, std::int64_t k, std::int64_t j) {
  return panels + j / kPanelColumns * kPanelColumns * k + j % kPanelColumns;
}

// W [k, n], or its transpose if transposed, of panels.
void unpack(bool transposed, std::int64_t n, std::int64_t k, const float* panels, float* w);

// The panels of some columns of W [k, .], to [panel_floats(columns.size(), k)].
void choose_columns(std::span<const std::int32_t> columns, std::int64_t k, const float* panels,
                    float* to);

}  // namespace tt
