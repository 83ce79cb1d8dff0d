// Embeddings plus positions (sections 3.4, 3.5). The backward pass adds rows in order, so that sums
// are reproducible.
#include "cpu/cpu.h"
#include "cpu/vec.h"
#include "tensor/panels.h"

namespace tt {

using namespace vec;

void CpuBackend::embed(const Embed& k) const {
  const std::int64_t d = k.y.columns;
  const float scale = k.scale;
  float* y = k.y.floats();
  std::vector<float> row;  // of a packed table
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < k.y.rows; ++r) {
      const float* p = k.positions.floats() + k.places[r] * d;
      DropoutRow<Active> mask(k.dropout, row_element(r, d));
      if (k.tokens[r] < 0) {
        columns(d, [&](std::int64_t c, auto w) {
          store(y + r * d + c, load(p + c, w) * mask.factor(c), w);
        });
        continue;
      }
      const float* e = k.table.floats() + k.tokens[r] * d;
      if (k.table.type == ElementType::panels) {
        row.resize(static_cast<std::size_t>(d));
        const float* column = column_of(k.table.floats(), d, k.tokens[r]);
        for (std::int64_t c = 0; c < d; ++c)
          row[static_cast<std::size_t>(c)] = column[c * kPanelColumns];
        e = row.data();
      }
      columns(d, [&](std::int64_t c, auto w) {
        store(y + r * d + c, (load(e + c, w) * scale + load(p + c, w)) * mask.factor(c), w);
      });
    }
  });
}

void CpuBackend::embed_backward(const EmbedBackward& k) const {
  const std::int64_t d = k.d_y.columns;
  const float scale = k.scale;
  const float* d_y = k.d_y.floats();
  with_dropout(k.dropout, [&]<bool Active>() {
    for (std::int64_t r = 0; r < k.d_y.rows; ++r) {
      float* e = k.tokens[r] < 0 ? nullptr : k.d_table.floats() + k.tokens[r] * d;
      float* p = k.d_positions ? k.d_positions.floats() + k.places[r] * d : nullptr;
      DropoutRow<Active> mask(k.dropout, row_element(r, d));
      columns(d, [&](std::int64_t c, auto w) {
        const Floats g = load(d_y + r * d + c, w) * mask.factor(c);
        if (e) store(e + c, load(e + c, w) + scale * g, w);
        if (p) store(p + c, load(p + c, w) + g, w);
      });
    }
  });
}

}  // namespace tt
