// A file in memory, so that a round of a fuzz target costs no disk.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace tt {

class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("fuzz", 0)) { TT_CHECK(fd_ >= 0); }
  void hold(const std::uint8_t* bytes, std::size_t size) const {
    TT_CHECK(::ftruncate(fd_, 0) == 0);
    TT_CHECK(::pwrite(fd_, bytes, size, 0) == static_cast<ssize_t>(size));
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

// Checks that a message for users is one line, not too long, that begins with `name`.
inline void check_message(const Error& error, const std::string& name) {
  const std::string text = error.what();
  TT_CHECK(text.starts_with(name));
  TT_CHECK(text.find('\n') == std::string::npos);
  TT_CHECK(text.size() < 1000);
}

}  // namespace tt
