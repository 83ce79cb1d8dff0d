// Lines from wherever they come: what programs that map lines to lines read from.
#pragma once

#include <cstddef>
#include <string>

namespace tt {

class LineSource {
 public:
  virtual ~LineSource() = default;

  // Sets `line` to the next line without its LF; false at the end. Throws Error if reading fails.
  virtual bool next(std::string& line) = 0;
  // True if next() returns without waiting for the writer of a pipe. Reads what is there. Throws
  // Error if reading fails.
  virtual bool ready() = 0;
  // The part of all, 0 to 1, that has been returned; negative when that cannot be known, as in a
  // pipe.
  virtual double part() const = 0;
  // The number of the line last returned, all files counted together; the first is 1.
  virtual std::size_t line_number() const = 0;
  // "path:line" of line `number`, which has been returned, counted in its own file; for error
  // texts.
  virtual std::string where(std::size_t number) const = 0;
};

}  // namespace tt
