// Products for inference: each row of the result is the same, to the last bit, whatever rows are
// computed with it. An element is one chain of fused sums in the order of its terms, whichever tile
// it is in, so small batches may use smaller tiles. In other precisions cuBLASLt computes them, and
// constant weights are rounded once.
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

constexpr int kColumns = 64, kDepth = 16;  // of a tile

constexpr std::int64_t kFilled = 256;  // blocks that keep a large GPU busy

// A tile of 16 Each rows and 64 columns by 256 threads; a thread has Each rows, 16 apart, and 4
// columns, 16 apart.
template <int Each>
__global__ void product_tile(RowProduct k) {
  const float *x = k.x.floats(), *w = k.w.floats();
  float* y = k.y.floats();
  const std::int64_t rows = k.y.rows, n = k.y.columns, terms = k.x.columns;
  constexpr int kRows = 16 * Each;
  float *xs = shared<float>(), *ws = xs + kDepth * (kRows + 1);
  const int t = static_cast<int>(threadIdx.x), row = t / 16, column = t % 16;
  const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * kRows;
  const std::int64_t first_column = static_cast<std::int64_t>(blockIdx.y) * kColumns;
  float sums[Each][4] = {};
  for (std::int64_t begin = 0; begin < terms; begin += kDepth) {
    for (int e = t; e < kRows * kDepth; e += kThreads) {
      const std::int64_t r = first_row + e / kDepth, p = begin + e % kDepth;
      xs[e % kDepth * (kRows + 1) + e / kDepth] = r < rows && p < terms ? x[r * terms + p] : 0;
    }
    for (int e = t; e < kColumns * kDepth; e += kThreads) {
      // Neighbouring threads read neighbouring numbers, whether W is transposed or not.
      const int q = k.transposed ? e % kDepth : e / kColumns,
                j = k.transposed ? e / kDepth : e % kColumns;
      const std::int64_t p = begin + q, c = first_column + j;
      ws[q * (kColumns + 1) + j] =
          p < terms && c < n ? (k.transposed ? w[c * terms + p] : w[p * n + c]) : 0;
    }
    __syncthreads();
    const int depth = begin + kDepth < terms ? kDepth : static_cast<int>(terms - begin);
    for (int p = 0; p < depth; ++p) {
      float of_x[Each], of_w[4];
      for (int i = 0; i < Each; ++i) of_x[i] = xs[p * (kRows + 1) + row + 16 * i];
      for (int j = 0; j < 4; ++j) of_w[j] = ws[p * (kColumns + 1) + column + 16 * j];
      for (int i = 0; i < Each; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] = fmaf(of_x[i], of_w[j], sums[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < Each; ++i)
    for (int j = 0; j < 4; ++j) {
      const std::int64_t r = first_row + row + 16 * i, c = first_column + column + 16 * j;
      if (r < rows && c < n) y[r * n + c] = sums[i][j];
    }
}

template <int Each>
void launch_tiles(const Device& device, const RowProduct& k) {
  launch(device, blocks(divide_up(k.y.rows, 16 * Each), divide_up(k.y.columns, kColumns)), kThreads,
         kDepth * (16 * Each + 1 + kColumns + 1) * sizeof(float), product_tile<Each>, k);
}

}  // namespace

void CudaBackend::row_product(const RowProduct& k) const {
  const std::int64_t rows = k.y.rows;
  if (device_->precision() != Precision::float32)
    product({false, k.transposed, k.x, k.w, false, k.y});
  else if (rows <= 16 || divide_up(rows, 64) * divide_up(k.y.columns, kColumns) < kFilled)
    launch_tiles<1>(*device_, k);
  else launch_tiles<4>(*device_, k);
}

void CudaBackend::pack(const Pack& k) const {
  if (k.packed) round({k.w, k.packed});
}

}  // namespace tt
