// Products in eight bits, with the CPU's bits: sums of whole numbers are exact. A block has a row
// and 256 columns; it rounds the row once, four numbers to a word.
#include "cuda/cuda.h"
#include "cuda/rows.h"
#include "tensor/int8.h"

namespace tt {

using namespace gpu;

namespace {

__device__ const std::uint8_t* column_of(const ConstMatrix& w, std::int64_t j) {
  const std::int64_t groups = (w.rows + kInt8Depth - 1) / kInt8Depth;
  return w.as<std::uint8_t>() +
         (j / kInt8Columns * groups * kInt8Columns + j % kInt8Columns) * kInt8Depth;
}

__device__ std::int32_t weight(const std::uint8_t* column, std::int64_t i) {
  return column[i / kInt8Depth * kInt8Columns * kInt8Depth + i % kInt8Depth] - kInt8Zero;
}

constexpr std::int64_t kStretch = 1024;  // groups of four numbers of the row in shared memory
constexpr int kRoom = kThreads / kWarp;

__global__ void int8_rows(Int8Product k) {
  const std::int64_t r = blockIdx.x,
                     j = static_cast<std::int64_t>(blockIdx.y) * kThreads + threadIdx.x;
  const float* x = k.x.floats() + r * k.w.rows;
  auto* room = shared<float>();
  auto* row = reinterpret_cast<std::uint32_t*>(room + kRoom);
  float top = 0, nothing = 0;
  for (std::int64_t i = threadIdx.x; i < k.w.rows; i += blockDim.x) {
    top = fmaxf(top, fabsf(x[i]));
    nothing += x[i] * 0;
  }
  top = over_block(top, room, Largest());
  nothing = over_block(nothing, room, Sum());
  const float inverse = 127 / top;
  const bool finite = nothing == 0, zeros = !finite || inverse > 3.402823466e38f;  // infinite
  const float scale = !finite ? NAN : zeros ? 0 : top / 127;
  const std::int64_t groups = (k.w.rows + kInt8Depth - 1) / kInt8Depth;
  const std::uint8_t* column = column_of(k.w, j < k.w.columns ? j : 0);
  std::int32_t sum = 0;
  for (std::int64_t begin = 0; begin < groups; begin += kStretch) {
    const std::int64_t count = groups - begin < kStretch ? groups - begin : kStretch;
    __syncthreads();
    for (std::int64_t g = threadIdx.x; g < count; g += blockDim.x) {
      std::uint32_t four = 0;
      for (int i = 0; i < kInt8Depth; ++i) {
        const std::int64_t at = (begin + g) * kInt8Depth + i;
        const int number = zeros || at >= k.w.rows ? 0 : static_cast<int>(rintf(x[at] * inverse));
        four |= (static_cast<std::uint32_t>(number) & 0xFF) << 8 * i;
      }
      row[g] = four;
    }
    __syncthreads();
    const auto* words = reinterpret_cast<const std::uint32_t*>(column) + begin * kInt8Columns;
    for (std::int64_t g = 0; g < count; ++g)
      sum = add_products(sum, row[g], words[g * kInt8Columns] ^ 0x80808080);  // less kInt8Zero
  }
  if (j < k.w.columns)
    k.y.floats()[r * k.w.columns + j] = static_cast<float>(sum) * (scale * k.w.scales[j]);
}
static_assert(kInt8Zero == 0x80 && kInt8Depth == 4);

__global__ void columns_as_rows(Int8Columns k) {
  const std::int64_t e = element(), r = e / k.w.rows, i = e % k.w.rows;
  if (r >= k.y.rows) return;
  const std::int64_t j = k.columns[r];
  k.y.floats()[e] = j < 0 ? 0 : static_cast<float>(weight(column_of(k.w, j), i)) * k.w.scales[j];
}

}  // namespace

void CudaBackend::int8_product(const Int8Product& k) const {
  launch(*device_, blocks(k.y.rows, divide_up(k.w.columns, kThreads)), kThreads,
         kRoom * sizeof(float) + kStretch * sizeof(std::uint32_t), int8_rows, k);
}

void CudaBackend::int8_columns(const Int8Columns& k) const {
  launch_elements(*device_, k.y.rows * k.w.rows, columns_as_rows, k);
}

}  // namespace tt
