#include "markup/tags.h"

#include <algorithm>
#include <set>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "markup/elements.h"

namespace tt::markup {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f";
constexpr std::size_t kNone = std::string_view::npos;
using Kind = Token::Kind;

bool is_letter_of_ascii(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return kSpaces.find(c) != kNone; }

bool begins_name(char32_t c) { return is_letter(c) || c == U'_' || c == U':'; }
bool begins_name(std::string_view text, std::size_t at) {
  return at < text.size() && begins_name(code_point_at(text, at));
}

// Code of a page's template, which is its own up to its end.
bool begins_code(std::string_view rest) {
  return rest.starts_with("<%") || rest.starts_with("<?php") || rest.starts_with("<?=");
}

// The end of code that begins at `at`; `at` if nothing ends it.
std::size_t code_end(Finder& find, std::size_t at) {
  const std::size_t end = find(find.text()[at + 1] == '%' ? "%>" : "?>", at + 2);
  return end == kNone ? at : end + 2;
}

struct Attribute {
  std::size_t begin = 0, end = 0;              // the whole
  std::size_t value_begin = 0, value_end = 0;  // without quotes; both 0 if it has no value
  bool quoted = false;
  std::string_view name = {};  // empty: it is code
};

// The quote that ends the value behind the one at `at`; those inside of code do not.
std::size_t closing_quote(Finder& find, std::size_t at) {
  const std::string_view text = find.text(), mark = text[at] == '"' ? "\"" : "'";
  for (std::size_t from = at + 1;;) {
    const std::size_t close = find(mark, from);
    if (close == kNone) return kNone;
    std::size_t code = from;
    while (code < close && !begins_code(text.substr(code, 5)))
      code = std::min(text.substr(0, close).find('<', code + 1), close);
    if (code == close) return close;
    from = std::max(code_end(find, code), code + 1);
  }
}

// The attribute of a tag at `at`, which is moved behind it. False if a quote is not closed.
bool read_attribute(Finder& find, std::size_t& at, Attribute& attribute) {
  const std::string_view text = find.text();
  attribute = {.begin = at};
  if (begins_code(text.substr(at, 5))) {
    if (const std::size_t end = code_end(find, at); end > at) {
      attribute.end = at = end;
      return true;
    }
  }
  at = std::min(text.find_first_of(" \t\n\r\f=/>", at + 1), text.size());
  attribute.name = text.substr(attribute.begin, at - attribute.begin);
  attribute.end = at;
  const std::size_t equals = text.find_first_not_of(kSpaces, at);
  if (equals == kNone || text[equals] != '=') return true;
  at = std::min(text.find_first_not_of(kSpaces, equals + 1), text.size());
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
    attribute.quoted = true;
    attribute.value_begin = at + 1;
    attribute.value_end = closing_quote(find, at);
    if (attribute.value_end == kNone) return false;
    at = attribute.value_end + 1;
  } else {
    attribute.value_begin = at;
    attribute.value_end = at = std::min(text.find_first_of(" \t\n\r\f>", at), text.size());
  }
  attribute.end = at;
  return true;
}

// Calls `read` with the attributes of a tag, until it returns true.
template <class Read>
void each_attribute(std::string_view tag, const Read& read) {
  Finder find(tag);
  std::size_t at =
      std::min(tag.find_first_of(" \t\n\r\f/>", 1 + tag.starts_with("</")), tag.size());
  for (Attribute found;;) {
    while (at < tag.size() && (is_blank(tag[at]) || tag[at] == '/')) ++at;
    if (at >= tag.size() || tag[at] == '>') return;
    if (!read_attribute(find, at, found) || read(found)) return;
  }
}

// The name of a tag's element.
std::string name_of(std::string_view tag) {
  Token token;
  Tokens(tag, Syntax::unknown, 0, tag.size(), Tokens::Of::line).next(token);
  return token.name;
}

}  // namespace

std::size_t Finder::operator()(std::string_view mark, std::size_t from) {
  const auto [known, added] = known_.try_emplace(mark);
  auto& [begin, found] = known->second;
  if (added || from < begin || from > found) {
    begin = from;
    found = text_.find(mark, from);
  }
  return found;
}

