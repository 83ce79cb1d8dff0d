// Products in tiles: each row of the result is the same, to the last bit, whatever rows are computed with it. BLAS does not
// guarantee that (OpenBLAS takes other paths for few rows, and its AVX2 kernels sum a row in an order that depends on its
// position), and here it costs nothing: an element is one chain of sums, in the order of the terms, whichever tile it is in.
//
// The tiles are compiled for several instruction sets, and chosen at run time.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cpu/vec.h"
#include "tensor/panels.h"

namespace tt {
namespace {

// to [8, .] = the transpose of from [8, .]: pairs, pairs of pairs, halves.
inline void transpose(const float* from, std::int64_t ld_from, float* to, std::int64_t ld_to) {
  using vec::F8;
  F8 a[8], b[8];
  for (int r = 0; r < 8; ++r) a[r] = vec::load(from + r * ld_from);
  for (int r = 0; r < 8; r += 2) {
    b[r] = __builtin_shufflevector(a[r], a[r + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    b[r + 1] = __builtin_shufflevector(a[r], a[r + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int r = 0; r < 8; r += 4)
    for (int h = 0; h < 2; ++h) {
      a[r + 2 * h] = __builtin_shufflevector(b[r + h], b[r + 2 + h], 0, 1, 8, 9, 4, 5, 12, 13);
      a[r + 2 * h + 1] = __builtin_shufflevector(b[r + h], b[r + 2 + h], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int r = 0; r < 4; ++r) {
    vec::store(to + r * ld_to, __builtin_shufflevector(a[r], a[4 + r], 0, 1, 2, 3, 8, 9, 10, 11));
    vec::store(to + (4 + r) * ld_to, __builtin_shufflevector(a[r], a[4 + r], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}

// Columns [0, width) of w, or its rows if transposed, to a panel [depth, Width]; padded with zeros.
template <std::int64_t Width>
inline void pack_panel(std::int64_t depth, std::int64_t width, const float* w, std::int64_t ldw, bool transposed, float* panel) {
  if (!transposed && width == Width) {
    for (std::int64_t i = 0; i < depth; ++i) std::memcpy(panel + i * Width, w + i * ldw, Width * sizeof(float));
    return;
  }
  std::int64_t i = 0;
  if (transposed && width == Width)
    for (; i + 8 <= depth; i += 8)
      for (std::int64_t c = 0; c < Width; c += 8) transpose(w + c * ldw + i, ldw, panel + i * Width + c, Width);
  for (; i < depth; ++i)
    for (std::int64_t c = 0; c < Width; ++c)
      panel[i * Width + c] = c < width ? (transposed ? w[c * ldw + i] : w[i * ldw + c]) : 0;
}

#if defined(__x86_64__)
namespace avx512 {
#define TT_TARGET __attribute__((target("avx512f,fma")))
#define TT_BYTES 64
#define TT_NEEDS Instructions::avx512
#define TT_NAME "AVX-512"
#define TT_ROWS 12
#include "cpu/row_tiles.h"
#undef TT_TARGET
#undef TT_BYTES
#undef TT_NEEDS
#undef TT_NAME
#undef TT_ROWS
}  // namespace avx512

namespace avx2 {
#define TT_TARGET __attribute__((target("avx2,fma")))
#define TT_BYTES 32
#define TT_NEEDS Instructions::avx2
#define TT_NAME "AVX2"
#define TT_ROWS 6
#include "cpu/row_tiles.h"
#undef TT_TARGET
#undef TT_BYTES
#undef TT_NEEDS
#undef TT_NAME
#undef TT_ROWS
}  // namespace avx2
#endif

namespace any {
#define TT_TARGET
#define TT_BYTES 16
#define TT_NEEDS Instructions::any
#define TT_NAME "any"
#if defined(__aarch64__)
#define TT_ROWS 12
#else
#define TT_ROWS 6
#endif
#include "cpu/row_tiles.h"
}  // namespace any

}  // namespace

Instructions most_instructions() {
  const char* value = std::getenv("TT_INSTRUCTIONS");
  const std::string_view name = value ? value : "avx512";
  if (name == "avx512") return Instructions::avx512;
  if (name == "avx2") return Instructions::avx2;
  if (name == "any") return Instructions::any;
  throw Error("TT_INSTRUCTIONS is ", in_quotes(value), "; it may be avx512, avx2 or any");
}

std::vector<ProductVariant> product_variants() {
  std::vector<ProductVariant> known;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) known.push_back(avx512::kVariant);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) known.push_back(avx2::kVariant);
#endif
  known.push_back(any::kVariant);
  return known;
}

const ProductVariant& best_product() {
  static const ProductVariant first = [] {
    const auto known = product_variants();
    return *std::find_if(known.begin(), known.end(), [](const auto& v) { return v.needs <= most_instructions(); });
  }();
  return first;
}

void CpuBackend::row_product(const RowProduct& k) const {
  const Product p{false, k.transposed, k.x, k.w, false, k.y};
  if (k.w.type == ElementType::panels) best_product().run_packed(p);
  else best_product().run(p);
}

void CpuBackend::pack(const Pack& p) const {
  float* panel = p.packed.floats();
  const std::int64_t n = p.transposed ? p.w.rows : p.w.columns, k = p.transposed ? p.w.columns : p.w.rows, ld = p.w.stride;
  for (std::int64_t j = 0; j < panels_of(n) * kPanelColumns; j += kPanelColumns, panel += k * kPanelColumns)
    pack_panel<kPanelColumns>(k, std::clamp<std::int64_t>(n - j, 0, kPanelColumns), p.w.floats() + j * (p.transposed ? ld : 1),
                              ld, p.transposed, panel);
}

}  // namespace tt
