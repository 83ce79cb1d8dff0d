// Byte input.
#pragma once

#include <cstddef>
#include <string>

namespace tt {

// The name of a path's file in messages: of "-" it is "(stdin)".
std::string input_name(const std::string& path);

// A file opened to be read; "-" is stdin.
class Input {
 public:
  explicit Input(
      const std::string& path);  // Throws Error if it is missing, unreadable or a folder.
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Reads up to `size` bytes, as many as are available, and returns their number; 0 at the end.
  // Throws Error if reading fails.
  std::size_t read(void* to, std::size_t size);

  int descriptor() const { return fd_; }
  const std::string& name() const { return name_; }  // input_name() of the path
  // The size of a regular file; -1 for anything else.
  std::ptrdiff_t size() const { return size_; }

 private:
  std::string name_;
  int fd_ = -1;
  std::ptrdiff_t size_ = -1;
};

}  // namespace tt
