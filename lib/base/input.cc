#include "base/input.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/system.h"

namespace tt {

std::string input_name(const std::string& path) { return path == "-" ? "(stdin)" : path; }

Input::Input(const std::string& path) : name_(input_name(path)) {
  fd_ = path == "-" ? 0 : sys::open(path, O_RDONLY);
  if (fd_ < 0) throw Error(name_, ": cannot be read: ", std::strerror(errno));
  struct stat info;
  if (::fstat(fd_, &info) != 0) return;  // reading will fail
  if (S_ISDIR(info.st_mode)) {
    if (fd_ > 0) sys::close(fd_);
    throw Error(name_, ": is a folder; give a file");
  }
  if (S_ISREG(info.st_mode)) size_ = info.st_size;
}

Input::~Input() {
  if (fd_ > 0) sys::close(fd_);
}

std::size_t Input::read(void* to, std::size_t size) {
  const ssize_t got = sys::read(fd_, to, size);
  if (got < 0) throw Error(name_, ": reading failed: ", std::strerror(errno));
  return static_cast<std::size_t>(got);
}

}  // namespace tt
