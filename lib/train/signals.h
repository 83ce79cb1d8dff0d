// Signals that ask a long run to end gracefully.
#pragma once

#include <csignal>

#include "base/ranks.h"

namespace tt {

// Records SIGHUP, SIGINT and SIGTERM during its lifetime, unless they were ignored before, as nohup
// has it. Another one, more than a second after the first, is handled as before: a terminal that is
// closed may send two. Only one may exist at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  int seen() const;  // the signal received, or 0; any thread may ask
  // Whether any rank has received one; all of them ask together.
  bool seen_by_any(const Ranks& ranks) { return seen_ = seen_ || ranks.any(seen()); }

 private:
  bool seen_ = false;
};

}  // namespace tt
