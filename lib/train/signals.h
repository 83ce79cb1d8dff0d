// Signals that ask a long run to end in order.
#pragma once

#include <csignal>

namespace tt {

// SIGINT and SIGTERM are noted while this lives; a second one ends the program at once. One at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  int seen() const;  // the signal that came, or 0

 private:
  struct sigaction before_[2];
};

}  // namespace tt