bool Tokens::next(Token& token) {
  if (at_ >= text_.size()) return false;
  token = {.begin = at_};
  if (!raw_.empty()) {
    // Text up to its own end tag, or all.
    std::size_t end = at_;
    for (; (end = std::min(find_("</", end), text_.size())) < text_.size(); ++end) {
      const std::size_t behind = end + 2 + raw_.size();
      if (behind < text_.size() && ascii_small(text_.substr(end + 2, raw_.size())) == raw_ &&
          (is_blank(text_[behind]) || text_[behind] == '/' || text_[behind] == '>'))
        break;
    }
    raw_.clear();
    if (end > at_) {
      token.end = at_ = end;
      return true;
    }
  }
  if (ahead_.end > at_) {
    token = ahead_;
  } else if (text_[at_] != '<' || !read(token)) {
    // < that begins no tag is text, and so is what follows.
    token = {.begin = at_};
    for (token.end = at_ + 1; token.end < text_.size(); ++token.end) {
      token.end = std::min(text_.find('<', token.end), text_.size());
      ahead_ = {.begin = token.end};
      if (token.end == text_.size() || read(ahead_)) break;
      ahead_ = {};
    }
  }
  at_ = token.end;
  if (syntax_ == Syntax::html && token.kind == Kind::open && is_raw(token.name)) raw_ = token.name;
  return true;
}

bool Tokens::cut(Token& token) const {
  token.kind = Kind::cut;
  token.end = text_.size();
  return of_ == Of::document;
}

bool Tokens::until(std::string_view close, std::size_t from, Kind kind, Token& token) {
  const std::size_t found = find_(close, from);
  if (found == kNone) return cut(token);
  token.kind = kind;
  token.end = found + close.size();
  return true;
}

bool Tokens::comment(Token& token) {
  const std::size_t from = token.begin + 4;
  if (syntax_ == Syntax::xml) return until("-->", from, Kind::comment, token);
  token.kind = Kind::comment;
  for (const std::string_view empty : {">", "->"})
    if (text_.substr(from).starts_with(empty)) {
      token.end = from + empty.size();
      return true;
    }
  if (find_("-->", from) == kNone && find_("--!>", from) == kNone) return cut(token);
  for (std::size_t at = from;; ++at) {
    at = text_.find("--", at);
    const std::string_view rest = text_.substr(at + 2, 2);
    if (!rest.starts_with('>') && rest != "!>") continue;
    token.end = at + 2 + (rest[0] == '!') + 1;
    return true;
  }
}

// Whether a tag, or what else is in angle brackets, begins where the token does.
bool Tokens::read(Token& token) {
  const std::size_t begin = token.begin;
  const std::string_view rest = text_.substr(begin);
  const bool html = syntax_ == Syntax::html;
  if (rest.size() < 2) return false;
  if (rest.starts_with("<!--")) return comment(token);
  if (!html && rest.starts_with("<![CDATA[")) return until("]]>", begin + 9, Kind::cdata, token);
  if (rest[1] == '%' && html) return until("%>", begin + 2, Kind::other, token);
  if (rest[1] == '?') {
    if (html && !begins_code(rest)) return until(">", begin + 2, Kind::other, token);
    const bool named = begins_name(text_, begin + 2) || rest.substr(2, 1) == "=";
    return named && until("?>", begin + 2, Kind::other, token);
  }
  if (rest[1] == '!') {
    if (html) return until(">", begin + 2, Kind::other, token);
    if (rest.size() < 3 || !is_letter_of_ascii(rest[2])) return false;
    // The declarations within a document type end with > as well.
    const std::size_t end = find_(">", begin);
    if (end == kNone) return cut(token);
    const std::size_t inside = text_.substr(0, end).find('[', begin);
    const std::size_t behind = inside == kNone ? begin : find_("]", inside);
    return behind == kNone ? cut(token) : until(">", behind, Kind::other, token);
  }
  const std::size_t name = begin + 1 + (rest[1] == '/');
  if (name >= text_.size()) return false;
  if (html && !is_letter_of_ascii(text_[name]))
    return rest[1] == '/' && until(">", name, Kind::comment, token);
  if (!html && !begins_name(text_, name)) return false;
  return find_(">", name) == kNone ? cut(token) : tag(token);
}

