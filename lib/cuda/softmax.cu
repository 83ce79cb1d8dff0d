// Label-smoothed cross-entropy over the vocabulary, forward and backward together, a block for each
// row of logits, or pair of rows (section 5.4).
#include <type_traits>

#include "cuda/cuda.h"
#include "cuda/spans.h"

namespace tt {

using namespace gpu;

namespace {

constexpr int kRowThreads = 512, kHeld = 32;
constexpr std::int64_t kMostKept = static_cast<std::int64_t>(kMostShared / sizeof(float)) - kWarp;

// The sums over a row of logits: of e^(z - peak), and of z.
struct Row {
  float peak, mass, total;
  __device__ double log_sum() const {
    return static_cast<double>(peak) + log(static_cast<double>(mass));
  }
};

// In one pass: a thread's sum of exponentials is in proportion to the largest so far, and shrinks
// when a larger one comes. When it returns, all threads have read the row.
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

template <int kWide>
__device__ Numbers<kWide> widen_all(const Numbers<kWide>& x) {
  return x;
}
template <int kWide>
__device__ Numbers<kWide> widen_all(const Rounded<kWide>& x) {
  Numbers<kWide> y;
  TT_UNROLL
  for (int e = 0; e < kWide; ++e) y.at[e] = widen(x.at[e]);
  return y;
}

// A row of logits in a block: kWide numbers at a time, kWide 4 or 1, first in the registers, 32 of
// each thread, then in shared memory. What does not fit there either remains where it is.
template <class T, int kWide>
class HeldRow {
 public:
  // room: of warps for sums, then `kept` numbers.
  __device__ HeldRow(const T* z, int v, int kept, float* room)
      : z_(z), v_(v), kept_(room + kWarp), threads_(static_cast<int>(blockDim.x)),
        thread_(static_cast<int>(threadIdx.x)), behind_(kHeld * threads_ + kept) {
    for (int first = kParts; column(first) < v_ && column(first) < behind_; first += kParts)
      read(first, [&](int i, const Numbers<kWide>& x) {
        if (column(first + i) < behind_) in_room(column(first + i)) = x;
      });
    read(0, [&](int i, const Numbers<kWide>& x) { held_[i] = x; });
    float peak = -INFINITY, total = 0, mass = 0;
    each([&](float& x) {
      peak = fmaxf(peak, x);
      total += x;
    });
    sums_.peak = over_block(peak, room, Largest());
    sums_.total = over_block(total, room, Sum());
    each([&](float& x) {
      x = power_of_e(x - sums_.peak);
      mass += x;
    });
    sums_.mass = over_block(mass, room, Sum());
  }
  __device__ const Row& sums() const { return sums_; }

  // Calls f(c, e^(z - peak)), which changes that, for each column c, and put(c, numbers) for all
  // that were changed.
  template <class F, class Put>
  __device__ void replace(F f, Put put) {
    const auto change = [&](int c, Numbers<kWide>& x) {
      TT_UNROLL
      for (int e = 0; e < kWide; ++e) f(c + e, x.at[e]);
      put(c, x);
    };
    TT_UNROLL
    for (int i = 0; i < kParts; ++i)
      if (column(i) < v_) change(column(i), held_[i]);
    for (int c = column(kParts); c < v_ && c < behind_; c += kWide * threads_)
      change(c, in_room(c));
    for (int c = behind_ + thread_; c < v_; c += threads_) {
      Numbers<1> x = {power_of_e(number(z_[c]) - sums_.peak)};
      f(c, x.at[0]);
      put(c, x);
    }
  }

 private:
  static constexpr int kParts = kHeld / kWide;

