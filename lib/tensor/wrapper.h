// A backend around another, which has the memory and computes: the base of those that watch its
// kernels. Each of them overrides all kernels.
#pragma once

#include "tensor/backend.h"

namespace tt {

class BackendWrapper : public Backend {
 public:
  // `inner` must outlive it.
  explicit BackendWrapper(const Backend& inner) : inner_(&inner) {}

  void* allocate(std::size_t bytes) const override { return inner_->allocate(bytes); }
  void release(void* memory) const override { inner_->release(memory); }
  Traits traits() const override { return inner_->traits(); }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    inner_->upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    inner_->download(to, from, bytes);
  }
  void synchronise() const override { inner_->synchronise(); }

 protected:
  const Backend& inner() const { return *inner_; }

 private:
  const Backend* inner_;  // a pointer, so that what wraps it can be assigned
};

}  // namespace tt
