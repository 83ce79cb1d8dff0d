#include "tensor/panels.h"

#include <algorithm>

namespace tt {

void unpack(bool transposed, std::int64_t n, std::int64_t k, const float* panels, float* w) {
  for (std::int64_t j = 0; j < n; ++j) {
    const float* column = column_of(panels, k, j);
    for (std::int64_t i = 0; i < k; ++i)
      w[transposed ? j * k + i : i * n + j] = column[i * kPanelColumns];
  }
}

void choose_columns(std::span<const std::int32_t> columns, std::int64_t k, const float* panels,
                    float* to) {
  const std::int64_t n = std::ssize(columns), padded = panels_of(n) * kPanelColumns;
  std::fill(to + n / kPanelColumns * kPanelColumns * k, to + padded * k, 0.0f);
  for (std::int64_t j = 0; j < n; ++j) {
    const float* from = column_of(panels, k, columns[static_cast<std::size_t>(j)]);
    float* column = to + j / kPanelColumns * kPanelColumns * k + j % kPanelColumns;
    for (std::int64_t i = 0; i < k; ++i) column[i * kPanelColumns] = from[i * kPanelColumns];
  }
}

}  // namespace tt
