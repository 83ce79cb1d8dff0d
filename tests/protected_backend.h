// A backend whose memory the host must not touch: a device as far as the host can tell, on machines that have none.
//
// Its kernels are the CPU's. Its memory is a range of addresses of its own, which can be read and written only while one of its kernels, or
// a copy, is at work; a host that follows a pointer into it ends with SIGSEGV. What was not written yet is NaN. Every pointer that a
// kernel is given must be null or lie in that range (TT_CHECK). While several threads call kernels at once only what happens between the
// calls of all is guarded.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "cpu/cpu.h"

namespace tt {

class ProtectedBackend final : public Backend {
 public:
  ProtectedBackend();
  ~ProtectedBackend() override;

  void* allocate(std::size_t bytes) const override;
  void release(void* memory) const override;
  bool is_host() const override { return false; }
  void upload(void* to, const void* from, std::size_t bytes) const override;
  void download(void* to, const void* from, std::size_t bytes) const override;
  void synchronise() const override {}
  TT_KERNELS(TT_OVERRIDE)

 private:
  class Open;  // the memory can be used while one lives

  bool inside(const void* at) const;
  template <class T>
  void check_pointers(const T& arguments) const;

  CpuBackend cpu_;
  std::byte* begin_;
  mutable std::mutex mutex_;
  mutable int open_ = 0;
  mutable std::size_t end_ = 0;                           // of what was ever allocated, in bytes from begin_
  mutable std::map<std::size_t, std::size_t> blocks_;     // size of what is allocated, by its place
  mutable std::multimap<std::size_t, std::size_t> free_;  // place of what was given back, by its size
};

}  // namespace tt
