// The entries of a PO file (gettext's "The Format of PO Files"), as stretches of its bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt::document {

struct PoString {
  std::size_t keyword = 0;         // where "msgid" begins
  std::size_t begin = 0, end = 0;  // of the quoted parts, from the first quote to the last
  std::string value;               // of all parts together, without their escapes
};

struct PoEntry {
  std::size_t begin = std::string_view::npos;  // of its first line
  struct Line {
    std::size_t begin, end;  // with its LF
  };
  std::vector<std::string> flags;
  std::vector<Line> flag_lines;  // "#, fuzzy, c-format"
  std::vector<Line> previous;    // "#| msgid ..."
  std::optional<PoString> context, id, plural;
  std::vector<PoString> translations;  // msgstr, or msgstr[0] and so on
  bool damaged = false;                // what is wrong was reported

  bool is_header() const { return id && id->value.empty() && !context; }
};

// The flags of a line "#, fuzzy, c-format" or "#= c-format".
std::vector<std::string> po_flags(std::string_view line);

// Calls `entry` for each entry with a message, but for obsolete ones, and `problem` for what is no
// PO: where it is, and what.
void each_po_entry(std::string_view document, const std::function<void(const PoEntry&)>& entry,
                   const std::function<void(std::size_t at, const std::string&)>& problem);

// A string as gettext writes it behind a keyword: in lines of at most 79 columns, where `wrap`, and
// each line feed of it ends one. Lines end where Unicode lets them (line_breaks()), and not inside
// of `whole`, from left to right, as of directives. `line_end`: "\n" or "\r\n".
std::string po_string(std::string_view keyword, std::string_view value, bool wrap,
                      std::string_view line_end, const std::vector<TextRange>& whole = {});

}  // namespace tt::document
