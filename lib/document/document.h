// Documents as lines of text, and the lines' translations back in the document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/format.h"

namespace tt::document {

struct Outcome {
  std::uint64_t texts = 0;
  std::uint64_t left_out = 0;         // translations that are their texts, of a bilingual document
  std::vector<std::string> problems;  // "path:line: what"; the rest was done
  bool unread = false;                // some of them are of parts that cannot be read

  // Adds a part's, whose texts are those up to its end.
  void add(const Outcome& part);
};

// Writes each text of a document as a line to the standard output. Throws Error if the document
// cannot be read as the format, or a setting that it needs is missing.
Outcome extract(const std::string& path, const Format& format, const Settings& settings);

// Writes the document to `output` with what the lines of `lines` have in the place of its texts.
// Nothing is written unless there are as many lines as texts. Throws Error as extract() does, or if
// there are not, or if `output` cannot be written.
Outcome merge(const std::string& path, const std::string& lines, const std::string& output,
              const Format& format, const Settings& settings);

// Where merge() gets lines and puts the document.
class Merging {
 public:
  virtual ~Merging() = default;
  virtual void begin() = 0;  // from the first line on, of a document of which nothing is written
  virtual std::optional<std::string> line() = 0;  // the next
  virtual void write(std::string_view bytes) = 0;
  // The document, of which all has been written, with its number of texts.
  virtual std::string_view written(std::uint64_t texts) = 0;
};

// Merges a document and reads what it has written: a translation that is not read as it was meant
// is written anew with care, and if that does not help, left out and reported. Throws Error as
// above, or if what is written is another document all the same. `before`: texts of other parts.
Outcome merge(std::string_view document, const std::string& name, const Format& format,
              const Settings& settings, Merging& merging, std::uint64_t before = 0);

}  // namespace tt::document
