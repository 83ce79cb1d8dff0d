#include "document/tags.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/capitals.h"
#include "base/utf8.h"

namespace tt::document {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f";
constexpr std::size_t kNone = std::string_view::npos;
using Kind = Token::Kind;

bool is_letter_of_ascii(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool begins_name(char c, Syntax syntax) {
  return is_letter_of_ascii(c) ||
         (syntax == Syntax::xml && (c == '_' || c == ':' || static_cast<unsigned char>(c) >= 0x80));
}

bool is_void(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kVoid{
      "area", "base",  "basefont", "br",   "col",    "embed", "frame",  "hr",  "image",
      "img",  "input", "isindex",  "link", "keygen", "meta",  "source", "wbr", "track"};
  return std::ranges::find(kVoid, name) != kVoid.end();
}

struct Attribute {
  std::size_t begin = 0, end = 0;              // the whole
  std::size_t value_begin = 0, value_end = 0;  // without quotes; both 0 if it has no value
  std::string_view name = {};
};

// The next attribute of a tag, behind `at`, which is moved behind it. False where the tag ends, at
// its / or >, or where the text does; a quote that is not closed takes all of the text.
bool next_attribute(std::string_view text, std::size_t& at, Attribute& attribute) {
  at = std::min(text.find_first_not_of(kSpaces, at), text.size());
  if (at == text.size() || text[at] == '>' || text[at] == '/') return false;
  attribute = {.begin = at};
  at = std::min(text.find_first_of(" \t\n\r\f=/>", at + 1), text.size());
  attribute.name = text.substr(attribute.begin, at - attribute.begin);
  attribute.end = at;
  const std::size_t equals = text.find_first_not_of(kSpaces, at);
  if (equals == kNone || text[equals] != '=') return true;
  at = std::min(text.find_first_not_of(kSpaces, equals + 1), text.size());
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
    attribute.value_begin = at + 1;
    attribute.value_end = std::min(text.find(text[at], at + 1), text.size());
    at = std::min(attribute.value_end + 1, text.size());
  } else {
    attribute.value_begin = at;
    attribute.value_end = at = std::min(text.find_first_of(" \t\n\r\f>", at), text.size());
  }
  attribute.end = at;
  return true;
}

// Where the attributes of a tag begin.
std::size_t behind_name(std::string_view tag, std::size_t from) {
  return std::min(tag.find_first_of(" \t\n\r\f/>", from), tag.size());
}

// Whether HTML reads the name of a character without the semicolon, too: those of Latin-1, and of
// & < > and ". Some of them it also knows in capitals.
bool is_legacy_name(const std::string& name) {
  const auto* const known = htmlEntityLookup(reinterpret_cast<const xmlChar*>(name.c_str()));
  return known && known->value <= 0xFF && known->value != '\'';
}

}  // namespace

bool Tokens::next(Token& token) {
  if (at_ >= document_.size()) return false;
  token = {.begin = at_};
  if (document_[at_] != '<' || !tag(token)) {
    token.kind = Kind::text;
    // < that begins no tag is text, and so is what follows.
    Token other;
    for (token.end = at_ + 1; token.end < document_.size(); ++token.end) {
      token.end = std::min(document_.find('<', token.end), document_.size());
      other.begin = token.end;
      if (token.end == document_.size() || tag(other)) break;
    }
  }
  at_ = token.end;
  return true;
}

// Whether a tag, or what else is in angle brackets, begins where the token does.
bool Tokens::tag(Token& token) const {
  const std::string_view text = document_;
  const std::size_t begin = token.begin, second = begin + 1;
  const auto until = [&](std::string_view close, std::size_t from, Kind kind) {
    const std::size_t found = text.find(close, from);
    token.kind = found == kNone ? Kind::cut : kind;
    token.end = found == kNone ? text.size() : found + close.size();
    return true;
  };
  if (second >= text.size()) return false;
  const std::string_view rest = text.substr(begin);
  if (rest.starts_with("<!-->")) return until("-->", begin + 2, Kind::comment);
  if (rest.starts_with("<!--")) return until("-->", begin + 4, Kind::comment);
  if (syntax_ == Syntax::xml && rest.starts_with("<![CDATA["))
    return until("]]>", begin, Kind::cdata);
  if (rest.starts_with("<?")) {
    const bool code =
        syntax_ == Syntax::xml || rest.starts_with("<?php") || rest.starts_with("<?=");
    return until(code ? "?>" : ">", begin, Kind::other);
  }
  if (rest.starts_with("<!")) {
    // The declarations within a document type end with > as well.
    const std::size_t end = text.find('>', begin), inside = text.find('[', begin);
    if (syntax_ == Syntax::xml && inside < end)
      return until(">", std::min(text.find(']', inside), text.size()), Kind::other);
    return (syntax_ == Syntax::html || is_letter_of_ascii(rest.size() > 2 ? rest[2] : ' ')) &&
           until(">", begin, Kind::other);
  }
  const bool closes = text[second] == '/';
  const std::size_t name = second + closes;
  if (name >= text.size() || !begins_name(text[name], syntax_)) return false;
  std::size_t at = behind_name(text, name);
  token.name = syntax_ == Syntax::html ? ascii_small(text.substr(name, at - name))
                                       : std::string(text.substr(name, at - name));
  token.kind = closes ? Kind::close : Kind::open;
  bool slash = false;
  for (Attribute attribute;;) {
    if (next_attribute(text, at, attribute)) {
      slash = false;
      continue;
    }
    if (at >= text.size()) {
      token.kind = Kind::cut;
      token.end = text.size();
      return true;
    }
    if (text[at] == '>') break;
    slash = true;
    ++at;
  }
  token.end = at + 1;
  if (token.kind == Kind::open && (slash || (syntax_ == Syntax::html && is_void(token.name))))
    token.kind = Kind::single;
  return true;
}