// Of a name in HTML < is a part, so that many may end in the same place.
std::size_t Tokens::name_end(std::size_t begin) {
  if (syntax_ != Syntax::html) {
    const char *end = text_.data() + begin, *const behind = text_.data() + text_.size();
    for (const char* next = end; next < behind; end = next) {
      const char32_t c = next_code_point(next, behind);
      if (!begins_name(c) && !is_mark(c) && !is_digit(c) && c != U'-' && c != U'.') break;
    }
    return static_cast<std::size_t>(end - text_.data());
  }
  if (begin < name_begin_ || begin > name_end_) {
    name_begin_ = begin;
    name_end_ = std::min(text_.find_first_of(" \t\n\r\f/>", begin), text_.size());
  }
  return name_end_;
}

bool Tokens::tag(Token& token) {
  const bool strict = syntax_ != Syntax::html, closes = text_[token.begin + 1] == '/';
  const std::size_t name = token.begin + 1 + closes;
  std::size_t at = name_end(name);
  const std::string_view bytes = text_.substr(name, at - name);
  // A tag that is read from a place before its attributes, and fails, fails from there again.
  std::vector<std::size_t> places;
  const auto fail = [&](bool at_end) {
    dead_.insert(places.begin(), places.end());
    return at_end && cut(token);
  };
  bool slash = false;
  for (Attribute attribute;;) {
    const std::size_t from = at;
    while (at < text_.size() && (is_blank(text_[at]) || (text_[at] == '/' && !strict))) ++at;
    if (strict && text_.substr(at, 2) == "/>") ++at;
    if (at >= text_.size()) return fail(true);
    slash = text_[at - 1] == '/' && at > from;
    if (text_[at] == '>') break;
    if (strict && (at == from || text_[at] == '<' || text_[at] == '/')) return fail(false);
    if (dead_.contains(at)) return fail(!strict);
    places.push_back(at);
    if (!read_attribute(find_, at, attribute)) return fail(true);
    const std::string_view value =
        text_.substr(attribute.value_begin, attribute.value_end - attribute.value_begin);
    if (strict && (attribute.name.find_first_of("<\"'") != kNone ||
                   (!attribute.quoted && value.find('<') != kNone)))
      return fail(false);
    token.broken = token.broken || attribute.name.find('<') != kNone;
  }
  token.end = at + 1;
  token.name = strict ? std::string(bytes) : ascii_small(bytes);
  token.broken = token.broken || token.name.find('<') != kNone;
  token.kind = closes ? Kind::close : Kind::open;
  if ((slash && !closes) || (!strict && is_void(token.name))) token.kind = Kind::single;
  return true;
}

std::size_t Tokens::skip(const Token& open) {
  std::size_t depth = 1;
  for (Token token; next(token);) {
    if (token.name != open.name) continue;
    depth += token.kind == Kind::open;
    depth -= token.kind == Kind::close;
    if (depth == 0) return token.begin;
  }
  return text_.size();
}

std::vector<Token> tags_in(std::string_view text) {
  std::vector<Token> tags;
  Tokens tokens(text, Syntax::unknown, 0, text.size(), Tokens::Of::line);
  for (Token token; tokens.next(token);)
    if (token.kind != Kind::text) tags.push_back(token);
  return tags;
}

std::vector<Token> tags_and_entities_in(std::string_view text) {
  std::vector<Token> found;
  Tokens tokens(text, Syntax::unknown, 0, text.size(), Tokens::Of::line);
  for (Token token; tokens.next(token);) {
    if (token.kind != Kind::text) found.push_back(token);
    for (std::size_t at = token.begin; token.kind == Kind::text; ++at) {
      at = text.find('&', at);
      if (at >= token.end) break;
      if (const std::size_t end = entity_end(text, at); end > at)
        found.push_back({Kind::entity, at, end});
    }
  }
  return found;
}

