#include "text/pair_reader.h"

#include <algorithm>

#include "base/error.h"
#include "base/report.h"

namespace tt {

PairReader::PairReader(const std::string& source, const std::string& target) : source_(source) {
  if (source == "-" && target == "-")
    throw Error("stdin cannot be both sides; give a single \"-\" for lines of source TAB target");
  if (!target.empty()) target_ = std::make_unique<LineReader>(target);
}

bool PairReader::next(std::string_view& source, std::string_view& target) {
  const bool more = source_.next(source);
  if (!target_) return more && split(source, target);
  if (target_->next(target) != more) throw_unequal();
  return more;
}

bool PairReader::split(std::string_view& line, std::string_view& target) const {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
    for (const std::string_view begin : {"<?xml", "<tmx", "<!DOCTYPE", "\ufeff<?xml"})
      if (source_.line_number() == 1 && line.starts_with(begin))
        throw Error(source_.where(), ": XML, as in TMX; make lines of source TAB target of it");
    throw Error(source_.where(), ": ", std::count(line.begin(), line.end(), '\t'),
                " tabs in the line; expected exactly one, between source and target");
  }
  target = line.substr(tab + 1);
  line = line.substr(0, tab);
  return true;
}

// Counts the remaining lines of both files, for the error message.
void PairReader::throw_unequal() {
  std::string_view line;
  while (source_.next(line)) {
  }
  while (target_->next(line)) {
  }
  throw Error(source_.name(), " has ", with_commas(source_.line_number()), " lines, but ",
              target_->name(), " has ", with_commas(target_->line_number()),
              "; line N of one must be the translation of line N of the other");
}

}  // namespace tt
