// The reference for "percent of peak": the current rate of matrix products on all threads at once, or of a device.
#pragma once

#include "base/parallel.h"
#include "tensor/backend.h"

namespace tt {

// FLOP/s of products of 512 x 512 matrices with the faster of the backend's two products, run repeatedly on every thread of the
// pool for about `seconds`. Measured in processor time of the threads, so that other processes do not lower it. Of a device: of
// products of up to 4096 x 4096, one after the other; 0 if it fails or has no memory for them.
double product_rate(const Backend& backend, ThreadPool& pool, double seconds);

}  // namespace tt
