// How ranks exchange memory of a backend while its kernels run: for gradients
// (train/gradient_sum.h).
//
// A link is used by one thread at a time, but for mark() and give_up(), and all ranks use theirs in
// the same order.
#pragma once

#include <cstdint>
#include <span>

#include "base/ranks.h"
#include "tensor/backend.h"

namespace tt {

class Link {
 public:
  virtual ~Link() = default;

  // A message of a rank, or to it: `size` floats of the backend's memory.
  struct Part {
    int rank;
    float* at;
    std::int64_t size;
  };

  // A backend with the same memory, whose kernels come after what was received, and before what is
  // sent later.
  virtual const Backend& backend() const = 0;
  // Messages sent after follow(mark) contain the results of all kernels that the original backend
  // had been given when mark(mark) was called, by any thread; so much later kernels need not be
  // waited for. Marks are small numbers, and may be used again.
  virtual void mark(std::int64_t) {}
  virtual void follow(std::int64_t) {}
  // Starts to send and receive. Of several parts for a rank, it receives the first as its first.
  // Messages must not change until wait() for the same queue (Ranks::kQueues) has returned;
  // what is received is there then, for kernels of backend().
  virtual void exchange(int queue, std::span<const Part> sent, std::span<const Part> received) = 0;
  virtual void wait(int queue) = 0;
  // Kernels that the original backend is given from now on come after all that was received.
  virtual void finish() {}
  // Returns when all of it is there. Throws Error if it cannot come.
  virtual void complete() {}
  // Ends a wait() in another thread, which throws Error. Nothing but the end of all processes can
  // follow.
  virtual void give_up() = 0;
};

}  // namespace tt
