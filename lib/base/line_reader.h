// Line input, from plain or compressed text.
//
// Only LF ends a line; CR, NUL, U+2028, U+0085 and U+FEFF are data, but of U+FEFF at the beginning
// of a file a warning is given. A path of "-" is stdin. Input that begins as gzip, Zstandard or xz
// do is decompressed, whatever its name; trailing zeros are ignored, and so is other trailing data,
// with a warning.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_source.h"

namespace tt {

// Reads lines. The last line needs no LF; an empty file has no lines.
class LineReader : public LineSource {
 public:
  // Opens `path`. Throws Error if it is missing, unreadable or a folder.
  explicit LineReader(const std::string& path);
  ~LineReader() override;
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) = delete;

  // Sets `line` to the next line without its LF; false at the end. The view lives until the next
  // call. Throws Error if reading fails, the file is no text, or compressed data is damaged or
  // truncated, after all complete lines before have been returned.
  bool next(std::string_view& line);
  bool next(std::string& line) override;

  bool ready() override;
  // Whether next() would return false; known only after it was ready.
  bool ended() const;

  // The fraction of the file, 0 to 1, that has been returned; negative if unknown, as for a pipe.
  double part() const override;

  std::size_t line_number() const override;  // of the line last returned; the first is 1
  const std::string& name() const;           // the path, or "(stdin)"
  std::string where() const { return where(line_number()); }  // "path:line", for error texts
  std::string where(std::size_t number) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All lines of a file. Throws Error as LineReader does.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace tt
