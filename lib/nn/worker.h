// The state of a computing thread: its own tape, and a meter of its work.
#pragma once

#include <deque>

#include "nn/tape.h"
#include "tensor/meter.h"

namespace tt {

struct Worker {
  Worker(const Backend& backend, const Params& params) : meter(backend), tape(meter, params) {}
  Meter meter;
  Tape tape;
};

// One for each of `threads` threads. Backend and parameters must outlive them.
class Workers {
 public:
  Workers(const Backend& backend, const Params& params, int threads) {
    for (int t = 0; t < threads; ++t) workers_.emplace_back(backend, params);
  }
  Worker& operator[](int thread) { return workers_[static_cast<std::size_t>(thread)]; }
  auto begin() { return workers_.begin(); }
  auto end() { return workers_.end(); }

 private:
  std::deque<Worker> workers_;  // whose elements do not move
};

}  // namespace tt
