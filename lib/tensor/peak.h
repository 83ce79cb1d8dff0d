// The ceiling of "percent of peak": what the machine's matrix products reach now, on all threads at once.
#pragma once

#include "base/parallel.h"
#include "tensor/backend.h"

namespace tt {

// FLOP/s of products of 512 x 512 matrices, by the better of the backend's two products, one after the other on every thread of the pool
// for about `seconds`, by the processor time of the threads: neighbours that take the processor away do not lower it.
double product_rate(const Backend& backend, ThreadPool& pool, double seconds);

}  // namespace tt
