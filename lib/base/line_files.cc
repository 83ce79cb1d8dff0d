#include "base/line_files.h"

#include "base/error.h"
#include "base/file.h"

namespace tt {

LineFiles::LineFiles(std::vector<std::string> paths) : paths_(std::move(paths)) {
  TT_CHECK(!paths_.empty());
  open(0);
}

void LineFiles::open(std::size_t file) {
  auto next = std::make_unique<LineReader>(paths_[file]);
  if (reader_) before_ += reader_->line_number();
  reader_ = std::move(next);
  begun_.push_back({before_, reader_->name()});
}

bool LineFiles::next(std::string& line) {
  while (!reader_->next(line)) {
    if (begun_.size() == paths_.size()) return false;
    open(begun_.size());
  }
  return true;
}

bool LineFiles::ready() {
  return reader_->ready() && (!reader_->ended() || begun_.size() == paths_.size() ||
                              regular_file(paths_[begun_.size()]).has_value());
}

double LineFiles::part() const {
  const double part = reader_->part(), files = static_cast<double>(paths_.size());
  return part < 0 ? part : (static_cast<double>(begun_.size() - 1) + part) / files;
}

std::string LineFiles::where(std::size_t number) const {
  std::size_t file = begun_.size() - 1;
  while (file > 0 && begun_[file].before >= number) --file;
  return begun_[file].name + ":" + std::to_string(number - begun_[file].before);
}

bool LinePairs::next(std::string& line) {
  std::string other;
  const bool more = first_.next(line);
  if (second_.next(other) != more)
    throw Error(second_.name(), more ? ": ends before line " : ": goes on at line ",
                first_.line_number() + (more ? 0 : 1),
                more ? ", which the input has" : ", where the input has ended",
                "; line N of one must belong to line N of the other");
  if (more) line += "\n" + other;
  return more;
}

}  // namespace tt
