#include "text/placeholders.h"

#include <algorithm>
#include <charconv>

#include "base/unicode.h"

namespace tt {
namespace {

constexpr std::size_t kLongest = 4096;  // bytes, so that a line takes time in proportion to its own

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool in_name(char c) { return is_ascii_letter(c) || is_digit(c) || c == '_'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// Reads a text from left to right; at its end the character is NUL.
struct Reader {
  std::string_view text;
  std::size_t at = 0;

  char now() const { return at < text.size() ? text[at] : '\0'; }
  bool take(char c) {
    const bool is = now() == c && at < text.size();
    at += is;
    return is;
  }
  template <class F>
  std::size_t skip(F&& is_it) {
    const std::size_t begin = at;
    while (at < text.size() && is_it(text[at])) ++at;
    return at - begin;
  }
  // Behind the next `close`, with nothing of `never` before it; false where there is none.
  bool skip_behind(char close, std::string_view never) {
    const std::size_t end = text.find(close, at);
    if (end == text.npos || end == at ||
        text.substr(at, end - at).find_first_of(never) != text.npos)
      return false;
    at = end + 1;
    return true;
  }
};

// Flags, width, precision, length and conversion of printf; a date of Java, as %tY.
bool conversion(Reader& r) {
  r.skip([](char c) { return one_of(c, "-+#0'"); });
  const bool star = r.take('*');
  if (const std::size_t width = r.at; r.skip(is_digit) > 0 && star && !r.take('$')) r.at = width;
  if (r.take('.') && !r.take('*')) r.skip(is_digit);
  for (const std::string_view length : {"hh", "ll", "h", "l", "j", "z", "t", "L", "q"})
    if (r.text.substr(r.at).starts_with(length)) {
      r.at += length.size();
      break;
    }
  const bool date = r.at > 0 && r.text[r.at - 1] == 't' && is_ascii_letter(r.now());
  const bool is = r.now() != '\0' && one_of(r.now(), date ? "HIklMSLNpzZsQBbhAaCYyjmdeRTrDFciouxXn"
                                                          : "diouxXeEfFgGaAcCsSrpnm@");
  r.at += is;
  return is;
}

// Behind the %, which `before` stands before.
bool percent(Reader& r, char before) {
  if (r.take('%')) return true;
  const Reader begin = r;
  const auto again = [&] {
    r = begin;
    return true;
  };
  if (r.take('(') && r.skip_behind(')', "( \t") && conversion(r)) return true;
  if (again() && r.take('{') && r.skip_behind('}', "{ \t")) return true;
  if (again() && r.take('<') && r.skip_behind('>', "< \t") &&
      (r.text.substr(begin.at).starts_with("<PRI") || conversion(r)))
    return true;
  if (again() && r.take('|') && r.skip_behind('|', " \t")) return true;
  if (again() && r.take('#') && r.take('@') && r.skip(in_name) > 0 && r.take('@')) return true;
  if (again() && r.skip([](char c) { return is_capital(c) || c == '_'; }) > 1 && r.take('%'))
    return true;
  // As %name%, not as in %dx%d, nor as %ld and a sign of its own.
  if (again() && is_ascii_letter(r.now()) && !is_digit(before) && r.skip(in_name) > 1 &&
      r.take('%') && r.now() != '%' && !in_name(r.now()))
    if (Reader one = begin; !conversion(one) || one.at + 1 < r.at) return true;
  // As %PRODUCTNAME, not as in "30%IGE".
  if (again() && r.skip([](char c) { return is_capital(c) || c == '_'; }) > 2 &&
      !is_digit(before) && (r.skip(is_digit), !in_name(r.now())))
    return true;
  if (again() && r.skip(is_digit) &&
      (r.take('%') || ((r.take('$') || r.take(':')) && conversion(r))))
    return true;
  if (again() && conversion(r)) return !(is_digit(before) && in_name(r.now()));  // as "a 100%ige"
  if (again() && !is_digit(before)) {
    r.take('L');
    const std::size_t digits = r.skip(is_digit);
    return digits == 1 || digits == 2;
  }
  return false;
}

// Whether a brace with a space behind it is one of Fluent: { $name }, { -term }, { "text" } or
// { FUNCTION(...) }, here without the space.
bool is_placeable(Reader r) {
  if (r.take('$') || r.take('-')) return is_ascii_letter(r.now());
  return r.now() == '"' || (r.skip(is_capital) > 0 && r.now() == '(');
}

// From the brace on. What is between single braces without others inside is a name or a number, or
// nothing, with what formats it. Between apostrophes of which one is before a brace is text, as in
// ICU's messages.
bool braces(Reader& r) {
  const std::size_t begin = r.at;
  int depth = 0, deepest = 0;
  do {
    if (r.at >= r.text.size()) return false;
    if (r.now() == '\'' && r.at + 1 < r.text.size() && one_of(r.text[r.at + 1], "{}"))
      if (const std::size_t close = r.text.find('\'', r.at + 2); close != r.text.npos) r.at = close;
    depth += r.now() == '{' ? 1 : r.now() == '}' ? -1 : 0;
    deepest = std::max(deepest, depth);
    ++r.at;
  } while (depth > 0);
  const std::string_view all = r.text.substr(begin, r.at - begin);
  if (deepest > 1) return true;
  Reader inside{all.substr(1, all.size() - 2)};
  if (inside.text.empty()) return true;
  if (inside.take(' ')) return is_placeable(inside);
  if (!one_of(inside.now(), "!:@$#&=.") && !in_name(inside.now())) return false;
  inside.skip([](char c) { return !one_of(c, " \t,:"); });
  return inside.at == inside.text.size() || one_of(inside.now(), ",:");
}

// Behind the $ or #.
bool variable(Reader& r, char sign) {
  if (r.now() == '{') return braces(r);
  if (sign == '#') return false;
  if (r.take('[')) return r.skip(in_name) > 0 && r.take(']');
  if (r.take('(')) return r.skip_behind(')', "( \t");
  if (!is_ascii_letter(r.now()) && r.now() != '_') return false;
  r.skip(in_name);
  const Reader name = r;
  if (r.take('$')) {  // that of $name$, or of the next variable, as in $a$b and $a${b}
    Reader next = r;
    if (is_ascii_letter(r.now()) || r.now() == '_' || variable(next, sign)) r = name;
  } else if (!r.take('(') || !r.skip_behind(')', "( \t")) {
    r = name;
  }
  return true;
}

// Behind the backslash.
bool escape(Reader& r) {
  const char kind = r.now();
  if (kind == '\0' || !one_of(kind, "abefnrtv0123456789\\\"'ux")) return false;
  ++r.at;
  if (kind == 'u' || kind == 'x') {
    const std::size_t most = kind == 'u' ? 4 : 2, begin = r.at;
    r.skip([&](char c) { return is_hex(c) && r.at < begin + most; });
    return r.at == begin + most;
  }
  if (is_digit(kind)) {
    const std::size_t begin = r.at;
    r.skip([&](char c) { return is_digit(c) && r.at < begin + 2; });
  }
  return true;
}

}  // namespace

std::size_t placeholder_end(std::string_view text, std::size_t at) {
  const char first = at < text.size() ? text[at] : '\0';
  if (first == '\'' && (text.substr(at).starts_with("'{'") || text.substr(at).starts_with("'}'")))
    return at + 3;
  if (first == '\0' || !one_of(first, "%{$#\\")) return at;
  Reader r{text.substr(0, at + kLongest), at + (first != '{')};
  const char before = at > 0 ? text[at - 1] : '\0';
  const bool is = first == '%'    ? percent(r, before)
                  : first == '{'  ? braces(r)
                  : first == '\\' ? escape(r)
                                  : variable(r, first);
  return is ? r.at : at;
}

bool is_line_break(std::string_view p) { return p == "\\n" || p == "\\r"; }

bool is_positional(std::string_view p) {
  if (p.starts_with('{')) return p == "{}" || p.starts_with("{:");
  Reader r{p, 1};
  return p.starts_with('%') && p != "%%" && conversion(r) && r.at == p.size();
}

std::optional<Conversion> conversion_of(std::string_view p) {
  Reader r{p, 1};
  Conversion found{0, "", ""};
  if (!p.starts_with('%')) return std::nullopt;
  if (r.take('(')) {
    if (!r.skip_behind(')', "( \t")) return std::nullopt;
    found.name = p.substr(1, r.at - 1);
  } else if (Reader digits = r;
             digits.skip([](char c) { return is_digit(c); }) > 0 && one_of(digits.now(), "$:")) {
    if (std::from_chars(p.data() + 1, p.data() + digits.at, found.number).ec != std::errc())
      return std::nullopt;
    found.number += digits.take(':');  // from 0
    digits.take('$');
    r = digits;
  }
  const std::size_t begin = r.at;
  if (!conversion(r) || r.at < p.size()) return std::nullopt;
  const std::string_view rest = p.substr(begin);
  found.type.assign(static_cast<std::size_t>(std::ranges::count(rest, '*')), '*');
  found.type += rest.substr(rest.find_first_not_of("-+#0123456789'.*$"));
  if (found.type.back() == 'i') found.type.back() = 'd';
  return found;
}

bool has_message(std::string_view p) {
  return p.starts_with('{') && !p.starts_with("{{") && p.find('{', 1) != p.npos;
}

std::string_view unfinished_placeholder(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = placeholder_end(text, at);
    const std::string_view rest = text.substr(at);
    for (const std::string_view open : {"%(", "%{", "${", "#{", "{{", "$("})
      if (end == at && rest.starts_with(open) && rest.size() > open.size() &&
          (in_name(rest[open.size()]) || open == "{{"))
        return rest.substr(0, rest.find_first_of(" \t"));
    at = std::max(end, at + 1);
  }
  return {};
}

}  // namespace tt
