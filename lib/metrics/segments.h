// Reads several files in parallel: for each segment, the translations of one or several systems and
// the references.
//
// Text is read in blocks and not kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace tt::metrics {

struct SegmentFiles {
  std::vector<std::string> references;  // paths; line i of each is a reference of segment i
  std::vector<std::string>
      systems;  // paths; none: standard input, with one tab-separated field per system
  std::vector<std::string> names;  // of the systems; none: their paths
  std::string source;              // a path: line i is the source of segment i; empty: no sources
  std::string
      groups;  // a path: line i is the name of the group that segment i is in; empty: no groups
  int references_per_line = 1;  // more: tab-separated fields; requires one path in `references`
  bool skip_empty_references = false;  // ignore empty references; otherwise they are the empty text
  bool prefix = false;                 // read as many segments as the shortest file has
  std::size_t longest_line = 1 << 30;  // bytes; ICU and the rows of metrics count in 32 bits
};

// Consecutive segments.
struct SegmentBlock {
  std::size_t first = 0, size = 0;                   // segments, numbered from 0
  std::vector<std::vector<std::string>> hypotheses;  // [system][segment of the block]
  std::vector<std::vector<std::string_view>>
      references;  // [segment][reference], at least one per segment if there are files of them
  std::vector<std::string> sources, groups;  // [segment], if there are any
};

class SegmentReader {
 public:
  // Opens all files, and reads the first line of standard input if it determines the number of
  // systems. Throws Error if a file cannot be opened.
  explicit SegmentReader(const SegmentFiles& files);

  // The name of each system: the one given, its path, "(stdin)", or "System 1", "System 2", ... if
  // standard input has several.
  const std::vector<std::string>& systems() const { return names_; }

  // Sets `block` to the next segments: as many as are available without waiting, at least one;
  // false at the end. Its references live until the next call. Trailing white space is removed,
  // but, as by sacreBLEU, that of all systems but the last in the first line of a standard input
  // with several. Bytes that are not UTF-8 are read as U+FFFD. Throws Error if a file cannot be
  // read, if there are no lines, if files differ in length without `prefix`, if a line has the
  // wrong number of fields or is longer than `longest_line`, or if a segment has no group.
  bool next(SegmentBlock& block);

  // Findings so far.
  std::size_t segments() const { return segments_; }
  int references() const;                     // of a segment; 0: their number varies
  bool cut() const { return cut_; }           // by `prefix`: some file has more lines
  std::vector<std::string> notes() const;     // likely mistakes, a message each
  std::vector<std::string> degraded() const;  // repairs, a message per file

 private:
  struct Source {
    explicit Source(const std::string& path) : reader(path) {}
    LineReader reader;
    std::size_t lines = 0, damaged = 0;
    bool damaged_here = false;  // the line last read, which counts once it is scored
    std::string first_damaged;
    // In each line so far, if the same in all: without those at its end, or with them, as an empty
    // last reference leaves one.
    std::size_t tabs[2] = {0, 0};
    bool same_tabs[2] = {true, true};
    std::size_t surplus = 0;  // lines with more tabs than needed between references
    std::string first_surplus;

    bool next(std::string& line, std::size_t longest);
  };
  bool read_line(std::size_t source, std::string& line);
  void add_hypotheses(SegmentBlock& block);
  void add_references(SegmentBlock& block);
  void add_source_and_group(SegmentBlock& block);
  std::string describe() const;
  void differ();

  SegmentFiles files_;
  std::vector<std::string> names_;
  // The first of sources_ are hypotheses, then come references, and from references_end_ on the
  // source and groups, if there are any.
  std::size_t inputs_, references_end_;
  std::vector<Source> sources_;
  std::vector<std::vector<std::string>> lines_;  // [source][segment of the block]
  std::string first_line_;                       // of standard input, until it is used
  bool has_first_line_ = false;
  std::size_t segments_ = 0, fewest_ = static_cast<std::size_t>(-1), most_ = 0;
  bool ended_ = false, cut_ = false;
};

}  // namespace tt::metrics