std::size_t Tokens::skip(const Token& open, bool raw) {
  if (raw) {
    for (std::size_t at = open.end; (at = document_.find("</", at)) != kNone; ++at) {
      const std::size_t behind = at + 2 + open.name.size();
      if (behind < document_.size() &&
          ascii_small(document_.substr(at + 2, open.name.size())) == open.name &&
          std::string_view(" \t\n\r\f/>").find(document_[behind]) != kNone) {
        at_ = std::min(document_.find('>', behind), document_.size() - 1) + 1;
        return at;
      }
    }
    return at_ = document_.size();
  }
  std::size_t depth = 1;
  for (Token token; next(token);) {
    if (token.name != open.name) continue;
    depth += token.kind == Kind::open;
    depth -= token.kind == Kind::close;
    if (depth == 0) return token.begin;
  }
  return document_.size();
}

std::optional<std::string_view> attribute(std::string_view tag, std::string_view name) {
  std::size_t at = behind_name(tag, 1);
  for (Attribute found;;) {
    if (next_attribute(tag, at, found)) {
      if (ascii_small(found.name) == ascii_small(name))
        return tag.substr(found.value_begin, found.value_end - found.value_begin);
    } else if (at < tag.size() && tag[at] == '/') {
      ++at;
    } else {
      return {};
    }
  }
}

std::string with_attribute(std::string_view tag, std::string_view name, std::string_view value) {
  const std::string written = std::string(name) + "=\"" + std::string(value) + "\"";
  std::size_t at = behind_name(tag, 1), last = at;
  for (Attribute found; next_attribute(tag, at, found); last = found.end)
    if (found.name == name)
      return std::string(tag.substr(0, found.begin)) + written + std::string(tag.substr(found.end));
  return std::string(tag.substr(0, last)) + " " + written + std::string(tag.substr(last));
}

std::string without_attribute(std::string_view tag, std::string_view name) {
  std::size_t at = behind_name(tag, 1), last = at;
  for (Attribute found; next_attribute(tag, at, found); last = found.end)
    if (found.name == name)
      return std::string(tag.substr(0, last)) + std::string(tag.substr(found.end));
  return std::string(tag);
}

std::size_t entity_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 34;  // of HTML
  std::size_t end = at + 1 + (at + 1 < text.size() && text[at + 1] == '#');
  const std::size_t begin = end;
  while (end < text.size() && end - at < kLongest &&
         (is_letter_of_ascii(text[end]) || (text[end] >= '0' && text[end] <= '9')))
    ++end;
  return end > begin && end < text.size() && text[end] == ';' ? end + 1 : at;
}

std::optional<std::string> unfinished_entity(std::string_view text, std::size_t& at) {
  static constexpr std::array<std::string_view, 6> kCapitals{"AMP", "COPY", "GT",
                                                             "LT",  "QUOT", "REG"};
  const std::string_view rest = text.substr(at);
  std::string name;
  std::size_t size = 0;
  if (rest.starts_with("&#")) {
    const bool hexadecimal = rest.size() > 2 && (rest[2] == 'x' || rest[2] == 'X');
    const char* const digits = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    size = std::min(rest.find_first_not_of(digits, hexadecimal ? 3 : 2), rest.size());
    name = rest.substr(1, size - 1);
  } else {
    for (size = std::min<std::size_t>(rest.size(), 7); size > 2; --size) {
      name = rest.substr(1, size - 1);
      if (std::ranges::find(kCapitals, name) != kCapitals.end()) name = ascii_small(name);
      if (is_legacy_name(name)) break;
    }
    if (size <= 2) return {};
  }
  std::size_t begin = 0;
  auto character = entity("&" + name + ";", Syntax::html, begin);
  if (character) at += size;
  return character;
}

std::optional<std::string> entity(std::string_view text, Syntax syntax, std::size_t& at) {
  const std::size_t end = entity_end(text, at);
  if (end == at) return {};
  std::string name(text.substr(at + 1, end - at - 2));
  std::uint32_t code = 0;
  if (name[0] == '#') {
    const bool hexadecimal = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const char *const from = name.data() + 1 + hexadecimal, *const to = name.data() + name.size();
    const auto [stop, problem] = std::from_chars(from, to, code, hexadecimal ? 16 : 10);
    if (stop != to || problem != std::errc()) return {};
  } else {
    static constexpr std::array<std::pair<std::string_view, char>, 5> kXml{
        {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
    for (const auto& [known, character] : kXml)
      if (name == known) code = static_cast<unsigned char>(character);
    if (code == 0 && syntax == Syntax::html)
      if (const auto* const known =
              htmlEntityLookup(reinterpret_cast<const xmlChar*>(name.c_str())))
        code = known->value;
  }
  // In HTML these are read as Windows-1252.
  static constexpr char16_t kWindows[] =
      u"\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D"
      u"\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D"
      u"\u017E\u0178";
  if (syntax == Syntax::html && code >= 0x80 && code < 0xA0) code = kWindows[code - 0x80];
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  at = end;
  std::string character;
  append_utf8(character, code);
  return character;
}

std::string encode(std::string_view text, Syntax syntax, bool ascii) {
  std::string result;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char* const begin = at;
    const char32_t c = next_code_point(at, end);
    if (c == U'&') result += "&amp;";
    else if (c == U'<') result += "&lt;";
    else if (c == U'>') result += "&gt;";
    else if (c == 0xA0) result += syntax == Syntax::html ? "&nbsp;" : "&#160;";
    else if (c >= 0x80 && ascii)
      result += "&#" + std::to_string(static_cast<std::uint32_t>(c)) + ";";
    else result.append(begin, at);
  }
  return result;
}

}  // namespace tt::document
