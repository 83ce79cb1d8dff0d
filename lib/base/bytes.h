// Bytes of files that other programs wrote: little-endian numbers from bytes that may end too
// early, and to bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace tt {

static_assert(std::endian::native == std::endian::little,
              "files are read and written as they lie in memory");

class ByteReader {
 public:
  // `path` begins the text of errors.
  ByteReader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  std::size_t place() const { return place_; }
  std::size_t size() const { return bytes_.size(); }
  std::size_t left() const { return bytes_.size() - place_; }
  void go_to(std::uint64_t place) {
    if (place > bytes_.size()) truncated(place);
    place_ = static_cast<std::size_t>(place);
  }

  // The next bytes, which live as long as those that are read. Throws Error if there are not so
  // many.
  std::string_view take(std::uint64_t size) {
    if (size > left()) truncated(size > UINT64_MAX - place_ ? UINT64_MAX : place_ + size);
    const std::string_view taken = bytes_.substr(place_, static_cast<std::size_t>(size));
    place_ += taken.size();
    return taken;
  }

  // The bytes up to the next LF, which is taken as well.
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', place_);
    const std::string_view taken = take(end == bytes_.npos ? left() + 1 : end - place_);
    take(1);
    return taken;
  }

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

 private:
  [[noreturn]] void truncated(std::uint64_t end) const {
    throw Error(path_, ": is truncated: a value that begins at byte ", place_, " ends at byte ",
                end, ", the file at ", bytes_.size(), "; copy it again");
  }

  std::string_view bytes_;
  const std::string& path_;
  std::size_t place_ = 0;
};

template <class... T>
void append_number(std::string& bytes, const T&... values) {
  static_assert((std::is_arithmetic_v<T> && ...));
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}

// The most that is unpacked or taken from a file of so many bytes. Weights of 8 bits become four
// times as large, a matrix may be that of source, target and output, and layers may share theirs;
// what grows more is damaged, or was made to fill the memory.
constexpr std::uint64_t most_from(std::uint64_t bytes) { return 64 * bytes + (1 << 20); }

// Bytes in base64, and back: what is no digit ends them.
std::string to_base64(std::string_view bytes);
std::string from_base64(std::string_view text);

// Throws Error if the bytes are what a download may give instead of a large file: a pointer of Git
// LFS, or a web page.
void check_downloaded(std::string_view bytes, const std::string& path);

}  // namespace tt
