// The update of the parameters (section 5.3): gradients of all shards in the CPU's tree, then Adam
// or its schedule-free form, a thread for each element.
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

// A block for each chunk.
__global__ void reduce_chunk(Reduce k) {
  const std::int64_t begin = k.begin + static_cast<std::int64_t>(blockIdx.x) * Reduce::kChunk;
  const std::int64_t end = begin + Reduce::kChunk < k.end ? begin + Reduce::kChunk : k.end;
  double squares = 0;
  for (std::int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    for (int stride = 1; stride < k.shards; stride *= 2)
      for (int s = 0; s + stride < k.shards; s += 2 * stride)
        k.gradients[s][i] += k.gradients[s + stride][i];
    const double g = k.gradients[0][i];
    squares += g * g;
  }
  squares = over_block(squares, shared<double>(), Sum());
  if (threadIdx.x == 0) k.squares[begin / Reduce::kChunk] = squares;
}

__global__ void adam_elements(Adam k) {
  const std::int64_t i = element();
  if (i >= k.size) return;
  const float g = k.gradient[i] * k.gradient_scale;
  const float m = k.beta1 * k.m[i] + (1 - k.beta1) * g,
              v = k.beta2 * k.v[i] + (1 - k.beta2) * g * g;
  k.m[i] = m;
  k.v[i] = v;
  const float mean = k.nesterov ? k.beta1 * m + (1 - k.beta1) * g : m;
  const float direction = mean * (1 / k.correction1) / (sqrtf(v * (1 / k.correction2)) + k.epsilon);
  const float p = k.parameters[i] - k.rate * (direction + k.weight_decay * k.parameters[i]);
  k.parameters[i] = p;
  if (k.copy) k.copy.as<Bfloat16>()[i] = nearest(p);
}

// From a to b; with the same bits wherever it is used.
__device__ float between(float a, float b, float weight) { return fmaf(weight, b - a, a); }

__global__ void schedule_free_elements(ScheduleFree k) {
  const std::int64_t i = element();
  if (i >= k.size) return;
  const float g = k.gradient[i] * k.gradient_scale;
  const float v = k.beta2 * k.v[i] + (1 - k.beta2) * g * g;
  const float direction = g / (sqrtf(v * (1 / k.correction2)) + k.epsilon);
  const float z = k.z[i] - k.rate * (direction + k.weight_decay * k.y[i]);
  const float x = between(k.x[i], z, k.weight), y = between(z, x, k.beta1);
  k.v[i] = v;
  k.z[i] = z;
  k.x[i] = x;
  k.y[i] = y;
  if (k.copy) k.copy.as<Bfloat16>()[i] = nearest(y);
}

__global__ void move_average(MovingAverage k) {
  const std::int64_t i = element();
  if (i < k.size) k.average[i] = k.weight == 1 ? k.x[i] : between(k.average[i], k.x[i], k.weight);
}

}  // namespace

void CudaBackend::reduce(const Reduce& k) const {
  launch(*device_, blocks(divide_up(k.end - k.begin, Reduce::kChunk)), 2 * kThreads,
         2 * kThreads / kWarp * sizeof(double), reduce_chunk, k);
}

void CudaBackend::adam(const Adam& k) const { launch_elements(*device_, k.size, adam_elements, k); }

void CudaBackend::schedule_free(const ScheduleFree& k) const {
  launch_elements(*device_, k.size, schedule_free_elements, k);
}

void CudaBackend::moving_average(const MovingAverage& k) const {
  launch_elements(*device_, k.size, move_average, k);
}

}  // namespace tt
