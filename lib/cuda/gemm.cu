// Matrix products: cuBLASLt, preceded by rounding of the inputs to the chosen precision.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void add_bias_elements(AddBias k) {
  const std::int64_t i = element();
  if (i < k.n * k.d) k.x[i] += k.bias[i % k.d];
}

struct Matrix {
  const float* x;
  std::int64_t d;
  __device__ float operator()(std::int64_t r, std::int64_t c) const { return x[r * d + c]; }
};

// to [rows, columns] = from rounded to the nearest bfloat16, ties to even; NaN stays NaN.
__global__ void round_elements(std::int64_t rows, std::int64_t columns, const float* from, std::int64_t ld, std::uint16_t* to,
                               std::int64_t ld_to) {
  const std::int64_t i = element();
  if (i >= rows * columns) return;
  const std::int64_t r = i / columns, c = i % columns;
  std::uint32_t bits;
  memcpy(&bits, from + r * ld + c, sizeof bits);
  const bool nan = (bits & 0x7FFFFFFF) > 0x7F800000;
  to[r * ld_to + c] = static_cast<std::uint16_t>(nan ? 0x7FC0 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

}  // namespace

void CudaBackend::product(const Product& p) const {
  if (p.m == 0 || p.n == 0) return;
  if (p.k == 0) {
    if (!p.accumulate) zero({p.m, p.n, p.ldc, p.c});
    return;
  }
  if (device_->precision() != Precision::bfloat16) return device_->multiply(p, Number::float32, p.a, p.b);
  const std::int64_t rows_a = p.transpose_a ? p.k : p.m, columns_a = p.transpose_a ? p.m : p.k;
  const std::int64_t rows_b = p.transpose_b ? p.n : p.k, columns_b = p.transpose_b ? p.k : p.n;
  Product rounded = p;  // rows padded to 16 bytes, as tensor cores need
  rounded.lda = divide_up(columns_a, 8) * 8;
  rounded.ldb = divide_up(columns_b, 8) * 8;
  const Scratch scratch(*device_, static_cast<std::size_t>(rows_a * rounded.lda + rows_b * rounded.ldb) * sizeof(std::uint16_t));
  auto *a = scratch.at<std::uint16_t>(), *b = a + rows_a * rounded.lda;
  launch_elements(*device_, rows_a * columns_a, round_elements, rows_a, columns_a, p.a, p.lda, a, rounded.lda);
  launch_elements(*device_, rows_b * columns_b, round_elements, rows_b, columns_b, p.b, p.ldb, b, rounded.ldb);
  device_->multiply(rounded, Number::bfloat16, a, b);
}

void CudaBackend::add_bias(const AddBias& k) const { launch_elements(*device_, k.n * k.d, add_bias_elements, k); }

void CudaBackend::column_sums(const ColumnSums& k) const {
  sum_columns(*device_, Matrix{k.x, k.d}, k.n, k.d, k.accumulate, k.sums);
}

}  // namespace tt
