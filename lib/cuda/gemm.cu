// Matrix products: cuBLASLt, preceded by rounding of the inputs to the chosen precision unless they
// are already rounded.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"
#include "cuda/spans.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void add_bias_elements(std::int64_t n, std::int64_t d, const float* bias, float* x,
                                  std::int64_t ld) {
  const std::int64_t i = element();
  if (i < n * d) x[i / d * ld + i % d] += bias[i % d];
}

// A warp for each row; four reads of a thread are under way at once.
__global__ void round_rows(Round k) {
  const std::int64_t r = warp_row(), columns = k.from.columns;
  if (r >= k.from.rows) return;
  const float* from = k.from.floats() + r * k.from.stride;
  auto* all = k.to.as<Bfloat16>();
  Bfloat16* to = all + r * ceil8(columns);
  if (columns % 4 != 0 || !whole(from, sizeof(Four)) || !whole(to, sizeof(FourRounded))) {
    for (std::int64_t c = lane(); c < columns; c += kWarp) put_rounded(all, r, c, columns, from[c]);
    return;
  }
  constexpr int kReads = 4, kStep = 4 * kWarp;
  for (std::int64_t first = 4 * lane(); first < ceil8(columns); first += kReads * kStep) {
    Four x[kReads] = {};
    TT_UNROLL
    for (int i = 0; i < kReads; ++i)
      if (const std::int64_t c = first + i * kStep; c < columns)
        x[i] = *reinterpret_cast<const Four*>(from + c);
    TT_UNROLL
    for (int i = 0; i < kReads; ++i)
      if (const std::int64_t c = first + i * kStep; c < ceil8(columns))
        *reinterpret_cast<FourRounded*>(to + c) = nearest(x[i]);
  }
}

}  // namespace

void CudaBackend::product(const Product& p) const {
  const std::int64_t m = p.m(), n = p.n();
  if (m == 0 || n == 0) return;
  const auto add_bias_after = [&] {
    launch_elements(*device_, m * n, add_bias_elements, m, n, p.bias, p.c.floats(), p.c.stride);
  };
  if (p.k() == 0) {
    auto* c = p.c.floats();
    if (p.c.type == ElementType::bfloat16) zero({m, ceil8(n) / 2, ceil8(p.c.stride) / 2, c});
    else if (!p.accumulate) zero({m, n, p.c.stride, c});
    if (p.bias) add_bias_after();
    return;
  }
  // cuBLASLt reads 16 bytes of a bias at once.
  const bool apart = reinterpret_cast<std::uintptr_t>(p.bias) % 16 != 0;
  const auto multiply = [&](Product of) {
    if (apart) of.bias = nullptr;
    if (!device_->multiply(of) || apart) add_bias_after();
  };
  // In bfloat16 rows are padded to 16 bytes, as tensor cores need.
  const ElementType type = traits().factors;
  const auto size = [&](const ConstMatrix& of) {
    return of.type == type ? 0 : of.rows * ceil8(of.columns);
  };
  if (size(p.a) + size(p.b) == 0) return multiply(p);
  const Scratch scratch(*device_,
                        static_cast<std::size_t>(size(p.a) + size(p.b)) * sizeof(Bfloat16));
  const auto ready = [&](const ConstMatrix& of, std::int64_t at) -> ConstMatrix {
    if (of.type == type) return of;
    const Matrix rounded = matrix(scratch.at<Bfloat16>() + at, type, of.rows, of.columns);
    round({of, rounded});
    return rounded;
  };
  Product rounded = p;
  rounded.a = ready(p.a, 0);
  rounded.b = ready(p.b, size(p.a));
  multiply(rounded);
}

// One long row, as that of all parameters, is cut into many.
void CudaBackend::round(const Round& k) const {
  constexpr std::int64_t kPart = 1024;
  Round rest = k;
  if (k.from.rows == 1 && k.from.columns > kPart) {
    const std::int64_t parts = k.from.columns / kPart, whole = parts * kPart;
    launch_rows(
        *device_, parts, round_rows,
        Round{float32(k.from.floats(), parts, kPart), matrix(k.to.at, k.to.type, parts, kPart)});
    rest = {k.from.columns_from(whole, k.from.columns - whole),
            k.to.columns_from(whole, k.from.columns - whole)};
  }
  if (rest.from.columns > 0) launch_rows(*device_, rest.from.rows, round_rows, rest);
}

void CudaBackend::add_bias(const AddBias& k) const {
  launch_elements(*device_, k.n * k.d, add_bias_elements, k.n, k.d, k.bias, k.x, k.d);
}

void CudaBackend::column_sums(const ColumnSums& k) const {
  sum_columns(*device_, Elements{k.x, k.d}, k.n, k.d, Columns{k.accumulate, k.sums});
}

}  // namespace tt
