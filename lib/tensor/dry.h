// A backend that computes nothing, and whose memory takes none: with it an arena tells what would
// be needed.
//
// Memory is zeros at first, and little is ever written: what a search finds best is always the same
// piece.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "tensor/backend.h"

namespace tt {

class DryBackend final : public Backend {
 public:
  // With the types of another backend, whose memory is the host's.
  explicit DryBackend(std::int32_t best, const Traits& traits = {})
      : best_(best), traits_(traits) {}
  ~DryBackend() override;

  void* allocate(std::size_t bytes) const override;
  void release(void* memory) const override;
  Traits traits() const override { return traits_; }
  void upload(void*, const void*, std::size_t) const override {}
  void download(void*, const void*, std::size_t) const override {}
  void synchronise() const override {}
  TT_KERNELS(TT_OVERRIDE)

 private:
  std::int32_t best_;
  Traits traits_;
  mutable std::mutex mutex_;
  mutable std::map<void*, std::size_t> sizes_;
};

}  // namespace tt
