// Lines of several files side by side: what one or several systems made of each segment, and its references.
//
// Text passes through in blocks and is not kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace tt::metrics {

struct SegmentFiles {
  std::vector<std::string> references;  // paths; line i of each is a reference of segment i
  std::vector<std::string> systems;     // paths; none: standard input, with a system in each field between tabs
  int references_per_line = 1;          // more: fields between tabs; requires one path in `references`
  bool skip_empty_references = false;   // an empty reference is none; otherwise it is the empty text
  bool prefix = false;                  // read as many segments as the shortest file has
};

// Consecutive segments.
struct SegmentBlock {
  std::size_t first = 0, size = 0;                        // segments; the first of all is 0
  std::vector<std::vector<std::string>> hypotheses;       // [system][segment of the block], without white space at the end
  std::vector<std::vector<std::string_view>> references;  // [segment][reference], at least one of each segment
};

class SegmentReader {
 public:
  // Opens all files, and reads the first line of standard input where it tells how many systems there are.
  // Throws Error if a file cannot be opened.
  explicit SegmentReader(const SegmentFiles& files);

  // What each system is called: its path, "(stdin)", or "System 1", "System 2", ... where standard input has several.
  const std::vector<std::string>& systems() const { return names_; }

  // Sets `block` to the next segments: as many as are there without waiting, at least one; false at the end. Its references live
  // until the next call. White space at the end of a line is no part of it. Bytes that are not UTF-8 are read as U+FFFD.
  // Throws Error if a file cannot be read, if there are no lines, if files differ in length without `prefix`, or if a line has
  // another number of fields than it should have.
  bool next(SegmentBlock& block);

  // What was found so far.
  std::size_t segments() const { return segments_; }
  int references() const;                     // of a segment; 0: their number varies
  bool cut() const { return cut_; }           // by `prefix`: some file has more lines
  std::vector<std::string> notes() const;     // what looks like a mistake, a sentence each
  std::vector<std::string> degraded() const;  // what had to be repaired, a sentence for each file

 private:
  struct Source {
    explicit Source(const std::string& path) : reader(path) {}
    LineReader reader;
    std::size_t lines = 0, damaged = 0;
    std::string first_damaged;
    std::size_t tabs = 0;  // in each line so far, if `same_tabs`
    bool same_tabs = true;
    std::size_t surplus = 0;  // lines with more tabs than there are references to part
    std::string first_surplus;

    bool next(std::string& line);
  };
  bool read_line(std::size_t source, std::string& line);
  void add_hypotheses(SegmentBlock& block);
  void add_references(SegmentBlock& block);
  std::string describe() const;
  void differ();

  SegmentFiles files_;
  std::vector<std::string> names_;
  std::size_t inputs_;  // of sources_, those that hold hypotheses; references follow
  std::vector<Source> sources_;
  std::vector<std::vector<std::string>> lines_;  // [source][segment of the block]
  std::string first_line_;                       // of standard input, until it is asked for
  bool has_first_line_ = false;
  std::size_t segments_ = 0, fewest_ = static_cast<std::size_t>(-1), most_ = 0;
  bool ended_ = false, cut_ = false;
};

}  // namespace tt::metrics
