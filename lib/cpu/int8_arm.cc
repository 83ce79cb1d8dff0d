// Products in eight bits by ARM's instructions. Four numbers along the sum are a term, and a panel
// of W is one of as many rows (tensor/panels.h), so the tiles are those of row_tiles.h, with whole
// sums, which are exact in any order: the bits are those of int8_product.cc.
#include "cpu/cpu.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>

#include <vector>

#include "cpu/int8_rows.h"
#include "cpu/panel.h"
#include "tensor/panels.h"

namespace tt {
namespace {

static_assert(kInt8Columns == kPanelColumns && kInt8Depth == sizeof(float));

#define TT_BYTES 16
#define TT_ROWS 12
#define TT_TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
namespace dotprod {
#define TT_TERMS TT_FOURS
#include "cpu/row_tiles.h"
}  // namespace dotprod
#undef TT_TARGET
#undef TT_ROWS
#define TT_ROWS 10  // of 12, g++ 12 keeps some sums in memory
#define TT_IN_TWOS
#define TT_TARGET __attribute__((target("arch=armv8.2-a+i8mm")))
namespace i8mm {
#define TT_TERMS TT_FOURS
#include "cpu/row_tiles.h"
}  // namespace i8mm

// Whole sums become numbers of the same size.
void finish(const Int8Product& k, std::int64_t row, const std::int32_t* bias, const float* scales,
            std::int64_t rows, std::int64_t first, std::int64_t width) {
  using namespace vec;
  for (std::int64_t r = 0; r < rows; ++r) {
    float* y = k.y.floats() + (row + r) * k.w.columns + first;
    columns(width, [&](std::int64_t c, auto w) {
      const Ints sums = reinterpret_cast<Ints>(load(y + c, w)) - bias[r];
      store(y + c,
            __builtin_convertvector(sums, Floats) * (scales[r] * load(k.w.scales + first + c, w)),
            w);
    });
  }
}

// Biased: kInt8Zero is in every number of W.
template <void (*Multiply)(const Product&), bool Biased>
void by_terms(const Int8Product& k) {
  constexpr std::int64_t kRows = 264, kColumns = 128;  // the second-level cache has their sums
  static thread_local std::vector<float> fours;
  const std::int64_t groups = int8_groups(k.w.rows);
  std::int32_t bias[kRows];
  float scales[kRows];
  fours.resize(
      std::max(fours.size(), static_cast<std::size_t>(std::min(kRows, k.y.rows) * groups)));
  for (std::int64_t begin = 0; begin < k.y.rows; begin += kRows) {
    const std::int64_t rows = std::min(kRows, k.y.rows - begin);
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* x = k.x.floats() + (begin + r) * k.w.rows;
      const Rounded<std::int8_t> to{reinterpret_cast<std::int8_t*>(fours.data() + r * groups),
                                    kInt8Depth, bias + r};
      const float factor = InBytes::factor_of(k.w.rows, x, scales + r);
      if (factor == 0) put_zeros(k.w.rows, to);
      else InBytes::round_row(k.w.rows, x, factor, to);
      if (!Biased) bias[r] = 0;
    }
    for (std::int64_t first = 0; first < k.w.columns; first += kColumns) {
      const std::int64_t width = std::min(kColumns, k.w.columns - first);
      const ConstMatrix w = int8_columns_of(k.w, first, width);
      Multiply({false,
                false,
                float32(fours.data(), rows, groups),
                {w.at, ElementType::panels, groups, width},
                false,
                float32(k.y.floats() + begin * k.w.columns + first, rows, width, k.w.columns)});
      finish(k, begin, bias, scales, rows, first, width);
    }
  }
}

}  // namespace

std::vector<Int8ProductVariant> arm_int8_products() {
  std::vector<Int8ProductVariant> known;
  // HWCAP_ASIMDDP and HWCAP2_I8MM, which older headers lack.
  constexpr unsigned long kDotProduct = 1 << 20, kMatrices = 1 << 13;
  if (getauxval(AT_HWCAP2) & kMatrices)
    known.push_back({Instructions::bfdot, "USMMLA", by_terms<i8mm::product_packed, true>});
  if (getauxval(AT_HWCAP) & kDotProduct)
    known.push_back({Instructions::dotprod, "SDOT", by_terms<dotprod::product_packed, false>});
  return known;
}

}  // namespace tt
#endif
