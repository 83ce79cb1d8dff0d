// Lines of text to lines of pieces and back, one output line per input line whatever its contents.
//
// Degraded lines are counted, and reported by warn() in order, with their numbers.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"
#include "text/subword.h"

namespace tt {

// Prints warnings in the order of the lines, although blocks of lines are mapped in any order.
class OrderedWarnings {
 public:
  // `first` is the number of the first line, as in LineMap. Every block must be reported, even
  // without warnings: the warnings of a block are printed once those of all earlier lines are.
  void block(std::size_t first, std::size_t lines, std::vector<std::string> warnings);

  std::uint64_t count() const { return count_; }  // of all warnings; call it after all blocks

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

struct EncodingOptions {
  bool ids = false;     // piece numbers instead of their texts
  bool sample = false;  // sample segmentations (Subword::sample) with `strength`
  float strength = 0;
  std::uint64_t seed = 1;  // a sampled segmentation depends only on the seed and the line number
  int threads = 1;
};

// Writes the pieces of every line, separated by spaces, and returns the number of degraded lines:
// invalid UTF-8 is read as U+FFFD, normalisation drops characters, or numbers do not tell which
// unknown ones there were. Throws Error if reading or writing fails.
std::uint64_t encode_lines(LineReader& in, Output& out, const Subword& model,
                           const EncodingOptions& options);

// The reverse: writes the text of every line of pieces or numbers. In degraded lines there is
// <unk>, as which words that are not piece numbers are read, or invalid UTF-8, which is read as
// U+FFFD. options.sample is not used.
std::uint64_t decode_lines(LineReader& in, Output& out, const Subword& model,
                           const EncodingOptions& options);

}  // namespace tt
