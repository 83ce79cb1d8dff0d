// Label-smoothed cross-entropy over the vocabulary, forward and backward together, a block for each row of logits, or pair of
// rows (section 5.4).
#include "cuda/cuda.h"
#include "cuda/spans.h"

namespace tt {

using namespace gpu;

namespace {

constexpr int kRowThreads = 1024, kHeld = 32;
constexpr std::int64_t kAhead = 128;  // rows between a block and the one for which it asks for memory

// What is summed over a row of logits: e^(z - peak), and z.
struct Row {
  float peak, mass, total;
  __device__ double log_sum() const { return static_cast<double>(peak) + log(static_cast<double>(mass)); }
};

// In one pass: a thread's sum of exponentials is in proportion to the largest so far, and shrinks when a larger one comes. When
// it returns, all threads have read the row.
__device__ Row sum_row(const float* z, std::int64_t v, float* room) {
  float mine = -INFINITY, total = 0, mass = 0;
  for (std::int64_t c = threadIdx.x; c < v; c += blockDim.x) {
    const float x = z[c];
    total += x;
    if (x > mine) {
      mass *= expf(mine - x);
      mine = x;
    }
    mass += x == mine ? 1 : expf(x - mine);
  }
  const float peak = over_block(mine, room, Largest());
  total = over_block(total, room, Sum());
  return {peak, over_block(mine == peak ? mass : mass * expf(mine - peak), room, Sum()), total};
}

// A row of logits in the registers of a block: kWide numbers at a time, kWide 4 or 1, 32 in all of each thread. What does not fit
// remains in memory.
template <int kWide>
class HeldRow {
 public:
  __device__ HeldRow(const float* z, std::int64_t v, float* room) : z_(z), v_(v) {
    float peak = -INFINITY, total = 0, mass = 0;
    TT_UNROLL
    for (int i = 0; i < kParts; ++i) {
      held_[i] = {};
      if (column(i) < v) held_[i] = *reinterpret_cast<const Numbers<kWide>*>(z + column(i));
    }
    each([&](std::int64_t, float& x) {
      peak = fmaxf(peak, x);
      total += x;
    });
    sums_.peak = over_block(peak, room, Largest());
    sums_.total = over_block(total, room, Sum());
    each([&](std::int64_t, float& x) {
      x = expf(x - sums_.peak);
      mass += x;
    });
    sums_.mass = over_block(mass, room, Sum());
  }
  __device__ const Row& sums() const { return sums_; }

  // Calls f(c, e^(z - peak)), which changes that, for each column c, and put(c, numbers) for all that were changed.
  template <class F, class Put>
  __device__ void replace(F f, Put put) {
    TT_UNROLL
    for (int i = 0; i < kParts; ++i) {
      if (column(i) >= v_) continue;
      TT_UNROLL
      for (int e = 0; e < kWide; ++e) f(column(i) + e, held_[i].at[e]);
      put(column(i), held_[i]);
    }
    for (std::int64_t c = behind(); c < v_; c += blockDim.x) {
      Numbers<1> x = {expf(z_[c] - sums_.peak)};
      f(c, x.at[0]);
      put(c, x);
    }
  }

 private:
  static constexpr int kParts = kHeld / kWide;

  __device__ std::int64_t column(int i) const { return kWide * (threadIdx.x + static_cast<std::int64_t>(i) * blockDim.x); }
  __device__ std::int64_t behind() const { return static_cast<std::int64_t>(kHeld) * blockDim.x + threadIdx.x; }
  template <class F>
  __device__ void each(F f) {
    TT_UNROLL
    for (int i = 0; i < kParts; ++i) TT_UNROLL
    for (int e = 0; e < kWide; ++e)
      if (column(i) < v_) f(column(i) + e, held_[i].at[e]);
    for (std::int64_t c = behind(); c < v_; c += blockDim.x) {
      float x = z_[c];
      f(c, x);
    }
  }