  __device__ int column(int i) const { return kWide * (thread_ + i * threads_); }
  // Calls f(i, what is in column(first + i)) for as many parts as are held, all of them read at
  // once; zeros behind the row.
  template <class F>
  __device__ void read(int first, F f) const {
    using Given = std::conditional_t<std::is_same_v<T, float>, Numbers<kWide>, Rounded<kWide>>;
    Given x[kParts];
    TT_UNROLL
    for (int i = 0; i < kParts; ++i) {
      x[i] = {};
      if (column(first + i) < v_) x[i] = *reinterpret_cast<const Given*>(z_ + column(first + i));
    }
    TT_UNROLL
    for (int i = 0; i < kParts; ++i) f(i, widen_all<kWide>(x[i]));
  }
  // A thread uses only what it has written.
  __device__ Numbers<kWide>& in_room(int c) const {
    return *reinterpret_cast<Numbers<kWide>*>(kept_ + (c - kHeld * threads_));
  }
  template <class F>
  __device__ void each(F f) {
    TT_UNROLL
    for (int i = 0; i < kParts; ++i)
      if (column(i) < v_) each_of(held_[i], f);
    for (int c = column(kParts); c < v_ && c < behind_; c += kWide * threads_)
      each_of(in_room(c), f);
    for (int c = behind_ + thread_; c < v_; c += threads_) {
      float x = number(z_[c]);
      f(x);
    }
  }
  template <class F>
  __device__ void each_of(Numbers<kWide>& x, F f) {
    TT_UNROLL
    for (int e = 0; e < kWide; ++e) f(x.at[e]);
  }

