// Documents as lines of text, and the lines' translations back in the document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "document/format.h"

namespace tt::document {

struct Outcome {
  std::uint64_t texts = 0;
  std::uint64_t left_out = 0;         // translations that are their texts, of a bilingual document
  std::vector<std::string> problems;  // "path:line: what"; the rest was done
  bool unread = false;                // some of them are of parts that cannot be read
};

// Writes each text of a document as a line to the standard output. Throws Error if the document
// cannot be read as the format, or a setting that it needs is missing.
Outcome extract(const std::string& path, const Format& format, const Settings& settings);

// Writes the document to `output` with what the lines of `lines` have in the place of its texts.
// Nothing is written unless there are as many lines as texts. Throws Error as extract() does, or if
// there are not, or if `output` cannot be written.
Outcome merge(const std::string& path, const std::string& lines, const std::string& output,
              const Format& format, const Settings& settings);

}  // namespace tt::document
