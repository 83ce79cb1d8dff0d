#include "document/markdown_copy.h"

#include <algorithm>
#include <cctype>

#include "base/capitals.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == kNone;
}
bool is_blank(std::string_view text) { return only(text, " \t\r\f\v"); }

std::string_view without_spaces_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// The mark that begins a text, a fence of code or formulas: ```, ~~~ or $$; empty if there is none.
std::string_view fence(std::string_view text) {
  if (text.empty() || std::string_view("`~$").find(text[0]) == kNone) return {};
  const std::size_t size = std::min(text.find_first_not_of(text[0]), text.size());
  const bool fence = text[0] == '$' ? size == 2 && text.find("$$", 2) == kNone
                                    : size > 2 && (text[0] == '~' || text.find('`', size) == kNone);
  return text.substr(0, fence ? size : 0);
}

// The size of the mark of a list's item with the white space behind it; 0 if there is none.
std::size_t item_mark(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == text.size() || digits > 9) return 0;
  const std::string_view marks = digits > 0 ? ".)" : "-*+";
  if (marks.find(text[digits]) == kNone) return 0;
  const std::size_t end = std::min(text.find_first_not_of(" \t", digits + 1), text.size());
  return end > digits + 1 ? end : 0;
}

// The row under the names of a table's columns: | :--- | ---: |
bool is_table_rule(std::string_view text) {
  return only(text, " \t|:-") && text.find('-') != kNone && text.find('|') != kNone;
}

// The cells of a row, as ranges of it.
std::vector<std::pair<std::size_t, std::size_t>> cells(std::string_view row) {
  row = without_spaces_behind(row);
  std::vector<std::pair<std::size_t, std::size_t>> found;
  std::size_t begin = row.starts_with('|') ? 1 : 0;
  for (std::size_t at = begin; at <= row.size(); ++at) {
    if (at < row.size() && row[at] == '\\') ++at;
    else if (at < row.size() ? row[at] == '|' : begin < at)
      found.emplace_back(begin, at), begin = at + 1;
  }
  return found;
}

// Whether a line is a heading with #s.
bool is_heading(std::string_view text) {
  const std::size_t marks = std::min(text.find_first_not_of('#'), text.size());
  return marks > 0 && marks < 7 &&
         (marks == text.size() || text[marks] == ' ' || text[marks] == '\t');
}

// The size of what names a footnote or an abbreviation: [^name]: text, *[name]: text; 0 if a line
// is none.
std::size_t note_mark(std::string_view text) {
  if (!text.starts_with("[^") && !text.starts_with("*[")) return 0;
  const std::size_t end = text.find(']');
  if (end == kNone || end < 3 || text[end - 1] == '\\' || !text.substr(end).starts_with("]:"))
    return 0;
  return std::min(text.find_first_not_of(" \t", end + 2), text.size());
}

// The size of the kind of a quotation: [!NOTE], or [!note]- of one that is folded; 0 if there is
// none.
std::size_t alert_mark(std::string_view text) {
  if (!text.starts_with("[!")) return 0;
  std::size_t end = text.find_first_of("[]() `", 2);
  if (end == kNone || end == 2 || text[end] != ']') return 0;
  end += end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-') ? 2 : 1;
  return end == text.size() || text[end] == ' ' || text[end] == '\t' ? end : 0;
}

// Whether a line is nothing but a directive of Pandoc, kramdown, Liquid or Hugo, as ::: x, {: .x},
// {% x %} and {{< x >}}, a snippet, as --8<-- "x", or the place for a table of contents.
bool is_directive(std::string_view text) {
  text = without_spaces_behind(text);
  if (text == "[TOC]" || text == "[[_TOC_]]" || text == "[[toc]]") return true;
  if (text.starts_with(":::") || text.starts_with("--8<--") || text.starts_with(";--8<--"))
    return true;
  for (const std::string_view open : {"{:", "{#", "{.", "{%", "{{<", "{{%"}) {
    const std::string_view close = open == "{%" ? "%}" : open.size() == 3 ? "}}" : "}";
    if (text.starts_with(open)) return text.find(close, open.size()) == text.size() - close.size();
  }
  return false;
}

}  // namespace

MarkdownCopy::MarkdownCopy(std::string_view document) : document_(document) {
  for (std::size_t at = document.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < document.size();) {
    const std::size_t feed = std::min(document.find('\n', at), document.size());
    lines_.push_back({at, at, at, feed > at && document[feed - 1] == '\r' ? feed - 1 : feed, 0});
    Line& line = lines_.back();
    const auto skip = [&](std::size_t& to) {
      for (; to < line.end && std::string_view(" \t>").find(document[to]) != kNone; ++to)
        line.quotes += document[to] == '>';
    };
    skip(line.text);
    line.item = line.text;
    while (const std::size_t mark = item_mark(rest(lines_.size() - 1, line.item))) {
      line.item += mark;
      skip(line.item);
    }
    at = feed + 1;
  }
  for (std::size_t i = front_matter(); i < lines_.size();) read_line(i);
  places_.emplace_back(text_.size(), document.size());
}

