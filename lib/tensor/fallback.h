// A floor to build a backend on: every kernel runs on the host, with copies of its arguments, until
// the backend has that kernel itself.
//
// A new backend derives from this class, has memory, says what it is (traits()), and overrides the
// kernels that it has: product first, then what a profile shows. Its results are right from the
// beginning, and each kernel more makes it faster.
#pragma once

#include "tensor/backend.h"

namespace tt {

class FallbackBackend : public Backend {
 public:
  // The kernels of `host`, whose memory is the host's; it must outlive this.
  explicit FallbackBackend(const Backend& host) : host_(host) {}

  void synchronise() const override {}
  TT_KERNELS(TT_OVERRIDE)

 private:
  const Backend& host_;
};

}  // namespace tt
