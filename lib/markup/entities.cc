// The names are those of the HTML standard, section 13.5, as entities.txt has them, one a line,
// with their characters in hexadecimal; a semicolon says that a reference needs one.
// Python's list made it:
//
//   python3 -c 'from html.entities import html5 as h
//   for n in sorted({k.rstrip(";") for k in h}):
//     print(n + ";" * (n not in h), *(f"{ord(c):x}" for c in h[n + ";"]))' >lib/markup/entities.txt
#include "markup/entities.h"

#include <charconv>
#include <unordered_map>

#include "base/utf8.h"

namespace tt::markup {
namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

struct Characters {
  std::string text;
  bool legacy;  // no semicolon is needed
};
using Names = std::unordered_map<std::string_view, Characters>;

const Names& names_of_html() {
  static const Names known = [] {
    Names names;
    for (std::string_view rest(kEntities); !rest.empty();) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(line.size() + 1);
      const std::size_t end = line.find_first_of("; ");
      Characters characters{{}, line[end] == ' '};
      for (std::size_t at = line.find(' '); at < line.size(); at = line.find(' ', at + 1)) {
        std::uint32_t code = 0;
        std::from_chars(line.data() + at + 1, line.data() + line.size(), code, 16);
        append_utf8(characters.text, code);
      }
      names.emplace(line.substr(0, end), std::move(characters));
    }
    return names;
  }();
  return known;
}

const Characters* named(std::string_view name, Syntax syntax) {
  if (syntax == Syntax::xml && name != "amp" && name != "lt" && name != "gt" && name != "quot" &&
      name != "apos")
    return nullptr;
  const auto found = names_of_html().find(name);
  return found == names_of_html().end() ? nullptr : &found->second;
}

// Letters and digits from `at` on, at most as many as a name has.
std::string_view run_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 32;
  std::size_t end = at;
  while (end < text.size() && end - at < kLongest && is_alphanumeric(text[end])) ++end;
  return text.substr(std::min(at, end), end - at);
}

// Behind digits, or a name, that may end there without a semicolon.
bool may_end(std::string_view text, std::size_t end, Syntax syntax) {
  if (syntax != Syntax::unknown) return syntax == Syntax::html;
  return end == text.size() || (!is_alphanumeric(text[end]) && text[end] != '=');
}

std::optional<std::string> numbered(std::string_view text, Syntax syntax, std::size_t& at) {
  const bool hexadecimal = text.substr(at + 2, 1) == "x" || text.substr(at + 2, 1) == "X";
  const std::size_t begin = at + 2 + hexadecimal;
  if (begin >= text.size()) return {};
  std::uint32_t code = 0;
  const auto [stop, problem] =
      std::from_chars(text.data() + begin, text.data() + text.size(), code, hexadecimal ? 16 : 10);
  const auto end = static_cast<std::size_t>(stop - text.data());
  if (problem != std::errc() || end == begin) return {};
  const bool closed = end < text.size() && text[end] == ';';
  if (!closed && !may_end(text, end, syntax)) return {};
  // In HTML these are read as Windows-1252.
  static constexpr char16_t kWindows[] =
      u"\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D"
      u"\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D"
      u"\u017E\u0178";
  if (syntax != Syntax::xml && code >= 0x80 && code < 0xA0) code = kWindows[code - 0x80];
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  at = end + closed;
  std::string character;
  append_utf8(character, code);
  return character;
}

}  // namespace

std::optional<std::string> entity(std::string_view text, Syntax syntax, std::size_t& at) {
  if (at >= text.size() || text[at] != '&') return {};
  if (text.substr(at + 1).starts_with('#')) return numbered(text, syntax, at);
  std::string_view name = run_at(text, at + 1);
  const std::size_t end = at + 1 + name.size();
  if (end < text.size() && text[end] == ';')
    if (const Characters* const found = named(name, syntax)) {
      at = end + 1;
      return found->text;
    }
  if (!may_end(text, end, syntax)) return {};
  for (; name.size() > 1; name.remove_suffix(1)) {
    const Characters* const found = named(name, syntax);
    if (found && found->legacy) {
      at += 1 + name.size();
      return found->text;
    }
    if (syntax == Syntax::unknown) break;
  }
  return {};
}

std::size_t entity_end(std::string_view text, std::size_t at) {
  const std::size_t begin = at + 1 + text.substr(at + 1).starts_with('#');
  const std::size_t end = begin + run_at(text, begin).size();
  return end > begin && end < text.size() && text[end] == ';' ? end + 1 : at;
}

std::string encode(std::string_view text, bool ascii) {
  std::string result;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char* const begin = at;
    const char32_t c = next_code_point(at, end);
    if (c == U'&') result += "&amp;";
    else if (c == U'<') result += "&lt;";
    else if (c == U'>') result += "&gt;";
    else if (c == 0xA0) result += "&#160;";  // XHTML has no &nbsp;
    else if (c >= 0x80 && ascii)
      result += "&#" + std::to_string(static_cast<std::uint32_t>(c)) + ";";
    else result.append(begin, at);
  }
  return result;
}

}  // namespace tt::markup
