#include "document/markdown_inline.h"

#include <algorithm>
#include <vector>

#include "base/unicode.h"
#include "text/words.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}
bool is_space_of_ascii(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Where a run of code ends that begins at `at`; `at` if nothing closes it.
std::size_t code_end(std::string_view text, std::size_t at) {
  const std::size_t ticks = std::min(text.find_first_not_of('`', at), text.size()) - at;
  for (std::size_t i = at + ticks; (i = text.find('`', i)) != kNone;) {
    const std::size_t end = std::min(text.find_first_not_of('`', i), text.size());
    if (end - i == ticks) return end;
    i = end;
  }
  return at;
}

// Where the bracket that closes the one at `at` stands; npos if none does.
std::size_t closing(std::string_view text, std::size_t at) {
  const char open = text[at], close = open == '[' ? ']' : ')';
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '`' && open == '[') i = std::max(code_end(text, i), i + 1) - 1;
    else if (text[i] == '<' && open == '(' && i == at + 1)
      i = std::min(text.find('>', i), text.size());
    else if (text[i] == open && ++depth > 200) return kNone;
    else if (text[i] == close && --depth == 0) return i;
  }
  return kNone;
}

// {{ template }} and {% tag %}
std::size_t template_end(std::string_view text, std::size_t at) {
  for (const auto& [open, close] : {std::pair("{{", "}}"), std::pair("{%", "%}")})
    if (text.substr(at).starts_with(open))
      if (const std::size_t end = text.find(close, at + 2); end != kNone) return end + 2;
  return at;
}

// An address in the text: up to white space, without the punctuation behind it.
std::size_t address_end(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (!rest.starts_with("http://") && !rest.starts_with("https://") && !rest.starts_with("www."))
    return at;
  if (at > 0 && word_goes_on(text, at)) return at;
  std::size_t end = std::min(text.find_first_of(" \t<>\"`*|", at), text.size());
  while (end > at && std::string_view(".,;:!?'\")]_~").find(text[end - 1]) != kNone) --end;
  return end;
}

// Emphasis that may begin or end: a run of * _ or ~.
struct Run {
  std::size_t begin, end;
  bool opens, closes;
  std::size_t partner = kNone;  // of runs
};

// Section 6.2 of CommonMark, but for runs of which only a part has a partner.
Run run_at(std::string_view text, std::size_t at) {
  const char sign = text[at];
  Run run{at, std::min(text.find_first_not_of(sign, at), text.size()), false, false};
  const char32_t before = character_before(text, at), after = character_at(text, run.end);
  const auto blank = [](char32_t c) { return c == 0 || is_space(c); };
  const auto sign_of_writing = [](char32_t c) { return is_punctuation(c) || is_symbol(c); };
  const bool left =
      !blank(after) && (!sign_of_writing(after) || blank(before) || sign_of_writing(before));
  const bool right =
      !blank(before) && (!sign_of_writing(before) || blank(after) || sign_of_writing(after));
  run.opens = left && (sign != '_' || !right || sign_of_writing(before));
  run.closes = right && (sign != '_' || !left || sign_of_writing(after));
  if (sign == '~' ? run.end - at != 2 : run.end - at > 3) run.opens = run.closes = false;
  return run;
}

class Inline {
 public:
  Inline(const LinkNames& links, MarkedText& to) : links_(links), to_(to) {}

  void read(std::string_view text, int depth) {
    std::vector<Run> runs = pairs(text);
    std::size_t next_run = 0;
    for (std::size_t at = 0; at < text.size();) {
      while (next_run < runs.size() && runs[next_run].begin < at) ++next_run;
      if (next_run < runs.size() && runs[next_run].begin == at) {
        const Run& run = runs[next_run];
        const std::string_view bytes = text.substr(at, run.end - at);
        if (run.partner == kNone) to_.text(bytes);
        else
          to_.group(bytes,
                    run.partner > next_run ? MarkedText::Kind::open : MarkedText::Kind::close);
        at = run.end;
      } else if (const std::size_t end = no_text(text, at); end > at) {
        to_.opaque(text.substr(at, end - at));
        at = end;
      } else if (text[at] == '\\' && at + 1 < text.size() && is_ascii_punctuation(text[at + 1])) {
        to_.text(text.substr(at + 1, 1));
        at += 2;
      } else if (text[at] == '<' && tag(text, at)) {
      } else if (text[at] == '[' && depth < 20 && link(text, at, depth)) {
      } else if (text[at] == '&') {
        const std::size_t behind = std::max(entity_end(text, at), at + 1);
        to_.encoded(text.substr(at, behind - at), Syntax::unknown);
        at = behind;
      } else {
        // Of several spaces a reader sees one, and at one a line may be broken.
        const bool space = is_space_of_ascii(text[at]);
        if (!space || at == 0 || !is_space_of_ascii(text[at - 1]))
          to_.text(space ? " " : text.substr(at, 1));
        ++at;
      }
    }
  }

 private:
  // Where what begins at `at` and is no text ends; `at` if it is text, or a link or tag.
  static std::size_t no_text(std::string_view text, std::size_t at) {
    switch (text[at]) {
      case '`': return code_end(text, at);
      case '{': return template_end(text, at);
      case 'h':
      case 'w': return address_end(text, at);
      case '!': {
        if (!text.substr(at).starts_with("![")) return at;
        const std::size_t close = closing(text, at + 1);
        return close == kNone ? at : std::max(target_end(text, close + 1), close + 1);
      }
      case '[': {
        if (!text.substr(at).starts_with("[^")) return at;
        const std::size_t close = closing(text, at);
        return close == kNone ? at : close + 1;
      }
      case '<': {
        const std::size_t end = text.find('>', at);
        if (end == kNone) return at;
        const std::string_view inside = text.substr(at + 1, end - at - 1);
        const bool address = inside.find_first_of(" <") == kNone &&
                             (inside.find(':') != kNone || inside.find('@') != kNone) &&
                             !inside.starts_with('/');
        return address ? end + 1 : at;
      }
      default: return at;
    }
  }

