// The reference for "percent of peak": the current rate of matrix products on all threads at once,
// or of a device.
#pragma once

#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "tensor/backend.h"

namespace tt {

// FLOP/s of products of 512 x 512 matrices with the faster of the backend's two products, run
// repeatedly on every thread of the pool for about `seconds`. Measured in processor time of the
// threads, so that other processes do not lower it. Of a device: of products of up to 4096 x 4096,
// one after the other; 0 if it fails or has no memory for them.
double product_rate(const Backend& backend, ThreadPool& pool, double seconds);

// Numbers from -1 to 1 for products whose rate is measured: of equal ones a GPU, which takes less
// power then, makes more.
std::vector<float> varied(std::int64_t size);

}  // namespace tt
