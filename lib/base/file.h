// Files: line input (base/line_reader.h), output (base/output.h), and whole files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/line_reader.h"
#include "base/output.h"

namespace tt {

// A whole file. Throws Error if it cannot be read.
std::string read_file(const std::string& path);

// A file mapped read-only into memory. Throws Error if it cannot be opened or is empty.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

  // Forgets a stretch of a mapped file that is not needed for now: it takes no memory until it is
  // read again.
  static void forget(const void* from, std::size_t bytes);

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

bool file_exists(const std::string& path);
bool is_folder(const std::string& path);
// A path as it is from the root, without links, as far as it exists; empty if that cannot be told.
std::string resolved_path(const std::string& path);
// Whether two paths name one file or folder, which need not exist.
bool same_path(const std::string& a, const std::string& b);
// Whether two paths name one regular file or pipe.
bool same_file(const std::string& a, const std::string& b);
// Throws Error if `output` is one of what is read, where - is stdout or stdin: it would be lost, or
// read while it is written.
void check_not_read(const std::string& output, std::span<const std::string> read);
struct FileStatus {
  std::int64_t size = 0, changed = 0;    // bytes; nanoseconds since 1970, which no program can set
  std::uint64_t device = 0, number = 0;  // which file it is
};
// The status of a regular file; nothing if it is another kind of file, or is missing.
std::optional<FileStatus> regular_file(const std::string& path);
// Removes an incomplete last line, as left by a crash, from a log, if it exists, of lines that
// begin so; other text gets its LF. Throws Error.
void cut_torn_line(const std::string& path, std::string_view begins);

}  // namespace tt
