// A backend whose memory the host must not access: it behaves like a device, on machines that have
// none.
//
// Its kernels are those of another backend, which uses host memory. Its memory is mapped twice: at
// the addresses that it returns, without access rights, so that dereferencing one on the host gives
// SIGSEGV; and elsewhere, for its kernels and copies. Every pointer passed to a kernel must be null
// or one of the former (TT_CHECK). Memory not written yet is NaN.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "tensor/backend.h"

namespace tt {

class ProtectedBackend final : public Backend {
 public:
  // The kernels, which must outlive it, are called with addresses of the host's memory.
  explicit ProtectedBackend(const Backend& kernels);
  ~ProtectedBackend() override;

  void* allocate(std::size_t bytes) const override;
  void release(void* memory) const override;
  Traits traits() const override {
    Traits mine = kernels_.traits();
    mine.host_memory = false;
    mine.queue = true;
    return mine;
  }
  void upload(void* to, const void* from, std::size_t bytes) const override;
  void download(void* to, const void* from, std::size_t bytes) const override;
  void synchronise() const override {}
  TT_KERNELS(TT_OVERRIDE)

 private:
  // The place at which kernels find the n numbers that the host knows as `at`, which are of one
  // block (TT_CHECK).
  template <class T>
  T* inside(T* at, std::int64_t n) const;

  const Backend& kernels_;
  std::byte *begin_, *open_;  // of both mappings
  mutable std::mutex mutex_;
  mutable std::size_t end_ = 0;  // of what was ever allocated, in bytes from begin_
  mutable std::map<std::size_t, std::size_t> blocks_;  // size of what is allocated, by its place
  mutable std::multimap<std::size_t, std::size_t>
      free_;  // place of what was given back, by its size
};

}  // namespace tt
