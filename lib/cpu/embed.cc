// Embeddings plus positions (sections 3.4, 3.5). Backwards the rows are added in their order, so that sums are reproducible.
#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

void CpuBackend::embed(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places, const float* table,
                       const float* positions, float scale, const Dropout& dropout, float* y) const {
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      const float *e = table + tokens[r] * d, *p = positions + places[r] * d;
      DropoutRow<Active> mask(dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) {
        store(y + r * d + c, (load(e + c, w) * scale + load(p + c, w)) * mask.factor(c), w);
      });
    }
  });
}

void CpuBackend::embed_backward(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places,
                                const float* d_y, float scale, const Dropout& dropout, float* d_table, float* d_positions) const {
  with_dropout(dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < n; ++r) {
      float* e = d_table + tokens[r] * d;
      float* p = d_positions ? d_positions + places[r] * d : nullptr;
      DropoutRow<Active> mask(dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) {
        const F8 g = load(d_y + r * d + c, w) * mask.factor(c);
        store(e + c, load(e + c, w) + scale * g, w);
        if (p) store(p + c, load(p + c, w) + g, w);
      });
    }
  });
}

}  // namespace tt
