// Matrix products: OpenBLAS, held to one thread, because the threads of tt each compute a shard or a batch of their own.
#include <cblas.h>

#include <algorithm>

#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

CpuBackend::CpuBackend() { openblas_set_num_threads(1); }

void CpuBackend::product(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                         const float* a, std::int64_t lda, const float* b, std::int64_t ldb, bool accumulate, float* c,
                         std::int64_t ldc) const {
  if (m == 0 || n == 0) return;
  cblas_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
              static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), alpha, a,
              static_cast<int>(std::max<std::int64_t>(lda, 1)), b, static_cast<int>(std::max<std::int64_t>(ldb, 1)),
              accumulate ? 1.0f : 0.0f, c, static_cast<int>(ldc));
}

void CpuBackend::add_bias(std::int64_t n, std::int64_t d, const float* bias, float* x) const {
  for (std::int64_t r = 0; r < n; ++r, x += d)
    columns(d, [&](std::int64_t c, auto w) { store(x + c, load(x + c, w) + load(bias + c, w), w); });
}

void CpuBackend::column_sums(std::int64_t n, std::int64_t d, const float* x, bool accumulate, float* sums) const {
  if (!accumulate) zero(d, sums);
  for (std::int64_t r = 0; r < n; ++r, x += d)
    columns(d, [&](std::int64_t c, auto w) { store(sums + c, load(sums + c, w) + load(x + c, w), w); });
}

}  // namespace tt
