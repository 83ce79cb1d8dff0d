// Documents in memory, for unit tests: their lines, and what they become with others, without a
// problem.
#pragma once

#include "tests/catch.h"
#include "tests/document.h"

namespace tt::document {

using Lines = std::vector<std::string>;

// The lines of a document, which these give again.
inline Lines lines(const std::string& format, const std::string& document,
                   const Settings& settings = {}) {
  const Extracted result = extracted(format, document, settings);
  INFO(document);
  CHECK(result.problems == Lines{});
  CHECK(merged(format, document, result.lines, settings).text == document);
  return result.lines;
}

inline std::string with(const std::string& format, const std::string& document, const Lines& lines,
                        const Settings& settings = {}) {
  const Merged result = merged(format, document, lines, settings);
  INFO(document);
  CHECK(result.problems == Lines{});
  return result.text;
}

}  // namespace tt::document
