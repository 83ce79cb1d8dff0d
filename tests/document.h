// Documents in memory, for tests and fuzz targets: their lines, and what they become with others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"

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

class InMemory : public Merging {
 public:
  InMemory(const std::vector<std::string>& lines, std::string& text) : lines_(lines), text_(text) {}
  void begin() override { next_ = 0, text_.clear(); }
  std::optional<std::string> line() override {
    return next_ < lines_.size() ? std::optional(lines_[next_++]) : std::nullopt;
  }
  void write(std::string_view bytes) override { text_ += bytes; }
  std::string_view written(std::uint64_t) override { return text_; }

 private:
  const std::vector<std::string>& lines_;
  std::string& text_;
  std::size_t next_ = 0;
};

inline Merged merged(const Format& format, std::string_view document,
                     const std::vector<std::string>& lines, const Settings& settings = {}) {
  Merged result;
  InMemory merging(lines, result.text);
  Outcome outcome = merge(document, "doc", format, settings, merging);
  result.problems = std::move(outcome.problems);
  result.left_out = outcome.left_out;
  return result;
}

inline Merged merged(const std::string& format, std::string_view document,
                     const std::vector<std::string>& lines, const Settings& settings = {}) {
  return merged(find_format(format, ""), document, lines, settings);
}

}  // namespace tt::document