std::size_t MarkdownCopy::source(std::size_t at) const {
  using Place = std::pair<std::size_t, std::size_t>;
  const auto next = std::ranges::upper_bound(places_, at, {}, &Place::first);
  if (next == places_.begin() || next == places_.end()) return document_.size();
  const auto& [copy, source] = *std::prev(next);
  return std::min(source + (at - copy), next->second);
}

void MarkdownCopy::hide(std::size_t begin, std::size_t end) {
  std::fill(text_.begin() + static_cast<std::ptrdiff_t>(begin),
            text_.begin() + static_cast<std::ptrdiff_t>(end), 'x');
}

// A carriage return that ends no line is a letter.
void MarkdownCopy::copy(std::size_t begin, std::size_t end) {
  places_.emplace_back(text_.size(), begin);
  text_ += document_.substr(begin, end - begin);
  std::replace(text_.end() - static_cast<std::ptrdiff_t>(end - begin), text_.end(), '\r', 'x');
}

void MarkdownCopy::put(std::string_view bytes, std::size_t source) {
  places_.emplace_back(text_.size(), source);
  text_ += bytes;
  places_.emplace_back(text_.size(), source);
}

std::size_t MarkdownCopy::front_matter() const {
  if (lines_.empty()) return 0;
  for (const std::string_view mark : {"---", "+++"}) {
    const auto is_mark = [&](std::size_t i, std::string_view sign) {
      const std::string_view line = rest(i, lines_[i].begin);
      return line.starts_with(sign) && is_blank(line.substr(sign.size()));
    };
    for (std::size_t i = 1; is_mark(0, mark) && i < lines_.size(); ++i)
      if (is_mark(i, mark) || (mark == "---" && is_mark(i, "..."))) return i + 1;
  }
  return 0;
}

// Reads line `i`, and those that belong to what begins there; moves to the next.
void MarkdownCopy::read_line(std::size_t& i) {
  const Line line = lines_[i];
  std::size_t at = line.item;
  const std::string_view text = rest(i, at), unmarked = rest(i, line.text);
  std::string_view mark = fence(text);
  if (mark == "$$" && i < no_formula_) mark = {};
  if (!mark.empty()) {
    const std::size_t end = fence_end(i, mark);
    if (mark != "$$") {
      for (; i <= end && i < lines_.size(); ++i) {
        copy(lines_[i].begin, lines_[i].end);
        put("\n", lines_[i].end);
      }
      return;
    }
    if (end < lines_.size() && end > i && rest(end, lines_[end].text).starts_with("$$")) {
      copy(line.begin, at);
      put("***\n", at);
      i = end + 1;
      return;
    }
    no_formula_ = end;  // nothing closes it, so it is text
  }
  if (read_admonition(i, at)) {
    ++i;
    return;
  }
  if (read_table(i, at)) return;
  const bool begins_quotation = line.quotes > 0 && (i == 0 || lines_[i - 1].quotes < line.quotes ||
                                                    lines_[i - 1].text == lines_[i - 1].end);
  std::size_t end = line.end;
  if (is_directive(text)) {
    copy(line.begin, at);
    put("***", at);
    at = end;
  } else if ((unmarked.starts_with(": ") || unmarked.starts_with(":\t")) &&
             !is_blank(unmarked.substr(1))) {
    definitions_.insert(line.text);
    copy(line.begin, line.text);
    put("-", line.text);
    at = line.text + 1;
  } else if (const std::size_t note = note_mark(text); note > 0) {
    copy(line.begin, at);
    at += note;
    put(at < end ? "-   " : "-   <!---->", at);
  } else if (const std::size_t alert = begins_quotation ? alert_mark(text) : 0; alert > 0) {
    copy(line.begin, at);
    at += alert;
    put("#", at);
  } else {
    // Without what names a heading: {#name}
    const std::string_view whole = without_spaces_behind(text);
    if (const std::size_t open = whole.rfind('{');
        is_heading(text) && whole.ends_with('}') && open > 0 && whole[open - 1] == ' ')
      end = at + open;
    at = line.begin;
  }
  copy(at, end);
  // Of <preview> the parser would see <pre>.
  for (const std::string_view name : {"<pre", "<script", "<style", "<textarea"})
    if (at == line.begin && ascii_small(text.substr(0, name.size())) == name &&
        text.find_first_of(" \t/>", name.size()) != name.size() && text.size() > name.size())
      text_[text_.size() - text.size() + 1] = 'x';
  put("\n", line.end);
  ++i;
}

