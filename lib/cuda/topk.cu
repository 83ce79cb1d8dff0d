// The best continuations of each hypothesis: log-softmax and the few largest, a block for each row;
// and log-softmax of all. Each of the largest takes a visit to the row, which by then is in the
// cache.
#include "base/error.h"
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

// A number and its index, ordered by decreasing number and then by index.
struct Candidate {
  float x;
  std::int32_t index;
  __device__ bool before(const Candidate& other) const {
    return x > other.x || (x == other.x && index < other.index);
  }
};
static_assert(sizeof(Candidate) == sizeof(std::uint64_t));

struct First {
  __device__ std::uint64_t operator()(std::uint64_t a,
                                      std::uint64_t b) const {  // Candidates, encoded for shuffles
    Candidate p, q;
    memcpy(&p, &a, sizeof p);
    memcpy(&q, &b, sizeof q);
    return q.before(p) ? b : a;
  }
};

// log sum exp of a row, in all threads; `room` is shared memory for one float per warp.
__device__ float log_sum_of(const float* z, std::int64_t v, float* room) {
  float peak = -INFINITY, mass = 0;
  for (std::int64_t c = threadIdx.x; c < v; c += blockDim.x) peak = fmaxf(peak, z[c]);
  peak = over_block(peak, room, Largest());
  for (std::int64_t c = threadIdx.x; c < v; c += blockDim.x) mass += expf(z[c] - peak);
  return peak + logf(over_block(mass, room, Sum()));
}

__global__ void log_softmax_row(LogSoftmax k) {
  float* z = k.logits + blockIdx.x * k.v;
  const float log_sum = log_sum_of(z, k.v, shared<float>());
  for (std::int64_t c = threadIdx.x; c < k.v; c += blockDim.x) z[c] -= log_sum;
}

__global__ void best_of_row(BestOf k) {
  const std::int64_t r = blockIdx.x, v = k.v;
  float* z = k.logits + r * v;
  auto* room = shared<std::uint64_t>();
  const Candidate none{-INFINITY, 0x7FFFFFFF};
  Candidate last{INFINITY, -1};
  const float log_sum = log_sum_of(z, v, reinterpret_cast<float*>(room));
  for (int i = threadIdx.x; i < k.asked; i += blockDim.x) {
    const std::int32_t at = k.asked_at[r * k.asked + i];
    k.asked_values[r * k.asked + i] = at >= 0 ? z[at] - log_sum : -INFINITY;
  }
  if (k.barred > 0) {
    __syncthreads();  // until all asked ones have been read
    for (int i = threadIdx.x; i < k.barred; i += blockDim.x)
      if (const std::int32_t at = k.barred_at[r * k.barred + i]; at >= 0)
        store_alike(z + at, -INFINITY);  // may be there twice
    __syncthreads();
  }
  for (int i = 0; i < k.best; ++i) {
    Candidate best = none;
    for (std::int64_t c = threadIdx.x; c < v; c += blockDim.x) {
      const Candidate here{z[c], static_cast<std::int32_t>(c)};
      if (last.before(here) && here.before(best)) best = here;
    }
    std::uint64_t packed;
    memcpy(&packed, &best, sizeof best);
    packed = over_block(packed, room, First());
    memcpy(&last, &packed, sizeof last);
    const bool found = last.index != none.index && last.x != -INFINITY;
    if (threadIdx.x == 0) {
      // A NaN in the row makes log_sum NaN, and so all values, even if the row has no other
      // numbers.
      k.values[r * k.best + i] = found || log_sum != log_sum ? last.x - log_sum : -INFINITY;
      k.indices[r * k.best + i] = found ? last.index : 0;
    }
  }
}

}  // namespace

void CudaBackend::best_of(const BestOf& k) const {
  TT_CHECK(k.begin == 0 && k.last);
  launch(*device_, blocks(k.n), row_threads(k.v), kThreads / kWarp * sizeof(std::uint64_t),
         best_of_row, k);
}

void CudaBackend::log_softmax(const LogSoftmax& k) const {
  launch(*device_, blocks(k.n), row_threads(k.v), kThreads / kWarp * sizeof(float), log_softmax_row,
         k);
}

}  // namespace tt
