// Several files as one, line behind line, and two side by side.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/line_reader.h"

namespace tt {

// The lines of several files, one behind the other; each is opened when its turn comes.
class LineFiles : public LineSource {
 public:
  // Opens the first. Throws Error if it cannot be opened, and next() if another cannot. Requires
  // that there is one.
  explicit LineFiles(std::vector<std::string> paths);

  bool next(std::string& line) override;
  // Not before a pipe is opened, which may take long.
  bool ready() override;
  double part() const override;
  std::size_t line_number() const override { return before_ + reader_->line_number(); }
  std::string where(std::size_t number) const override;

 private:
  void open(std::size_t file);

  std::vector<std::string> paths_;
  std::unique_ptr<LineReader> reader_;
  std::size_t before_ = 0;  // lines of the files before
  struct Begun {
    std::size_t before;
    std::string name;
  };
  std::vector<Begun> begun_;
};

// Lines that correspond, as "first LF second": a line has no LF.
class LinePairs : public LineSource {
 public:
  // `second` must outlive this, as must `first`.
  LinePairs(LineSource& first, LineReader& second) : first_(first), second_(second) {}

  // Throws Error if one side has more lines than the other.
  bool next(std::string& line) override;
  bool ready() override { return first_.ready() && second_.ready(); }
  double part() const override { return first_.part(); }
  std::size_t line_number() const override { return first_.line_number(); }
  std::string where(std::size_t number) const override { return first_.where(number); }

 private:
  LineSource& first_;
  LineReader& second_;
};

}  // namespace tt
