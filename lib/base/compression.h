// Compressed text: gzip, Zstandard and xz, told apart by their first bytes.
//
// A file has one or more members (streams, frames), one behind the other. As for gzip -d, zeros
// behind the last are padding, and other data there is not part of the text.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

// Decompresses one member after the other.
class Decompressor {
 public:
  enum class Status { more, end, damaged };
  virtual ~Decompressor() = default;

  virtual void restart() = 0;  // before another member
  // Reads from `in` and writes to `out`, and leaves of both what is not used yet. `end`: of a
  // member; `more`: either is used up. Throws std::bad_alloc.
  virtual Status decompress(std::string_view& in, std::span<char>& out) = 0;
};

struct Compression {
  std::string name;
  std::vector<std::string> magics;  // the first bytes of a member
  bool padded = false;              // zeros may also stand between members
  // Throws Error with the name of the file if it cannot be initialised.
  std::unique_ptr<Decompressor> (*decompressor)(const std::string& file) = nullptr;
};
const std::vector<Compression>& compressions();

// Whether more of the bytes at the beginning of a file are needed to tell what it is.
bool may_be_magic(std::string_view bytes);

// The kind of a file that begins with `bytes` if it is no text, and the command that makes text of
// it; empty if it may be text. It may be compressed in another way, or UTF-16 or UTF-32 with their
// mark of byte order.
std::string not_text(std::string_view bytes, const std::string& file);

}  // namespace tt
