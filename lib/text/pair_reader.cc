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

void refuse_xml(const LineReader& reader, std::string_view line, const char* needed) {
  if (reader.line_number() != 1) return;
  for (const std::string_view begin :
       {"<?xml", "<tmx", "<!DOCTYPE tmx", "\ufeff<?xml", "\ufeff<tmx"})
    if (line.starts_with(begin))
      throw Error(reader.where(), ": XML, as in TMX; make lines of ", needed, " of it");
}

bool PairReader::next(std::string_view& source, std::string_view& target) {
  const bool more = source_.next(source);
  if (!target_) return more && split(source, target);
  if (more) refuse_xml(source_, source, "text");
  const bool both = target_->next(target);
  if (both) refuse_xml(*target_, target, "text");
  if (both != more) throw_unequal();
  return more;
}

bool PairReader::split(std::string_view& line, std::string_view& target) const {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
    refuse_xml(source_, line, "source TAB target");
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
  throw Error(source_.name(), " has ", count_of(source_.line_number(), "line"), ", but ",
              target_->name(), " has ", with_commas(target_->line_number()),
              "; line N of one must be the translation of line N of the other");
}

}  // namespace tt