  // Where (address "title") or [name] ends; 0 if there is none.
  static std::size_t target_end(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != '(' && text[at] != '[')) return 0;
    const std::size_t close = closing(text, at);
    return close == kNone ? 0 : close + 1;
  }

  // [text](address), [text][name], [name][] and [name]
  bool link(std::string_view text, std::size_t& at, int depth) {
    const std::size_t close = closing(text, at);
    if (close == kNone) return false;
    const std::string_view label = text.substr(at + 1, close - at - 1);
    std::size_t end = target_end(text, close + 1);
    std::string target(text.substr(close, std::max(end, close) - close));
    const bool named = links_.contains(link_name(label));
    if (end == 0 || (target.starts_with("][") && target != "][]" &&
                     !links_.contains(link_name(target.substr(2, target.size() - 3))))) {
      if (!named) return false;
      end = close + 1;
      target = "][]";
    }
    if (target == "][]") {
      if (!named) return false;
      target = "][" + std::string(label) + "]";
    }
    to_.group("[", MarkedText::Kind::open);
    read(label, depth + 1);
    to_.group(target, MarkedText::Kind::close);
    at = end;
    return true;
  }

  bool tag(std::string_view text, std::size_t& at) {
    using Kind = Token::Kind;
    Tokens tokens(text, Syntax::html, at, text.size());
    Token token;
    if (!tokens.next(token) || token.kind == Kind::text || token.kind == Kind::cut) return false;
    const std::string_view bytes = token.in(text);
    if (token.kind == Kind::open) to_.tag(bytes, MarkedText::Kind::open);
    else if (token.kind == Kind::close) to_.tag(bytes, MarkedText::Kind::close);
    else if (token.kind == Kind::single) to_.tag(bytes, MarkedText::Kind::single);
    else to_.opaque(bytes);
    at = token.end;
    return true;
  }

  // The runs of emphasis of a text, but for those in links.
  std::vector<Run> pairs(std::string_view text) const {
    std::vector<Run> runs;
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < text.size();) {
      if (const std::size_t end = no_text(text, at); end > at) {
        at = end;
      } else if (text[at] == '\\') {
        at += 2;
      } else if (text[at] == '[' && closing(text, at) != kNone) {
        const std::size_t close = closing(text, at);
        at = std::max(target_end(text, close + 1), close + 1);
      } else if (text[at] == '<') {
        Tokens tokens(text, Syntax::html, at, text.size());
        Token token;
        const bool tag = tokens.next(token) && token.kind != Token::Kind::text;
        at = tag && token.kind != Token::Kind::cut ? token.end : at + 1;
      } else if (text[at] != '*' && text[at] != '_' && text[at] != '~') {
        ++at;
      } else {
        runs.push_back(run_at(text, at));
        pair(runs, open, text);
        at = runs.back().end;
      }
    }
    return runs;
  }

  // Finds the run that the last one closes.
  static void pair(std::vector<Run>& runs, std::vector<std::size_t>& open, std::string_view text) {
    Run& last = runs.back();
    if (last.closes)
      for (std::size_t i = open.size(); i-- > 0;) {
        Run& first = runs[open[i]];
        if (text[first.begin] != text[last.begin] ||
            first.end - first.begin != last.end - last.begin)
          continue;
        first.partner = runs.size() - 1;
        last.partner = open[i];
        open.resize(i);
        return;
      }
    if (last.opens) open.push_back(runs.size() - 1);
  }

  const LinkNames& links_;
  MarkedText& to_;
};

}  // namespace

std::string link_name(std::string_view label) {
  std::string name = single_spaces(label);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

MarkedText inline_markdown(std::string_view text, const LinkNames& links) {
  MarkedText result;
  Inline(links, result).read(text, 0);
  return result;
}

std::string escape_markdown(std::string_view text, bool begins, bool cell) {
  std::string result;
  std::size_t digits = 0;
  while (begins && digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool next_blank = i + 1 == text.size() || is_space_of_ascii(text[i + 1]);
    bool escaped = false;
    if (c == '`') {
      escaped = true;
    } else if (c == '\\') {
      escaped = i + 1 < text.size() && is_ascii_punctuation(text[i + 1]);
    } else if (c == ']') {
      escaped = i + 1 < text.size() && std::string_view("([:").find(text[i + 1]) != kNone;
    } else if (c == '*' || c == '~') {
      escaped = !(next_blank && i > 0 && is_space_of_ascii(text[i - 1]));
    } else if (c == '_') {
      escaped = !word_goes_on(text, i) || !word_goes_on(text, i + 1);
    } else if (c == '<') {
      escaped = !next_blank;
    } else if (c == '|') {
      escaped = cell || (begins && i == 0);
    } else if (c == '&') {
      escaped = entity_end(text, i) > i;
    }
    if (begins && i == 0 && (c == '#' || c == '>' || c == '=')) escaped = true;
    if (begins && i == 0 && (c == '-' || c == '+') && (next_blank || text.starts_with("--")))
      escaped = true;
    for (const char* mark : {"~~~", ":::", ": ", "[!", "!!!", "???", "{:", "{#", "{.", "[TOC]",
                             "[[_TOC_]]", "[[toc]]"})
      if (begins && i == 0 && text.starts_with(mark)) escaped = true;
    if (digits > 0 && i == digits && (c == '.' || c == ')') && next_blank) escaped = true;
    if (escaped) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace tt::document
