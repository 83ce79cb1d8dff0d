#include "lines/markup_tokens.h"

#include <algorithm>

#include "base/unicode.h"

namespace tt {
namespace {

using View = std::string_view;

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return View(" \t\n\r\f").find(c) != View::npos; }

std::string in_small_letters(View text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return small;
}

// Whether a list of words with spaces around each has one.
bool has(View list, View word) {
  return !word.empty() && list.find(" " + std::string(word) + " ") != View::npos;
}

// Elements that have no end tag.
constexpr View kVoid = " area base br col embed hr img input link meta param source track wbr ";
// Elements whose text is code, and those of XLIFF that hold codes of the source format.
constexpr View kCode = " code kbd math samp script style svg var ";
constexpr View kCodeOfXml = " bpt code ept it ph ut ";
constexpr View kMayStayOpen =
    " body colgroup dd dt head html li optgroup option p rb rp rt rtc tbody td tfoot th thead tr ";

// Reads the tokens of a line. What is searched for, and is nowhere behind, is remembered, so that a
// line takes time in proportion to its length.
class Scanner {
 public:
  Scanner(View line, MarkupKind kind) : line_(line), html_(kind == MarkupKind::html) {
    double_quote_ = line.rfind('"');
    single_quote_ = line.rfind('\'');
    comment_ = line.rfind("-->");
    instruction_ = line.rfind(html_ ? ">" : "?>");
    section_ = line.rfind("]]>");
    angle_ = line.rfind('>');
  }

  std::vector<MarkupToken> all() {
    std::vector<MarkupToken> tokens;
    for (std::size_t at = 0; (at = line_.find('<', at)) != View::npos;) {
      MarkupToken token{MarkupToken::alone, {at, at}, "", false};
      if (!read(at, token)) {
        ++at;
        continue;
      }
      at = token.range.end;
      const bool raw = html_ && token.kind == MarkupToken::open &&
                       (token.name == "script" || token.name == "style");
      if (raw) at = end_tag(token.name, at);
      if (raw && at == line_.size())
        token = {MarkupToken::alone, {token.range.begin, at}, token.name};
      tokens.push_back(token);
    }
    return tokens;
  }

 private:
  // Where `close`, which is `last` in the line, ends behind `at`; npos where it does not.
  std::size_t behind(View close, std::size_t at, std::size_t last) const {
    return last == View::npos || last < at ? View::npos : line_.find(close, at) + close.size();
  }

  bool read(std::size_t at, MarkupToken& token) {
    const View rest = line_.substr(at);
    std::size_t end = View::npos;
    if (rest.starts_with("<!--")) end = behind("-->", at + 4, comment_);
    else if (rest.starts_with("<![CDATA[")) end = behind("]]>", at + 9, section_);
    else if (rest.starts_with("<?")) end = behind(html_ ? ">" : "?>", at + 2, instruction_);
    else if (rest.starts_with("<!") && rest.size() > 2 && is_ascii_letter(rest[2]))
      end = behind(">", at + 2, angle_);
    else return angle_ != View::npos && angle_ > at && tag(at, token);
    token.range.end = end;
    return end != View::npos;
  }

  bool tag(std::size_t at, MarkupToken& token) {
    const bool closes = line_.substr(at + 1).starts_with('/');
    std::size_t next = at + 1 + closes;
    const std::size_t begin = next;
    const char32_t first = character_at(line_.substr(0, next + 8), next);
    if (!is_letter(first) && first != U'_' && first != U':') return false;
    while (next < line_.size() && !is_blank(line_[next]) &&
           View("/><=\"'").find(line_[next]) == View::npos)
      ++next;
    token.name = std::string(line_.substr(begin, next - begin));
    if (html_) token.name = in_small_letters(token.name);
    bool itself = false;  // <br/>
    for (;;) {
      const bool apart = next < line_.size() && (is_blank(line_[next]) || line_[next] == '/');
      itself = false;
      for (; next < line_.size() && (is_blank(line_[next]) || line_[next] == '/'); ++next)
        itself = line_[next] == '/';
      if (next >= line_.size()) return false;
      if (line_[next] == '>') break;
      if (line_[next] == '<' || !apart) return false;
      if (!attribute(next, token)) return false;
    }
    token.range.end = next + 1;
    token.kind = closes                                        ? MarkupToken::close
                 : itself || (html_ && has(kVoid, token.name)) ? MarkupToken::alone
                                                               : MarkupToken::open;
    if (closes && html_ && has(kVoid, token.name)) token.kind = MarkupToken::alone;
    token.untouched |= has(html_ ? kCode : kCodeOfXml, token.name);
    return true;
  }

  bool attribute(std::size_t& next, MarkupToken& token) {
    const std::size_t begin = next;
    while (next < line_.size() && !is_blank(line_[next]) &&
           View("/>=<").find(line_[next]) == View::npos)
      ++next;
    const std::string name = in_small_letters(line_.substr(begin, next - begin));
    std::size_t value = next;
    while (value < line_.size() && is_blank(line_[value])) ++value;
    if (value >= line_.size() || line_[value] != '=') return next > begin;
    ++value;
    while (value < line_.size() && is_blank(line_[value])) ++value;
    if (value >= line_.size()) return false;
    const char quote = line_[value];
    std::size_t end = value;
    if (quote == '"' || quote == '\'') {
      end = behind(line_.substr(value, 1), value + 1, quote == '"' ? double_quote_ : single_quote_);
      ++value;
      if (end == View::npos) return false;
      next = end--;
    } else {
      while (end < line_.size() && !is_blank(line_[end]) && line_[end] != '>') ++end;
      next = end;
    }
    const std::string text = in_small_letters(line_.substr(value, end - value));
    token.untouched |= (name == "translate" && text == "no") ||
                       (name == "class" && has(" " + text + " ", "notranslate")) ||
                       (name == "mtype" && text == "protected");
    return true;
  }

  // Where the end tag of an element of that name begins, or the line ends.
  std::size_t end_tag(const std::string& name, std::size_t at) {
    for (; (at = line_.find("</", at)) != View::npos; ++at) {
      if (in_small_letters(line_.substr(at + 2, name.size())) != name) continue;
      MarkupToken token{MarkupToken::alone, {at, at}, "", false};
      if (read(at, token) && token.name == name) return at;
    }
    return line_.size();
  }

  View line_;
  bool html_;
  std::size_t double_quote_, single_quote_, comment_, instruction_, section_,
      angle_;  // the last in the line, or npos
};

}  // namespace

std::vector<MarkupToken> markup_tokens(std::string_view line, MarkupKind kind) {
  return Scanner(line, kind).all();
}

bool may_stay_open(std::string_view name) { return has(kMayStayOpen, name); }

}  // namespace tt
