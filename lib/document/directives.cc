#include "document/directives.h"

#include <algorithm>
#include <map>
#include <vector>

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// A directive as it is written at a place, and what must be the same in the translation.
struct Directive {
  std::string written, meaning;
  std::size_t begin;
};
using Directives = std::vector<Directive>;

// %[(name)][1$][flags][width][.precision][length]conversion; the meaning is the name or number of
// the argument, with length and conversion. Malformed ones mean what is written.
Directives percent(std::string_view text) {
  Directives found;
  std::size_t arguments = 0;
  for (std::size_t at = 0; (at = text.find('%', at)) != kNone;) {
    const std::size_t begin = at++;
    std::string argument;
    if (at < text.size() && (text[at] == '(' || text[at] == '{' || text[at] == '<')) {
      const char close = text[at] == '(' ? ')' : text[at] == '{' ? '}' : '>';
      const std::size_t end = text.find(close, at);
      if (end == kNone) continue;
      argument = text.substr(at, end + 1 - at);
      at = end + 1;
      if (close == '}') {
        found.push_back({"%" + argument, argument, begin});
        continue;
      }
    }
    std::size_t digits = at;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    if (digits > at && digits < text.size() && text[digits] == '$') {
      argument = text.substr(at, digits - at);
      at = digits + 1;
    }
    std::string stars;
    while (at < text.size() &&
           (is_digit(text[at]) || std::string_view("-+ #0'*.$I").find(text[at]) != kNone)) {
      if (text[at] == '*') stars += '*' + std::to_string(++arguments);
      ++at;
    }
    const std::size_t length = at;
    while (at < text.size() && std::string_view("hlLqjzt").find(text[at]) != kNone) ++at;
    if (at == text.size()) {
      found.push_back(
          {std::string(text.substr(begin)), "?" + std::string(text.substr(begin)), begin});
      break;
    }
    if (text[at] == '%') {
      ++at;
      continue;
    }
    // The name of one of <inttypes.h>: %<PRIu64>
    if (argument.starts_with('<')) {
      at = length;
      found.push_back({"%" + argument, std::to_string(++arguments) + argument, begin});
      continue;
    }
    if (argument.empty() && text[at] != 'm') argument = std::to_string(++arguments);
    std::string conversion(text.substr(length, at + 1 - length));
    if (conversion.back() == 'i') conversion.back() = 'd';
    ++at;
    found.push_back(
        {std::string(text.substr(begin, at - begin)), stars + argument + conversion, begin});
  }
  return found;
}

// %1, %L1, %n
Directives qt(std::string_view text) {
  Directives found;
  for (std::size_t at = 0; (at = text.find('%', at)) != kNone;) {
    const std::size_t begin = at++;
    at += at < text.size() && text[at] == 'L';
    const std::size_t digits = at;
    while (at < text.size() && at < digits + 2 && is_digit(text[at])) ++at;
    at += at == digits && at < text.size() && text[at] == 'n';
    if (at == digits) continue;
    const std::string written(text.substr(begin, at - begin));
    found.push_back({written, written, begin});
  }
  return found;
}

// {name}, {0:x}; {{ and }} are braces
Directives braces(std::string_view text) {
  Directives found;
  for (std::size_t at = 0; (at = text.find('{', at)) != kNone;) {
    if (text.substr(at).starts_with("{{")) {
      at += 2;
      continue;
    }
    const std::size_t end = text.find('}', at);
    const std::string written(text.substr(at, end == kNone ? 1 : end + 1 - at));
    found.push_back({written, written, at});
    at += written.size();
  }
  return found;
}

// {0}, {0,number,#.##}, and braces inside of these; between apostrophes is text, and two are one.
Directives java(std::string_view text) {
  Directives found;
  bool quoted = false;
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\'') {
      if (text.substr(at + 1).starts_with('\'')) ++at;
      else quoted = !quoted;
    }
    if (quoted || (text[at] != '{' && text[at] != '}')) continue;
    if (text[at] == '{' && depth++ == 0) begin = at;
    if (text[at] == '}' && depth > 0 && --depth == 0) {
      const std::string written(text.substr(begin, at + 1 - begin));
      found.push_back({written, written, begin});
    }
  }
  if (depth > 0 || quoted) found.push_back({"an open brace or apostrophe", "open", text.size()});
  return found;
}

// $name, ${name}
Directives dollars(std::string_view text) {
  Directives found;
  for (std::size_t at = 0; (at = text.find('$', at)) != kNone;) {
    const std::size_t begin = at++;
    if (at < text.size() && text[at] == '{') at = std::min(text.find('}', at), text.size() - 1) + 1;
    else
      while (at < text.size() && is_name(text[at])) ++at;
    if (at == begin + 1) continue;
    const std::string written(text.substr(begin, at - begin));
    found.push_back({written, written, begin});
  }
  return found;
}

using Scan = Directives (*)(std::string_view);

Scan scan_of(std::string_view format) {
  static const std::map<std::string_view, Scan> known{{"c-format", percent},
                                                      {"objc-format", percent},
                                                      {"python-format", percent},
                                                      {"php-format", percent},
                                                      {"perl-format", percent},
                                                      {"awk-format", percent},
                                                      {"lua-format", percent},
                                                      {"tcl-format", percent},
                                                      {"pascal-format", percent},
                                                      {"object-pascal-format", percent},
                                                      {"javascript-format", percent},
                                                      {"ruby-format", percent},
                                                      {"gcc-internal-format", percent},
                                                      {"gfc-internal-format", percent},
                                                      {"boost-format", percent},
                                                      {"qt-format", qt},
                                                      {"qt-plural-format", qt},
                                                      {"kde-format", qt},
                                                      {"kde-kuit-format", qt},
                                                      {"python-brace-format", braces},
                                                      {"java-format", java},
                                                      {"csharp-format", braces},
                                                      {"perl-brace-format", braces},
                                                      {"c++-format", braces},
                                                      {"sh-format", dollars}};
  const auto found = known.find(format);
  return found == known.end() ? nullptr : found->second;
}

}  // namespace

std::string wrong_directives(std::string_view source, std::string_view translation,
                             std::string_view format) {
  const Scan scan = scan_of(format);
  if (!scan) return {};
  Directives wanted = scan(source);
  for (const Directive& directive : scan(translation)) {
    const auto found = std::ranges::find(wanted, directive.meaning, &Directive::meaning);
    if (found == wanted.end()) return "has " + directive.written + " where the text has it not";
    wanted.erase(found);
  }
  return wanted.empty() ? "" : "lacks " + wanted.front().written;
}

std::vector<TextRange> directives_in(std::string_view text, std::string_view format) {
  std::vector<TextRange> found;
  if (const Scan scan = scan_of(format))
    for (const Directive& directive : scan(text))
      found.push_back(
          {directive.begin, std::min(directive.begin + directive.written.size(), text.size())});
  return found;
}

}  // namespace tt::document