std::optional<std::string_view> attribute(std::string_view tag, std::string_view name) {
  std::optional<std::string_view> value;
  each_attribute(tag, [&](const Attribute& found) {
    if (ascii_small(found.name) == ascii_small(name))
      value = tag.substr(found.value_begin, found.value_end - found.value_begin);
    return value.has_value();
  });
  return value;
}

std::string attribute_text(std::string_view tag, std::string_view name) {
  std::string text;
  const auto add = [&](std::string_view part) { text += part; };
  decode(attribute(tag, name).value_or(""), Syntax::xml, add, add);
  return text;
}

std::string with_attribute(std::string_view tag, std::string_view name, std::string_view value) {
  const std::string written = std::string(name) + "=\"" + std::string(value) + "\"";
  std::size_t last = std::min(tag.find_first_of(" \t\n\r\f/>", 1), tag.size());
  std::optional<Attribute> same;
  each_attribute(tag, [&](const Attribute& found) {
    last = found.end;
    if (ascii_small(found.name) == ascii_small(name)) same = found;
    return same.has_value();
  });
  if (same)
    return std::string(tag.substr(0, same->begin)) + written + std::string(tag.substr(same->end));
  return std::string(tag.substr(0, last)) + " " + written + std::string(tag.substr(last));
}

std::string without_attribute(std::string_view tag, std::string_view name) {
  return without_attributes(tag, [&](std::string_view found, auto) { return found == name; });
}

std::string without_attributes(
    std::string_view tag,
    const std::function<bool(std::string_view name, std::string_view value)>& goes) {
  std::string kept;
  std::size_t at = 0, last = std::min(tag.find_first_of(" \t\n\r\f/>", 1), tag.size());
  each_attribute(tag, [&](const Attribute& found) {
    if (goes(found.name, tag.substr(found.value_begin, found.value_end - found.value_begin))) {
      kept += tag.substr(at, last - at);
      at = found.end;
    }
    last = found.end;
    return false;
  });
  return kept + std::string(tag.substr(at));
}

bool forbids_translation(std::string_view tag) {
  const auto is = [&](std::string_view name, std::string_view value) {
    return ascii_small(attribute(tag, name).value_or("")) == value;
  };
  std::string classes = " " + ascii_small(attribute(tag, "class").value_or("")) + " ";
  std::ranges::replace_if(classes, is_blank, ' ');
  return is("translate", "no") || is("its:translate", "no") || is("mtype", "protected") ||
         is("mtype", "x-its-translate-no") || classes.find(" notranslate ") != classes.npos;
}

bool asks_for_translation(std::string_view tag) {
  if (forbids_translation(tag)) return false;
  const auto value = attribute(tag, "translate");
  if (value && (value->empty() || ascii_small(*value) == "yes")) return true;
  return ascii_small(attribute(tag, "its:translate").value_or("")) == "yes" ||
         attribute(tag, "mtype") == "x-its-translate-yes";
}

bool well_nested(const std::vector<std::string>& tags) {
  std::set<std::string> closed;
  for (const std::string& tag : tags)
    if (tag.starts_with("</")) closed.insert(name_of(tag));
  std::vector<std::string> open;
  for (const std::string& tag : tags) {
    std::string name = name_of(tag);
    if (!tag.starts_with("</")) {
      if (closed.contains(name) && !tag.ends_with("/>")) open.push_back(std::move(name));
    } else {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

std::size_t empty_elements(std::string_view text) {
  std::size_t empty = 0;
  Token open;
  for (const Token& tag : tags_in(text)) {
    const std::string_view between = text.substr(open.end, tag.begin - open.end);
    empty += tag.kind == Kind::close && !open.name.empty() && tag.name == open.name &&
             std::ranges::all_of(between, [](char c) { return is_space(c); });
    open = tag.kind == Kind::open ? tag : Token{};
  }
  return empty;
}

}  // namespace tt::markup