// The line before an indented block of MkDocs: !!! note "Title", ??? note or === "Tab". One that
// has a title, or one word in small letters, needs no block behind it.
bool MarkdownCopy::read_admonition(std::size_t i, std::size_t at) {
  const std::string_view text = without_spaces_behind(rest(i, at)), mark = text.substr(0, 3);
  if (mark != "!!!" && mark != "???" && mark != "===") return false;
  const std::size_t quote = text.find('"');
  const std::string_view kind = text.substr(3, std::min(quote, text.size()) - 3);
  for (const char c : kind)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view(" -_+").find(c) == kNone)
      return false;
  if (is_blank(kind) != (mark == "===")) return false;
  std::size_t begin = at + text.size(), end = begin;
  if (quote == kNone) {
    const std::size_t word = kind.find_first_not_of(" +");
    if (!is_indented(i + 1) &&
        (word == kNone || !only(kind.substr(word), "abcdefghijklmnopqrstuvwxyz-_")))
      return false;
  } else {
    if (text.back() != '"' || text.size() < quote + 2 || text[quote - 1] != ' ') return false;
    begin = at + quote + 1;
    --end;
  }
  copy(lines_[i].begin, at);
  put("-   # ", begin);
  copy(begin, end);
  put("\n", lines_[i].end);
  return true;
}

// Whether the next line that is not empty, from `i` on, is indented as a block of code is.
bool MarkdownCopy::is_indented(std::size_t i) const {
  while (i < lines_.size() && lines_[i].text == lines_[i].end) ++i;
  if (i == lines_.size()) return false;
  const std::string_view line = rest(i, lines_[i].begin);
  return line.starts_with("    ") || line.starts_with('\t');
}

// The line that closes a fence of line `i`, or the last of the quotation that it is in; the number
// of lines if there is none.
std::size_t MarkdownCopy::fence_end(std::size_t i, std::string_view mark) const {
  const std::size_t first = i;
  for (++i; i < lines_.size(); ++i) {
    if (lines_[i].quotes < lines_[first].quotes) return i - 1;
    const std::string_view line = rest(i, lines_[i].text);
    if (line.starts_with(mark) && only(line, std::string(1, mark[0]) + " \t")) break;
  }
  return i;
}

// The names of columns at `at` of line `i`, the rule, and the rows below: each cell as a heading.
bool MarkdownCopy::read_table(std::size_t& i, std::size_t at) {
  if (i + 1 == lines_.size() || lines_[i + 1].quotes != lines_[i].quotes) return false;
  const std::string_view rule = rest(i + 1, lines_[i + 1].text);
  if (!is_table_rule(rule) || cells(rule).size() != cells(rest(i, at)).size()) return false;
  const std::size_t columns = cells(rule).size(), quotes = lines_[i].quotes;
  put_cells(i, at, columns);
  for (i += 2; i < lines_.size() && is_row(i, quotes); ++i) put_cells(i, lines_[i].text, columns);
  return true;
}

// Whether a line below a table belongs to it: it does not begin another block.
bool MarkdownCopy::is_row(std::size_t i, std::size_t quotes) const {
  const std::string_view line = rest(i, lines_[i].text);
  return lines_[i].quotes == quotes && !line.empty() && item_mark(line) == 0 &&
         fence(line).empty() && !is_heading(line) &&
         (!line.starts_with('<') || line.find('|') != kNone) && !is_directive(line) &&
         note_mark(line) == 0 && !only(line, "*-_ \t");
}

void MarkdownCopy::put_cells(std::size_t i, std::size_t at, std::size_t columns) {
  std::string before(document_.substr(lines_[i].begin, at - lines_[i].begin));
  for (const auto& [begin, end] : cells(rest(i, at))) {
    if (columns-- == 0) return;  // nobody shows more
    const std::string_view cell = without_spaces_behind(document_.substr(at + begin, end - begin));
    const std::size_t first = std::min(cell.find_first_not_of(" \t"), cell.size());
    if (first == cell.size()) continue;
    cells_.insert(at + begin + first);
    put(before + "# ", at + begin + first);
    // A # at its end is text.
    const std::size_t last = at + begin + cell.size() - (cell.ends_with('#') ? 1 : 0);
    copy(at + begin + first, last);
    if (cell.ends_with('#') && !cell.ends_with("\\#")) put("\\", last);
    copy(last, at + begin + cell.size());
    put("\n", at + begin + cell.size());
    // Behind the mark of an item the others are in it.
    for (char& c : before)
      if (c != '>' && c != '\t') c = ' ';
  }
}

}  // namespace tt::document
