// Matrix products: the tiles of row_product.cc where this processor has vectors that they are
// written for. They are as fast as OpenBLAS where that knows the processor, twice as fast where it
// does not (0.3.21 on AVX-512 processors by AMD), and give the same bits on all of them. Elsewhere
// OpenBLAS, limited to one thread, because each thread of tt computes its own shard or batch.
#include <cblas.h>

#include <algorithm>

#include "base/error.h"
#include "base/setting.h"
#include "cpu/cpu.h"
#include "cpu/vec.h"
#include "tensor/bfloat16.h"

namespace tt {

using namespace vec;

namespace {

void blas_product(const Product& p) {
  const auto transpose = [](bool yes) { return yes ? CblasTrans : CblasNoTrans; };
  const auto stride = [](std::int64_t ld) {
    return static_cast<int>(std::max<std::int64_t>(ld, 1));
  };
  cblas_sgemm(CblasRowMajor, transpose(p.transpose_a), transpose(p.transpose_b),
              static_cast<int>(p.m()), static_cast<int>(p.n()), static_cast<int>(p.k()), 1,
              p.a.floats(), stride(p.a.stride), p.b.floats(), stride(p.b.stride),
              p.accumulate ? 1.0f : 0.0f, p.c.floats(), stride(p.c.stride));
}

}  // namespace

CpuBackend::CpuBackend(Precision precision) : precision_(precision) {
  if (precision == Precision::tf32)
    throw SettingError(Setting{"device"}, " cpu computes in float32 or bfloat16; omit ",
                       Setting{"precision"}, " ", name_of(precision));
  openblas_set_num_threads(1);
  most_instructions();  // says what is wrong with the environment before anything is computed
}

void CpuBackend::round(const Round& k) const {
  TT_CHECK(k.from.type == ElementType::float32 && k.to.type == ElementType::bfloat16);
  auto* to = k.to.as<Bfloat16>();
  for (std::int64_t r = 0; r < k.from.rows; ++r, to += k.to.stride) {
    const float* from = k.from.floats() + r * k.from.stride;
    Bfloat16* end = std::transform(from, from + k.from.columns, to, nearest_bfloat16);
    std::fill(end, to + row_stride(k.to.type, k.to.columns), Bfloat16{0});
  }
}

void CpuBackend::product(const Product& p) const {
  if (p.m() == 0 || p.n() == 0) return;
  TT_CHECK(p.c.type == ElementType::float32);
  static const ProductVariant& tiles = best_product();
  if (precision_ == Precision::bfloat16) {
    paired_product(p, best_paired_product());
  } else if (tiles.needs != Instructions::any) tiles.run(p);
  else blas_product(p);
  float* y = p.c.floats();
  for (std::int64_t r = 0; p.bias && r < p.m(); ++r, y += p.c.stride)
    columns(p.n(),
            [&](std::int64_t c, auto w) { store(y + c, load(y + c, w) + load(p.bias + c, w), w); });
}

void CpuBackend::add_bias(const AddBias& k) const {
  float* x = k.x;
  for (std::int64_t r = 0; r < k.n; ++r, x += k.d)
    columns(k.d,
            [&](std::int64_t c, auto w) { store(x + c, load(x + c, w) + load(k.bias + c, w), w); });
}

void CpuBackend::column_sums(const ColumnSums& k) const {
  if (!k.accumulate) std::fill(k.sums, k.sums + k.d, 0.0f);
  const float* x = k.x;
  for (std::int64_t r = 0; r < k.n; ++r, x += k.d)
    columns(k.d, [&](std::int64_t c, auto w) {
      store(k.sums + c, load(k.sums + c, w) + load(x + c, w), w);
    });
}

}  // namespace tt
