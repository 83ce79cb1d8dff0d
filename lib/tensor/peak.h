// The reference for "percent of peak": the current rate of matrix products on all threads at once.
#pragma once

#include "base/parallel.h"
#include "tensor/backend.h"

namespace tt {

// FLOP/s of products of 512 x 512 matrices with the faster of the backend's two products, run repeatedly on every thread of the
// pool for about `seconds`. Measured in processor time of the threads, so that other processes do not lower it.
double product_rate(const Backend& backend, ThreadPool& pool, double seconds);

}  // namespace tt
