#include "document/po_entry.h"

#include <algorithm>
#include <charconv>

#include "base/split.h"
#include "document/line_breaks.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos,
                      kWidth = 77;  // of 79 columns, without the quotes
constexpr std::string_view kSpaces = " \t\r\f\v";

std::size_t skip_spaces(std::string_view line, std::size_t at) {
  return std::min(line.find_first_not_of(kSpaces, at), line.size());
}

// The character of an escape whose backslash is before `at`, which is moved behind it; -1 if there
// is none of that name.
int escaped(std::string_view line, std::size_t& at) {
  constexpr std::string_view kNames = "ntrabfv\\\"'?", kCharacters = "\n\t\r\a\b\f\v\\\"'?";
  if (const std::size_t which = kNames.find(line[at]); which != kNone) {
    ++at;
    return kCharacters[which];
  }
  const bool hexadecimal = line[at] == 'x';
  const std::string_view digits = line.substr(at + hexadecimal, hexadecimal ? 2 : 3);
  unsigned value = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 8);
  at = static_cast<std::size_t>(end - line.data());
  return problem == std::errc() && value < 256 ? static_cast<int>(value) : -1;
}

class Parser {
 public:
  Parser(std::string_view document, const std::function<void(const PoEntry&)>& entry,
         const std::function<void(std::size_t, const std::string&)>& problem)
      : document_(document), entry_(entry), problem_(problem) {}

  void parse() {
    for (begin_ = document_.starts_with("\xEF\xBB\xBF") ? 3 : 0; begin_ < document_.size();
         begin_ = end_ + 1) {
      end_ = std::min(document_.find('\n', begin_), document_.size());
      line(document_.substr(begin_, end_ - begin_));
    }
    finish();
  }

 private:
  void line(std::string_view line) {
    const std::size_t at = skip_spaces(line, 0);
    if (at == line.size()) {
      if (now_.damaged) finish();
      return;
    }
    if (line[at] == '#') return comment(line.substr(at));
    if (line[at] == '"') {
      if (current_) strings(line, at);
      else fail("a string without a keyword before it");
      return;
    }
    const std::size_t behind = std::min(line.find_first_of(" \t\"[", at), line.size());
    const std::string_view keyword = line.substr(at, behind - at);
    if (keyword == "domain") return finish();
    const bool context = keyword == "msgctxt", id = keyword == "msgid";
    if (now_.id ? context || id : context && now_.context) finish();
    start();
    std::size_t value = behind;
    current_ = nullptr;
    if (context) {
      current_ = &now_.context.emplace();
    } else if (id) {
      current_ = &now_.id.emplace();
    } else if (keyword != "msgid_plural" && keyword != "msgstr") {
      return fail("neither a comment nor msgid, msgstr or a string");
    } else if (!now_.id) {
      return fail(std::string(keyword) + " without a msgid before it");
    } else if (keyword == "msgid_plural") {
      if (now_.plural || !now_.translations.empty()) return fail("msgid_plural in a wrong place");
      current_ = &now_.plural.emplace();
    } else {
      const std::string number = "[" + std::to_string(now_.translations.size()) + "]";
      if (now_.plural) {
        if (!line.substr(behind).starts_with(number))
          return fail("another msgstr in the place of msgstr" + number);
        value += number.size();
      } else if (!now_.translations.empty() || line.substr(behind).starts_with("[")) {
        return fail("a second msgstr without a msgid_plural");
      }
      current_ = &now_.translations.emplace_back();
    }
    current_->keyword = begin_ + at;
    const std::size_t quote = skip_spaces(line, value);
    if (quote == line.size()) return fail("a keyword without a string");
    strings(line, quote);
  }

  void comment(std::string_view text) {
    if (text.starts_with("#~")) return finish();
    if (!now_.translations.empty()) finish();
    start();
    current_ = nullptr;
    const PoEntry::Line line{begin_, std::min(end_ + 1, document_.size())};
    if (text.starts_with("#|")) now_.previous.push_back(line);
    // Flags that stay with a message, as c-format, may stand behind #= instead.
    const bool sticky = text.starts_with("#=");
    if (!sticky && !text.starts_with("#,")) return;
    if (!sticky) now_.flag_lines.push_back(line);
    for (std::string& flag : po_flags(text))
      if (!sticky || flag != "fuzzy") now_.flags.push_back(std::move(flag));
  }

