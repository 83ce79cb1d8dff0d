#include "base/file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/input.h"
#include "base/report.h"
#include "base/signals.h"
#include "base/system.h"

namespace tt {
namespace {

const char* reason() { return std::strerror(errno); }

}  // namespace

std::string read_file(const std::string& path) {
  constexpr std::size_t kBlock = 1 << 16;
  Input file(path);
  std::string bytes;
  try {
    for (std::size_t got = 1; got > 0;) {
      const std::size_t old = bytes.size();
      bytes.resize(old + kBlock);
      got = file.read(bytes.data() + old, kBlock);
      bytes.resize(old + got);
    }
  } catch (const std::bad_alloc&) {
    throw Error(file.name(), ": out of memory after ", human_bytes(bytes.size()));
  }
  return bytes;
}

MappedFile::MappedFile(const std::string& path) {
  constexpr const char* kIrregular = ": is not a regular file; save it to one first";
  struct stat info;
  // Opening a pipe would wait for whoever writes to it.
  if (::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode)) throw Error(path, kIrregular);
  const Input file(path);
  if (file.size() < 0) throw Error(file.name(), kIrregular);
  if (file.size() == 0) throw Error(file.name(), ": is empty");
  size_ = static_cast<std::size_t>(file.size());
  void* at = sys::map(size_, file.descriptor());
  if (at == MAP_FAILED) throw Error(file.name(), ": cannot be mapped into memory: ", reason());
  data_ = static_cast<const std::byte*>(at);
  remember_mapped_file(file.name(), at, size_);
}

MappedFile::~MappedFile() {
  if (!data_) return;
  forget_mapped_file(data_);
  ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::forget(const void* from, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)),
             begin = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t first = (begin + page - 1) / page * page,
                       end = (begin + bytes) / page * page;
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

bool file_exists(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

bool is_folder(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::string resolved_path(const std::string& path) {
  std::error_code code;
  const auto absolute = std::filesystem::absolute(path, code);
  const auto resolved =
      code ? std::filesystem::path() : std::filesystem::weakly_canonical(absolute, code);
  return code ? ""
              : (resolved.has_filename() ? resolved : resolved.parent_path())
                    .string();  // new/ is new
}

bool same_path(const std::string& a, const std::string& b) {
  const std::string one = resolved_path(a);
  return a == b || (!one.empty() && one == resolved_path(b));
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat one, other;
  return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 &&
         (S_ISREG(one.st_mode) || S_ISFIFO(one.st_mode)) && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

void check_not_read(const std::string& output, std::span<const std::string> read) {
  const bool standard = output == "-";
  for (const std::string& path : read)
    if (same_file(path == "-" ? "/dev/stdin" : path, standard ? "/dev/stdout" : output))
      throw Error(standard ? "stdout" : output, ": is read",
                  path == output ? ""
                  : path == "-"  ? " as stdin"
                                 : " as " + path,
                  "; write to another file");
}

std::optional<FileStatus> regular_file(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileStatus{info.st_size,
                    info.st_ctim.tv_sec * std::int64_t{1000000000} + info.st_ctim.tv_nsec,
                    info.st_dev, info.st_ino};
}

void cut_torn_line(const std::string& path, std::string_view begins) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return;
  std::string text = read_file(path);
  // A power loss may leave NULs for what was written last.
  const std::size_t written = text.size();
  text.resize(text.find_last_not_of('\0') + 1);
  if (text.size() < written && sys::truncate(path, text.size()) != 0)
    throw Error(path, ": cannot be written: ", reason());
  if (text.empty() || text.back() == '\n') return;
  const std::size_t last = text.rfind('\n') + 1;
  if (const std::string_view line = std::string_view(text).substr(last);
      !line.starts_with(begins) && !begins.starts_with(line)) {
    Output out(path, true);
    out.line("");
    out.close();
    return;
  }
  if (sys::truncate(path, last) != 0) throw Error(path, ": cannot be written: ", reason());
}

}  // namespace tt
