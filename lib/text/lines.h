// Lines of text to lines of pieces and back, one output line per input line whatever the input is.
//
// What had to be degraded is said by warn(), in the order of the lines, with the line's number, and counted.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"
#include "text/subword.h"

namespace tt {

// Passes on warnings about lines in the order of the lines, although blocks of lines are mapped in any order.
class OrderedWarnings {
 public:
  // `first` is the number of the first line, as in LineMap. Every block must be reported, also one without warnings: the
  // warnings of a block are passed on once those of all earlier lines are.
  void block(std::size_t first, std::size_t lines, std::vector<std::string> warnings);

  std::uint64_t count() const { return count_; }  // of all warnings; call it when all blocks are done

 private:
  struct Block {
    std::size_t lines;
    std::vector<std::string> warnings;
  };
  std::mutex mutex_;
  std::map<std::size_t, Block> waiting_;  // by the number of the first line
  std::size_t next_ = 1;
  std::uint64_t count_ = 0;
};

struct LineOptions {
  bool ids = false;     // numbers instead of the texts of pieces
  bool sample = false;  // draw segmentations (Subword::sample) with `strength`
  float strength = 0;
  std::uint64_t seed = 1;  // the segmentation drawn depends on the seed and the line's number only
  int threads = 1;
};

// Writes the pieces of every line, separated by spaces, and returns how many lines were degraded: damaged UTF-8 is read as
// U+FFFD. Throws Error if reading or writing fails.
std::uint64_t encode_lines(LineReader& in, Output& out, const Subword& model, const LineOptions& options);

// The reverse: writes the text of every line of pieces or numbers. Degraded: what is no number of a piece is read as <unk>,
// damaged UTF-8 as U+FFFD. options.sample is not used.
std::uint64_t decode_lines(LineReader& in, Output& out, const Subword& model, const LineOptions& options);

}  // namespace tt
