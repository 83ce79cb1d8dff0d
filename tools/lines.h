// The flags of tt-translate that say what its lines are, and what is written for each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/line_files.h"
#include "lines/filter.h"
#include "lines/memory.h"
#include "tools/search.h"

namespace tt {

// The files that lines are looked up in, opened.
struct Lookup {
  Glossary glossary;
  std::optional<Memory> memory;

  // Whether some of their own lines could not be read.
  bool left_out() const { return glossary.left_out() || (memory && memory->left_out()); }
};

struct LineFlags {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string score, prefix, glossary, memory, format, alignment, heads, keep,
      markup;  // empty: not given
  std::string pass_through = "on";
  Words allowed;  // flaws that are not looked for
  bool ignore_case = false;
  std::uint64_t first_line = 1;
  LineOptions line;     // what of these is said as it is
  OutputOptions reply;  // ... and of these

  // Sets what follows from them; what search is asked for has a part in it. `opened` must outlive
  // the options. Throws Error if a file to look up in cannot be read.
  void apply(const SearchFlags& search, Lookup& opened, FilterOptions& options) const;

  // The files that are read, with those of search.
  std::vector<std::string> files(const SearchFlags& search) const;

  // Throws UsageError if options contradict each other, or if with what else is read the standard
  // input is read twice.
  void check(const SearchFlags& search, std::vector<std::string> read);
  // Throws Error if what is written, the output and other files, would overwrite one of those, one
  // of `read`, or each other. An empty name is none.
  void check_written(const Words& others, const SearchFlags& search,
                     std::vector<std::string> read) const;
};

Group line_group(LineFlags& flags);

// The files that they name, opened.
class OpenLines {
 public:
  explicit OpenLines(const LineFlags& flags);
  LineSource& source() const { return pairs_ ? static_cast<LineSource&>(*pairs_) : *files_; }

 private:
  std::unique_ptr<LineFiles> files_;
  std::unique_ptr<LineReader> second_;
  std::unique_ptr<LinePairs> pairs_;
};

}  // namespace tt