  const float* z_;
  std::int64_t v_;
  Numbers<kWide> held_[kParts];
  Row sums_;
};

// With L the log_sum and q the smoothed target:  -sum q log p = L - (1 - smoothing) z[target] - smoothing / V sum z.
__device__ double entropy(const CrossEntropy& k, const Row& row, float gold) {
  return row.log_sum() - (1.0 - static_cast<double>(k.smoothing)) * static_cast<double>(gold) -
         static_cast<double>(k.smoothing) / static_cast<double>(k.v) * static_cast<double>(row.total);
}

__device__ void put_gradient(const CrossEntropy& k, std::int64_t r, std::int64_t c, float d) {
  if (k.rounded) put_rounded(k.rounded, r, c, k.v, d);
  else k.logits[r * k.v + c] = d;
}
__device__ void put_gradients(const CrossEntropy& k, std::int64_t r, std::int64_t c, const Numbers<1>& d) {
  put_gradient(k, r, c, d.at[0]);
}
__device__ void put_gradients(const CrossEntropy& k, std::int64_t r, std::int64_t c, const Numbers<4>& d) {
  if (!k.rounded) {
    *reinterpret_cast<Numbers<4>*>(k.logits + r * k.v + c) = d;
    return;
  }
  auto* to = reinterpret_cast<FourRounded*>(k.rounded + r * ceil8(k.v) + c);
  to[0] = nearest(d);
  if (c + 4 == k.v && k.v < ceil8(k.v)) to[1] = {};
}

// d z = p - q. rows [n, 2] gets the contribution of each row to the sums.
template <int kWide>
__global__ void __launch_bounds__(kRowThreads) one_view(CrossEntropy k, double* rows) {
  const std::int64_t r = blockIdx.x, target = k.targets[r];
  const float *z = k.logits + r * k.v, gold = z[target];
  if (r + kAhead < k.n)
    for (std::int64_t c = 32 * static_cast<std::int64_t>(threadIdx.x); c < k.v; c += 32 * blockDim.x)
      prefetch(z + kAhead * k.v + c);
  HeldRow<kWide> row(z, k.v, shared<float>());
  if (threadIdx.x == 0) {
    rows[2 * r] = entropy(k, row.sums(), gold);
    rows[2 * r + 1] = row.sums().log_sum() - static_cast<double>(gold);
  }
  if (k.gradient_scale == 0) return;
  const float factor = k.gradient_scale / row.sums().mass, shift = k.gradient_scale * k.smoothing / static_cast<float>(k.v);
  const float of_target = k.gradient_scale * (1 - k.smoothing);
  row.replace([&](std::int64_t c, float& x) { x = x * factor - shift - (c == target ? of_target : 0); },
              [&](std::int64_t c, const auto& x) { put_gradients(k, r, c, x); });
}

// With d = log p - log p':
//   KL(p || p') = sum p d,   d z = p - q + a / 2 (p (d - KL(p || p')) + p - p'),   and the other way round.
// rows [n / 2, 2] gets the contribution of each pair.
__global__ void __launch_bounds__(kRowThreads) two_views(CrossEntropy k, double* rows) {
  const std::int64_t r = blockIdx.x, other = r + k.n / 2, target = k.targets[r];
  const float *z = k.logits + r * k.v, *z_other = k.logits + other * k.v, gold = z[target], gold_other = z_other[target];
  float* room = shared<float>();
  const Row row = sum_row(z, k.v, room), row_other = sum_row(z_other, k.v, room);
  const auto shift = static_cast<float>(row_other.log_sum() - row.log_sum());
  const float inverse = 1 / row.mass, inverse_other = 1 / row_other.mass;
  float there = 0, back = 0;
  for (std::int64_t c = threadIdx.x; c < k.v; c += blockDim.x) {
    const float d = z[c] - z_other[c] + shift;
    there += expf(z[c] - row.peak) * inverse * d;
    back -= expf(z_other[c] - row_other.peak) * inverse_other * d;
  }
  const float kl = over_block(there, room, Sum()), kl_back = over_block(back, room, Sum()), half = k.agreement / 2;
  if (threadIdx.x == 0) {
    rows[2 * r] = entropy(k, row, gold) + entropy(k, row_other, gold_other) +
                  static_cast<double>(half) * (static_cast<double>(kl) + static_cast<double>(kl_back));
    rows[2 * r + 1] = row.log_sum() + row_other.log_sum() - static_cast<double>(gold) - static_cast<double>(gold_other);
  }
  if (k.gradient_scale == 0) return;
  const float spread = k.smoothing / static_cast<float>(k.v);
  for (std::int64_t c = threadIdx.x; c < k.v; c += blockDim.x) {
    const float a = expf(z[c] - row.peak) * inverse, b = expf(z_other[c] - row_other.peak) * inverse_other;
    const float d = z[c] - z_other[c] + shift, q = c == target ? spread + 1 - k.smoothing : spread;
    put_gradient(k, r, c, (a - q + (a * (d - kl) + a - b) * half) * k.gradient_scale);
    put_gradient(k, other, c, (b - q + (b - a - b * (d + kl_back)) * half) * k.gradient_scale);
  }
}

// One block: sums [2] += the rows'.
__global__ void sum_rows(const double* rows, std::int64_t n, double* sums) {
  double a = 0, b = 0;
  for (std::int64_t r = threadIdx.x; r < n; r += blockDim.x) {
    a += rows[2 * r];
    b += rows[2 * r + 1];
  }
  a = over_block(a, shared<double>(), Sum());
  b = over_block(b, shared<double>(), Sum());
  if (threadIdx.x == 0) sums[0] += a, sums[1] += b;
}

}  // namespace

void CudaBackend::cross_entropy(const CrossEntropy& k) const {
  const std::int64_t n = k.agreement > 0 ? k.n / 2 : k.n;
  if (n == 0) return;
  const Scratch scratch(*device_, static_cast<std::size_t>(2 * n) * sizeof(double));
  double* rows = scratch.at<double>();
  const bool fours = k.v % 4 == 0 && whole(k.logits, sizeof(Numbers<4>)) && whole(k.rounded, sizeof(FourRounded));
  const auto kernel = k.agreement > 0 ? two_views : fours ? one_view<4> : one_view<1>;
  const std::int64_t held = k.agreement > 0 ? 1 : kHeld, needed = divide_up(divide_up(k.v, held), kWarp) * kWarp;
  const std::int64_t threads = needed < kRowThreads ? needed : kRowThreads;
  launch(*device_, blocks(n), threads, kRowThreads / kWarp * sizeof(float), kernel, k, rows);
  launch(*device_, blocks(1), kRowThreads, kRowThreads / kWarp * sizeof(double), sum_rows, rows, n, k.sums);
}

}  // namespace tt
