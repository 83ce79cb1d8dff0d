// Lists of candidates, one for each line of input, from files of lists and what belongs to them.
//
// One list is in memory at a time. Lists of Moses are numbered: a number that is missing gives an
// empty list, and one whose turn is over is reported, and left out, so that there is exactly one
// list for each line of input up to the last, whatever the file has.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_files.h"
#include "base/reasons.h"
#include "rerank/candidates.h"

namespace tt::rerank {

// Numbers that come before those of the lists with the same name.
struct FeatureFile {
  std::string name, path;
};

struct ListFiles {
  std::vector<std::string> lists;     // paths, read one behind the other
  std::vector<FeatureFile> features;  // with a number for each line of the lists, in their order
  std::string source;      // path of the lines of input, of which each has a list; empty: none
  std::string references;  // path of lists that candidates are compared with; empty: none
  ListFormat format = ListFormat::moses;
  std::uint64_t first_line = 1;  // number of the first line of input; a list counts from 0
};

// A line of input with its candidates and their references.
struct ListItem {
  std::string source;
  std::size_t source_line = 0;  // of the file with the source
  CandidateList hypotheses, references;
};

class Lists;

// Gives each item as a line, for map_lines(); item() reads it.
class ListSource : public LineSource {
 public:
  // Throws Error if a file cannot be opened, or if there are features for JSON.
  explicit ListSource(ListFiles files);
  ~ListSource() override;

  // Throws Error if reading fails, if no line of a file is of a list, if a number is far behind the
  // one before, or if files that correspond differ in length.
  bool next(std::string& line) override;
  bool ready() override;
  double part() const override;
  std::size_t line_number() const override { return items_; }
  std::string where(std::size_t line) const override;  // "path:line" of the lists

  // The item of a line that next() gave, which outlives it. Safe to call from several threads.
  ListItem item(const std::string& line);

  // Told why lines of the lists, of the lists of references, or of the source were degraded, by
  // their numbers in these files, which is said at the end.
  ListProblem list_problem() { return problem_of(list_problems_); }
  ListProblem reference_problem() { return problem_of(reference_problems_); }
  ListProblem source_problem() { return problem_of(source_problems_); }
  bool degraded() const;

 private:
  static ListProblem problem_of(Reasons& reasons) {
    return [&reasons](const std::string& reason, std::size_t line) { reasons.add(reason, line); };
  }
  void leave_out_references(std::uint64_t end);  // the next ones, of lists numbered below
  CandidateList read(std::string_view lines, const ListProblem& problem) const;

  ListFiles files_;
  std::vector<std::string> feature_names_;
  std::unique_ptr<Lists> lists_, references_;
  std::unique_ptr<LineReader> source_;
  std::size_t items_ = 0;
  Reasons list_problems_, reference_problems_, source_problems_;
};

}  // namespace tt::rerank
