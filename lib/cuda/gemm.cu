// Matrix products: cuBLASLt, preceded by rounding of the inputs to the chosen precision unless they are already rounded.
#include "cuda/column_sums.h"
#include "cuda/cuda.h"
#include "cuda/spans.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void add_bias_elements(std::int64_t n, std::int64_t d, const float* bias, float* x, std::int64_t ld) {
  const std::int64_t i = element();
  if (i < n * d) x[i / d * ld + i % d] += bias[i % d];
}

// A warp for each row; four reads of a thread are under way at once.
__global__ void round_rows(Round k) {
  const std::int64_t r = warp_row();
  if (r >= k.rows) return;
  const float* from = k.from + r * k.ld;
  Bfloat16* to = k.to + r * ceil8(k.columns);
  if (k.columns % 4 != 0 || !whole(from, sizeof(Four)) || !whole(to, sizeof(FourRounded))) {
    for (std::int64_t c = lane(); c < k.columns; c += kWarp) put_rounded(k.to, r, c, k.columns, from[c]);
    return;
  }
  constexpr int kReads = 4, kStep = 4 * kWarp;
  for (std::int64_t first = 4 * lane(); first < ceil8(k.columns); first += kReads * kStep) {
    Four x[kReads] = {};
    TT_UNROLL
    for (int i = 0; i < kReads; ++i)
      if (const std::int64_t c = first + i * kStep; c < k.columns) x[i] = *reinterpret_cast<const Four*>(from + c);
    TT_UNROLL
    for (int i = 0; i < kReads; ++i)
      if (const std::int64_t c = first + i * kStep; c < ceil8(k.columns)) *reinterpret_cast<FourRounded*>(to + c) = nearest(x[i]);
  }
}

}  // namespace

void CudaBackend::product(const Product& p) const {
  if (p.m == 0 || p.n == 0) return;
  const auto add_bias_after = [&] { launch_elements(*device_, p.m * p.n, add_bias_elements, p.m, p.n, p.bias, p.c, p.ldc); };
  if (p.k == 0) {
    if (p.rounded_c) zero({p.m, ceil8(p.n) / 2, ceil8(p.ldc) / 2, reinterpret_cast<float*>(p.rounded_c)});
    else if (!p.accumulate) zero({p.m, p.n, p.ldc, p.c});
    if (p.bias) add_bias_after();
    return;
  }
  // cuBLASLt reads 16 bytes of a bias at once.
  const bool apart = reinterpret_cast<std::uintptr_t>(p.bias) % 16 != 0;
  const auto multiply = [&](Product of, Number type, const void* a, const void* b) {
    if (apart) of.bias = nullptr;
    if (!device_->multiply(of, type, a, b) || apart) add_bias_after();
  };
  if (device_->precision() != Precision::bfloat16) return multiply(p, Number::float32, p.a, p.b);
  // Rows are padded to 16 bytes, as tensor cores need.
  const Round a{p.transpose_a ? p.k : p.m, p.transpose_a ? p.m : p.k, p.a, p.lda, nullptr};
  const Round b{p.transpose_b ? p.n : p.k, p.transpose_b ? p.k : p.n, p.b, p.ldb, nullptr};
  const std::int64_t size_a = p.rounded_a ? 0 : a.rows * ceil8(a.columns), size_b = p.rounded_b ? 0 : b.rows * ceil8(b.columns);
  Product rounded = p;
  rounded.lda = ceil8(a.columns);
  rounded.ldb = ceil8(b.columns);
  if (size_a + size_b == 0) return multiply(rounded, Number::bfloat16, p.rounded_a, p.rounded_b);
  const Scratch scratch(*device_, static_cast<std::size_t>(size_a + size_b) * sizeof(Bfloat16));
  const auto ready = [&](const Bfloat16* before, Round one, Bfloat16* to) -> const Bfloat16* {
    if (before) return before;
    one.to = to;
    round(one);
    return to;
  };
  const Bfloat16* first = ready(p.rounded_a, a, scratch.at<Bfloat16>());
  multiply(rounded, Number::bfloat16, first, ready(p.rounded_b, b, scratch.at<Bfloat16>() + size_a));
}

bool CudaBackend::rounds() const { return device_->precision() == Precision::bfloat16; }

// One long row, as that of all parameters, is cut into many.
void CudaBackend::round(const Round& k) const {
  constexpr std::int64_t kPart = 1024;
  Round rest = k;
  if (k.rows == 1 && k.columns > kPart) {
    const std::int64_t parts = k.columns / kPart;
    launch_rows(*device_, parts, round_rows, Round{parts, kPart, k.from, kPart, k.to});
    rest.columns -= parts * kPart;
    rest.from += parts * kPart;
    rest.to += parts * kPart;
  }
  if (rest.columns > 0) launch_rows(*device_, rest.rows, round_rows, rest);
}

void CudaBackend::add_bias(const AddBias& k) const {
  launch_elements(*device_, k.n * k.d, add_bias_elements, k.n, k.d, k.bias, k.x, k.d);
}

void CudaBackend::column_sums(const ColumnSums& k) const {
  sum_columns(*device_, Elements{k.x, k.d}, k.n, k.d, Columns{k.accumulate, k.sums});
}

}  // namespace tt
