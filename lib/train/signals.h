// Signals that ask a long run to end gracefully.
#pragma once

#include <csignal>

namespace tt {

// Records SIGINT and SIGTERM during its lifetime; a second signal ends the program at once. Only one may exist at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  int seen() const;  // the signal received, or 0

 private:
  struct sigaction before_[2];
};

}  // namespace tt
