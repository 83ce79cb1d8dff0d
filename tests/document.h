// Documents in memory, for tests and fuzz targets: their lines, and what they become with others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/format.h"

namespace tt::document {

struct Extracted {
  std::vector<std::string> lines, problems;
};

inline Extracted extracted(const std::string& format, std::string_view document,
                           const Settings& settings = {}) {
  Extracted result;
  Editor editor(
      document, "doc",
      [&](const std::string& line) {
        result.lines.push_back(line);
        return std::optional<std::string>();
      },
      nullptr);
  find_format(format, "").pass(editor, settings);
  result.problems = editor.problems();
  return result;
}

struct Merged {
  std::string text;
  std::vector<std::string> problems;
  std::uint64_t left_out = 0;
};

inline Merged merged(const std::string& format, std::string_view document,
                     const std::vector<std::string>& lines, const Settings& settings = {}) {
  Merged result;
  std::size_t next = 0;
  Editor editor(
      document, "doc",
      [&](const std::string&) {
        return next < lines.size() ? std::optional(lines[next++]) : std::nullopt;
      },
      [&](std::string_view bytes) { result.text += bytes; });
  find_format(format, "").pass(editor, settings);
  editor.finish();
  result.problems = editor.problems();
  result.left_out = editor.left_out();
  return result;
}

}  // namespace tt::document
