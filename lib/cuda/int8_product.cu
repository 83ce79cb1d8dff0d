// Products in eight bits, with the CPU's bits: sums of whole numbers are exact. A block has a row and 256 columns; each thread
// rounds the row as it reads it.
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

__device__ const std::uint8_t* column_of(const Int8Matrix& w, std::int64_t j) {
  const std::int64_t groups = (w.k + kInt8Depth - 1) / kInt8Depth;
  return w.panels + (j / kInt8Columns * groups * kInt8Columns + j % kInt8Columns) * kInt8Depth;
}

__device__ std::int32_t weight(const std::uint8_t* column, std::int64_t i) {
  return column[i / kInt8Depth * kInt8Columns * kInt8Depth + i % kInt8Depth] - kInt8Zero;
}

__global__ void int8_rows(Int8Product k) {
  const std::int64_t r = blockIdx.x, j = static_cast<std::int64_t>(blockIdx.y) * kThreads + threadIdx.x;
  const float* x = k.x + r * k.w.k;
  auto* room = shared<float>();
  float top = 0, nothing = 0;
  for (std::int64_t i = threadIdx.x; i < k.w.k; i += blockDim.x) {
    top = fmaxf(top, fabsf(x[i]));
    nothing += x[i] * 0;
  }
  top = over_block(top, room, Largest());
  nothing = over_block(nothing, room, Sum());
  const float inverse = 127 / top;
  if (j >= k.w.n) return;
  float scale = top / 127;
  std::int32_t sum = 0;
  if (!(nothing == 0)) {
    scale = NAN;
  } else if (inverse > 3.402823466e38f) {  // infinite
    scale = 0;
  } else {
    const std::uint8_t* column = column_of(k.w, j);
    for (std::int64_t i = 0; i < k.w.k; ++i) sum += static_cast<std::int32_t>(rintf(x[i] * inverse)) * weight(column, i);
  }
  k.y[r * k.w.n + j] = static_cast<float>(sum) * (scale * k.w.scales[j]);
}

__global__ void columns_as_rows(Int8Columns k) {
  const std::int64_t e = element(), r = e / k.w.k, i = e % k.w.k;
  if (r >= k.rows) return;
  const std::int64_t j = k.columns[r];
  k.y[e] = j < 0 ? 0 : static_cast<float>(weight(column_of(k.w, j), i)) * k.w.scales[j];
}

}  // namespace

void CudaBackend::int8_product(const Int8Product& k) const {
  launch(*device_, blocks(k.rows, divide_up(k.w.n, kThreads)), kThreads, kThreads / kWarp * sizeof(float), int8_rows, k);
}

void CudaBackend::int8_columns(const Int8Columns& k) const { launch_elements(*device_, k.rows * k.w.k, columns_as_rows, k); }

}  // namespace tt
