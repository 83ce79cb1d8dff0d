// Parallel text: two files whose lines correspond, or one of lines "source TAB target".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/line_reader.h"

namespace tt {

// Throws Error, saying which lines are needed, if this is the first line of a file of XML, as TMX
// is.
void refuse_xml(const LineReader& reader, std::string_view line, const char* needed);

class PairReader {
 public:
  // Opens them; an empty `target`: one file with tabs. "-" is stdin. Throws Error if one cannot be
  // read, or both are stdin.
  PairReader(const std::string& source, const std::string& target);

  // Sets both to the next pair; false at the end. The views live until the next call. Throws Error
  // as LineReader does, and if the files differ in length or a line has not exactly one TAB.
  bool next(std::string_view& source, std::string_view& target);

  double part() const { return source_.part(); }  // as LineReader's
  std::size_t line_number() const { return source_.line_number(); }
  // "path:line" of a side of the last pair.
  std::string source_where() const { return source_.where(); }
  std::string target_where() const { return (target_ ? *target_ : source_).where(); }
  std::string source_name() const { return source_.name() + (target_ ? "" : " (source)"); }
  std::string target_name() const {
    return target_ ? target_->name() : source_.name() + " (target)";
  }
  std::string names() const {
    return target_ ? source_.name() + ", " + target_->name() : source_.name();
  }

 private:
  bool split(std::string_view& line, std::string_view& target) const;
  [[noreturn]] void throw_unequal();

  LineReader source_;
  std::unique_ptr<LineReader> target_;
};

}  // namespace tt
