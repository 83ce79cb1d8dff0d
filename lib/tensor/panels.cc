#include "tensor/panels.h"

namespace tt {

void unpack(bool transposed, std::int64_t n, std::int64_t k, const float* panels, float* w) {
  for (std::int64_t j = 0; j < n; ++j) {
    const float* column = column_of(panels, k, j);
    for (std::int64_t i = 0; i < k; ++i)
      w[transposed ? j * k + i : i * n + j] = column[i * kPanelColumns];
  }
}

}  // namespace tt