  const T* z_;
  int v_;
  float* kept_;
  int threads_, thread_;
  int behind_;  // the first column that is not held
  Numbers<kWide> held_[kParts];
  Row sums_;
};

// With L the log_sum and q the smoothed target:  -sum q log p = L - (1 - smoothing) z[target] -
// smoothing / V sum z.
__device__ double entropy(const CrossEntropy& k, const Row& row, float gold) {
  return row.log_sum() - (1.0 - static_cast<double>(k.smoothing)) * static_cast<double>(gold) -
         static_cast<double>(k.smoothing) / static_cast<double>(k.logits.columns) *
             static_cast<double>(row.total);
}

__device__ void put_gradient(const CrossEntropy& k, std::int64_t r, std::int64_t c, float d) {
  if (k.gradient.type == ElementType::bfloat16)
    put_rounded(k.gradient.as<Bfloat16>(), r, c, k.logits.columns, d);
  else k.gradient.floats()[r * k.logits.columns + c] = d;
}
__device__ void put_gradients(const CrossEntropy& k, std::int64_t r, std::int64_t c,
                              const Numbers<1>& d) {
  put_gradient(k, r, c, d.at[0]);
}
__device__ void put_gradients(const CrossEntropy& k, std::int64_t r, std::int64_t c,
                              const Numbers<4>& d) {
  if (k.gradient.type != ElementType::bfloat16) {
    *reinterpret_cast<Numbers<4>*>(k.gradient.floats() + r * k.logits.columns + c) = d;
    return;
  }
  auto* to =
      reinterpret_cast<FourRounded*>(k.gradient.as<Bfloat16>() + r * ceil8(k.logits.columns) + c);
  to[0] = nearest(d);
  if (c + 4 == k.logits.columns && k.logits.columns < ceil8(k.logits.columns)) to[1] = {};
}

// d z = p - q, of logits of T. rows [n, 2] gets the contribution of each row to the sums.
template <class T, int kWide>
__global__ void __launch_bounds__(kRowThreads, 2) one_view(CrossEntropy k, double* rows, int kept) {
  const std::int64_t r = blockIdx.x, target = k.targets[r];
  const T* z = k.logits.as<T>() + r * k.logits.stride;
  const float gold = number(z[target]);
  HeldRow<T, kWide> row(z, static_cast<int>(k.logits.columns), kept, shared<float>());
  if (threadIdx.x == 0) {
    rows[2 * r] = entropy(k, row.sums(), gold);
    rows[2 * r + 1] = row.sums().log_sum() - static_cast<double>(gold);
  }
  if (k.gradient_scale == 0) return;
  const float factor = k.gradient_scale / row.sums().mass,
              shift = k.gradient_scale * k.smoothing / static_cast<float>(k.logits.columns);
  const float of_target = k.gradient_scale * (1 - k.smoothing);
  row.replace([&](int c, float& x) { x = x * factor - shift - (c == target ? of_target : 0); },
              [&](int c, const auto& x) { put_gradients(k, r, c, x); });
}

// With d = log p - log p':
//   KL(p || p') = sum p d,   d z = p - q + a / 2 (p (d - KL(p || p')) + p - p'),
//   and the other way round.
// rows [n / 2, 2] gets the contribution of each pair.
__global__ void __launch_bounds__(kRowThreads) two_views(CrossEntropy k, double* rows) {
  const std::int64_t r = blockIdx.x, other = r + k.logits.rows / 2, target = k.targets[r];
  const float *z = k.logits.floats() + r * k.logits.columns,
              *z_other = k.logits.floats() + other * k.logits.columns, gold = z[target],
              gold_other = z_other[target];
  float* room = shared<float>();
  const Row row = sum_row(z, k.logits.columns, room),
            row_other = sum_row(z_other, k.logits.columns, room);
  const auto shift = static_cast<float>(row_other.log_sum() - row.log_sum());
  const float inverse = 1 / row.mass, inverse_other = 1 / row_other.mass;
  float there = 0, back = 0;
  for (std::int64_t c = threadIdx.x; c < k.logits.columns; c += blockDim.x) {
    const float d = z[c] - z_other[c] + shift;
    there += expf(z[c] - row.peak) * inverse * d;
    back -= expf(z_other[c] - row_other.peak) * inverse_other * d;
  }
  const float kl = over_block(there, room, Sum()), kl_back = over_block(back, room, Sum()),
              half = k.agreement / 2;
  if (threadIdx.x == 0) {
    rows[2 * r] =
        entropy(k, row, gold) + entropy(k, row_other, gold_other) +
        static_cast<double>(half) * (static_cast<double>(kl) + static_cast<double>(kl_back));
    rows[2 * r + 1] = row.log_sum() + row_other.log_sum() - static_cast<double>(gold) -
                      static_cast<double>(gold_other);
  }
  if (k.gradient_scale == 0) return;
  const float spread = k.smoothing / static_cast<float>(k.logits.columns);
  for (std::int64_t c = threadIdx.x; c < k.logits.columns; c += blockDim.x) {
    const float a = expf(z[c] - row.peak) * inverse,
                b = expf(z_other[c] - row_other.peak) * inverse_other;
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
  const std::int64_t n = k.agreement > 0 ? k.logits.rows / 2 : k.logits.rows;
  if (n == 0) return;
  const Scratch scratch(*device_, static_cast<std::size_t>(2 * n) * sizeof(double));
  double* rows = scratch.at<double>();
  if (k.agreement > 0) {
    const std::int64_t threads =
        k.logits.columns < kRowThreads ? divide_up(k.logits.columns, kWarp) * kWarp : kRowThreads;
    launch(*device_, blocks(n), threads, kWarp * sizeof(float), two_views, k, rows);
  } else {
    const std::int64_t v = k.logits.columns;
    const bool wide = k.logits.type == ElementType::float32;
    const bool fours =
        v % 4 == 0 && whole(k.logits.at, wide ? sizeof(Numbers<4>) : sizeof(FourRounded)) &&
        whole(k.gradient.at,
              k.gradient.is(ElementType::float32) ? sizeof(Numbers<4>) : sizeof(FourRounded));
    const std::int64_t needed = divide_up(v, kHeld * kWarp) * kWarp,
                       threads = needed < kRowThreads ? needed : kRowThreads;
    const std::int64_t left = v - kHeld * threads, kept = left < 0           ? 0
                                                          : left < kMostKept ? left
                                                                             : kMostKept;
    const auto kernel = wide ? (fours ? one_view<float, 4> : one_view<float, 1>)
                             : (fours ? one_view<Bfloat16, 4> : one_view<Bfloat16, 1>);
    launch(*device_, blocks(n), threads, static_cast<std::size_t>(kWarp + kept) * sizeof(float),
           kernel, k, rows, static_cast<int>(kept));
  }
  launch(*device_, blocks(1), kRowThreads, kRowThreads / kWarp * sizeof(double), sum_rows, rows, n,
         k.sums);
}

}  // namespace tt
