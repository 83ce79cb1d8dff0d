// Label-smoothed cross-entropy over the vocabulary, forward and backward together, a block for each row of logits (section 5.4).
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

// With z the logits, L = log sum exp z and q the smoothed target:
//   -sum q log p = L - (1 - smoothing) z[target] - smoothing / V sum z,   d z = p - q.
// rows [n, 2] gets the contribution of each row to the sums.
//
// The logits are read twice: once for their largest and, in its proportion, the sum of their exponentials, which shrinks when a
// larger one comes, and once for the gradient. So many threads have a row that those under way fit into the cache.
constexpr int kRowThreads = 1024;
__global__ void __launch_bounds__(kRowThreads, 2) entropy_row(CrossEntropy k, double* rows) {
  const std::int64_t r = blockIdx.x, v = k.v;
  float *z = k.logits + r * v, *room = shared<float>();
  const std::int64_t first = threadIdx.x, step = blockDim.x;
  float mine = -INFINITY, total = 0, mass = 0;  // mass: of e^(z - mine)
  for (std::int64_t c = first; c < v; c += step) {
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
  const std::int64_t target = k.targets[r];
  const float gold = z[target];
  // After this, no thread still needs to read the target logit.
  mass = over_block(mine == peak ? mass : mass * expf(mine - peak), room, Sum());
  if (first == 0) {
    const double log_sum = static_cast<double>(peak) + log(static_cast<double>(mass));
    rows[2 * r] = log_sum - (1.0 - static_cast<double>(k.smoothing)) * static_cast<double>(gold) -
                  static_cast<double>(k.smoothing) / static_cast<double>(v) * static_cast<double>(total);
    rows[2 * r + 1] = log_sum - static_cast<double>(gold);
  }
  if (k.gradient_scale == 0) return;
  const float factor = k.gradient_scale / mass, shift = k.gradient_scale * k.smoothing / static_cast<float>(v);
  for (std::int64_t c = first; c < v; c += step) {
    float d = expf(z[c] - peak) * factor - shift;
    if (c == target) d -= k.gradient_scale * (1 - k.smoothing);
    if (k.rounded) put_rounded(k.rounded, r, c, v, d);
    else z[c] = d;
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
  if (k.n == 0) return;
  const Scratch scratch(*device_, static_cast<std::size_t>(2 * k.n) * sizeof(double));
  double* rows = scratch.at<double>();
  const std::int64_t threads = k.v < kRowThreads ? divide_up(k.v, kWarp) * kWarp : kRowThreads;
  launch(*device_, blocks(k.n), threads, kRowThreads / kWarp * sizeof(float), entropy_row, k, rows);
  launch(*device_, blocks(1), kThreads, kThreads / kWarp * sizeof(double), sum_rows, rows, k.n, k.sums);
}

}  // namespace tt