  // The quoted parts of a line.
  void strings(std::string_view line, std::size_t at) {
    while ((at = skip_spaces(line, at)) < line.size()) {
      if (line[at] != '"') return fail("text behind a string");
      if (current_->begin == 0) current_->begin = begin_ + at;
      for (++at; at < line.size() && line[at] != '"';) {
        if (line[at] != '\\') {
          current_->value += line[at++];
          continue;
        }
        if (++at == line.size()) break;
        const int character = escaped(line, at);
        if (character < 0) return fail("an unknown escape");
        current_->value += static_cast<char>(character);
      }
      if (at >= line.size()) return fail("a string without its closing quote");
      current_->end = begin_ + ++at;
    }
  }

  void start() { now_.begin = std::min(now_.begin, begin_); }

  void fail(const std::string& what) {
    start();
    now_.damaged = true;
    problem_(begin_, what + "; the message stays as it is");
  }

  void finish() {
    if (now_.id && now_.translations.empty() && !now_.damaged) {
      now_.damaged = true;
      problem_(now_.id->keyword, "a message without a msgstr; it stays as it is");
    }
    if (now_.id && !now_.damaged) entry_(now_);
    now_ = {};
    current_ = nullptr;
  }

  std::string_view document_;
  const std::function<void(const PoEntry&)>& entry_;
  const std::function<void(std::size_t, const std::string&)>& problem_;
  PoEntry now_;
  PoString* current_ = nullptr;      // whose parts follow
  std::size_t begin_ = 0, end_ = 0;  // of the line
};

// A part of a string, which has no line feed but at its end, in its escapes.
struct Part {
  std::string escaped = {};
  std::vector<bool> whole = {};  // bytes before which no line ends
};

// The part that begins at byte `at`.
Part escape(std::string_view text, std::size_t at, const std::vector<TextRange>& whole) {
  constexpr std::string_view kCharacters = "\n\t\r\a\b\f\v\\\"", kNames = "ntrabfv\\\"";
  auto range = std::ranges::partition_point(
      whole, [&](const TextRange& directive) { return directive.end <= at; });
  Part part;
  for (const char c : text) {
    if (range != whole.end() && range->end <= at) ++range;
    part.whole.push_back(c == '\n' || (range != whole.end() && range->begin < at));
    ++at;
    if (const std::size_t which = kCharacters.find(c); which != kNone) {
      part.escaped += {'\\', kNames[which]};
      part.whole.push_back(true);
    } else {
      part.escaped += c;
    }
  }
  return part;
}

// The lines of a part, of which the first begins behind `column` columns.
std::vector<std::string_view> lines_of(const Part& part, std::size_t column) {
  const std::string_view text = part.escaped;
  if (column + columns(text) <= kWidth) return {text};
  std::vector<std::string_view> lines;
  std::vector<std::size_t> ends = line_breaks(text);
  std::erase_if(ends, [&](std::size_t at) { return part.whole[at]; });
  ends.push_back(text.size());
  std::size_t begin = 0, last = 0;  // of the line, and of what stands before the next place
  for (const std::size_t end : ends) {
    const std::size_t more = columns(text.substr(last, end - last));
    if (column + more > kWidth && last > begin) {
      lines.push_back(text.substr(begin, last - begin));
      begin = last;
      column = 0;
    }
    column += more;
    last = end;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

}  // namespace

std::vector<std::string> po_flags(std::string_view line) {
  std::vector<std::string> flags;
  for (std::string_view flag :
       split(line.substr(std::min(line.find_first_of(",=") + 1, line.size())), ',')) {
    if (!trimmed(flag).empty()) flags.emplace_back(trimmed(flag));
  }
  return flags;
}

void each_po_entry(std::string_view document, const std::function<void(const PoEntry&)>& entry,
                   const std::function<void(std::size_t, const std::string&)>& problem) {
  Parser(document, entry, problem).parse();
}

std::string po_string(std::string_view keyword, std::string_view value, bool wrap,
                      std::string_view line_end, const std::vector<TextRange>& whole) {
  std::string result = std::string(keyword) + " ";
  std::string_view before;  // the line: nothing, or the end of the one before
  std::size_t at = 0;
  do {
    const std::size_t end = std::min(value.find('\n', at), value.size() - 1) + 1;
    const Part part = escape(value.substr(at, end - at), at, whole);
    const auto lines = [&](std::size_t column) {
      return wrap ? lines_of(part, column) : std::vector<std::string_view>{part.escaped};
    };
    auto now = lines(at > 0 ? 0 : columns(result));
    if (at == 0 && (end < value.size() || now.size() > 1)) {
      result += "\"\"";
      before = line_end;
      now = lines(0);
    }
    for (const std::string_view line : now) {
      result += std::string(before) + "\"" + std::string(line) + "\"";
      before = line_end;
    }
    at = end;
  } while (at < value.size());
  return result;
}

}  // namespace tt::document
