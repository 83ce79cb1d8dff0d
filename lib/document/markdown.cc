// Markdown: headings, paragraphs, items and definitions of lists, and cells of tables are texts.
// Code, front matter, definitions of links, and directives stay as they are; blocks of HTML are
// read as HTML.
#include <algorithm>
#include <cctype>

#include "document/format.h"
#include "document/markdown_inline.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

struct Line {
  std::size_t begin = 0, end = 0;  // without its end
};

bool only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == kNone;
}
bool is_blank(std::string_view text) { return only(text, " \t\r\f\v"); }

// * * *, --- or ___
bool is_rule(std::string_view text) {
  for (const char* sign : {"*", "-", "_"})
    if (only(text, std::string(sign) + " \t\r") && std::ranges::count(text, *sign) >= 3)
      return true;
  return false;
}

// The size of a fence of code, ``` or ~~~; 0 if there is none.
std::size_t fence(std::string_view text) {
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return 0;
  const std::size_t size = std::min(text.find_first_not_of(text[0], 0), text.size());
  return size >= 3 && (text[0] == '~' || text.find('`', size) == kNone) ? size : 0;
}

// Whether a line defines the terms in those before it: : text
bool is_definition(std::string_view text) {
  return (text.starts_with(": ") || text.starts_with(":\t")) && !is_blank(text.substr(1));
}

// The size of the mark of a list's item: - * + 1. 1) or : with the white space behind it; 0 if
// there is none.
std::size_t item_mark(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && size < 9 && text[size] >= '0' && text[size] <= '9') ++size;
  if (size > 0) size += size < text.size() && (text[size] == '.' || text[size] == ')') ? 1 : -size;
  else
    size = is_definition(text) || (!text.empty() && std::string_view("-*+").find(text[0]) != kNone);
  if (size == 0 || (size < text.size() && text[size] != ' ' && text[size] != '\t')) return 0;
  const std::size_t content = std::min(text.find_first_not_of(" \t", size), text.size());
  if (content == text.size()) return size;
  return content - size > 4 ? size + 1 : content;
}

// The row under the names of a table's columns: | :--- | ---: |
bool is_table_rule(std::string_view text) {
  return only(text, " \t\r|:-") && text.find('-') != kNone && text.find('|') != kNone;
}

// Whether a block of HTML begins: a comment, or a tag of a block, or one that stands alone.
bool begins_html(std::string_view text) {
  if (!text.starts_with('<')) return false;
  if (text.starts_with("<!--") || text.starts_with("<?") || text.starts_with("<!")) return true;
  Tokens tokens(text, Syntax::html, 0, text.size());
  Token token;
  if (!tokens.next(token) || token.kind == Token::Kind::text) return false;
  static const std::vector<std::string> blocks{
      "address",    "article", "aside",  "blockquote", "body",   "center", "dd",
      "details",    "dialog",  "dir",    "div",        "dl",     "dt",     "fieldset",
      "figcaption", "figure",  "footer", "form",       "h1",     "h2",     "h3",
      "h4",         "h5",      "h6",     "head",       "header", "hr",     "html",
      "li",         "main",    "menu",   "nav",        "ol",     "p",      "pre",
      "script",     "section", "style",  "summary",    "table",  "tbody",  "td",
      "textarea",   "tfoot",   "th",     "thead",      "title",  "tr",     "ul"};
  if (std::ranges::count(blocks, token.name) > 0) return true;
  const auto in_name = [](unsigned char c) { return std::isalnum(c) || c == '-'; };
  return token.kind != Token::Kind::cut && is_blank(text.substr(token.end)) &&
         std::ranges::all_of(token.name, in_name);  // and not an address
}

// A heading's #s, of which the text is behind `marks`.
bool is_heading(std::string_view text, std::size_t& marks) {
  marks = std::min(text.find_first_not_of('#'), text.size());
  return marks > 0 && marks < 7 && marks < text.size() &&
         (text[marks] == ' ' || text[marks] == '\t');
}

// Where the name of [name]: address "title" ends; 0 if a line is none.
std::size_t definition(std::string_view line) {
  if (!line.starts_with('[') || line.starts_with("[^")) return 0;
  std::size_t end = 1;
  for (; end < line.size() && line[end] != ']' && line[end] != '['; ++end) end += line[end] == '\\';
  if (end == 1 || !line.substr(std::min(end, line.size())).starts_with("]:")) return 0;
  std::string_view rest = line.substr(end + 2);
  const auto skip_spaces = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  };
  skip_spaces();
  if (rest.empty()) return 0;
  rest.remove_prefix(std::min(rest.find_first_of(rest[0] == '<' ? ">" : " \t"), rest.size() - 1) +
                     1);
  skip_spaces();
  if (is_blank(rest)) return end;
  if (std::string_view("\"'(").find(rest[0]) == kNone) return 0;
  const std::size_t close = rest.find(rest[0] == '(' ? ')' : rest[0], 1);
  return close == kNone || is_blank(rest.substr(close + 1)) ? end : 0;
}

// The size of what names a footnote or an abbreviation: [^name]: text, *[name]: text; 0 if a line
// is none.
std::size_t note_mark(std::string_view text) {
  if (!text.starts_with("[^") && !text.starts_with("*[")) return 0;
  const std::size_t end = text.find(']');
  if (end == kNone || text[end - 1] == '\\' || !text.substr(end).starts_with("]:")) return 0;
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

// The line before an indented block of MkDocs: !!! note "Title", ??? note or === "Tab".
struct Opening {
  bool found = false;
  bool named = false;  // by one word in small letters, or a title: it needs no block behind it
  std::size_t begin = 0, end = 0;  // of the title, where there is one
};

Opening opening(std::string_view text) {
  const std::string_view mark = text.substr(0, 3);
  if (mark != "!!!" && mark != "???" && mark != "===") return {};
  const std::size_t quote = text.find('"'), last = text.find_last_not_of(" \t");
  const std::string_view kind = text.substr(3, std::min(quote, text.size()) - 3);
  for (const char c : kind)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view(" -_+").find(c) == kNone)
      return {};
  if (is_blank(kind) != (mark == "===")) return {};
  if (quote == kNone) {
    const std::size_t word = kind.find_first_not_of(" +");
    return {true, word != kNone &&
                      only(kind.substr(word, last + 1 - 3 - word), "abcdefghijklmnopqrstuvwxyz-_")};
  }
  if (text[last] != '"' || last == quote || text[quote - 1] != ' ') return {};
  return {true, true, quote + 1, last};
}

// Whether a line is nothing but a directive of kramdown, Liquid or Hugo, as {: .x}, {% x %} and
// {{< x >}}, or the place for a table of contents.
bool is_directive(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t") + 1);
  if (text == "[TOC]" || text == "[[_TOC_]]" || text == "[[toc]]") return true;
  for (const std::string_view open : {"{:", "{#", "{.", "{%", "{{<", "{{%"}) {
    const std::string_view close = open == "{%" ? "%}" : open.size() == 3 ? "}}" : "}";
    if (text.starts_with(open)) return text.find(close, open.size()) == text.size() - close.size();
  }
  return false;
}

class Document {
 public:
  // `links` has the names that the document defines, or gets them if that is what it is read for.
  Document(Editor& editor, LinkNames& links, bool for_links)
      : editor_(editor), text_(editor.document()), links_(links), for_links_(for_links) {
    std::size_t at = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    while (at < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      lines_.push_back({at, end > at && text_[end - 1] == '\r' ? end - 1 : end});
      at = end + 1;
    }
    if (!lines_.empty() && lines_[0].end < text_.size() && text_[lines_[0].end] == '\r')
      line_end_ = "\r\n";
  }

  void read() {
    std::size_t i = front_matter();
    while (i < lines_.size()) i = block(i);
    finish();
  }

 private:
  // A piece of a paragraph: what of a line is text, and what stands before it.
  struct Piece {
    std::size_t begin, end;
    std::size_t line;  // where its line begins
  };

  std::string_view in(const Line& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }
  std::string_view from(std::size_t at, std::size_t i) const {
    return text_.substr(at, lines_[i].end - at);
  }

  // A line, if there is one, without the white space and the marks of quotations before it.
  std::string_view unquoted(std::size_t i) const {
    const std::string_view line = i < lines_.size() ? in(lines_[i]) : std::string_view();
    return line.substr(std::min(line.find_first_not_of(" \t>"), line.size()));
  }

  // How many lines the definition of a link takes that begins with `rest` of line `i`; 0 if none
  // does. Its address may be on the next line.
  std::size_t define(std::size_t i, std::string_view rest) {
    std::string line(rest);
    std::size_t size = 1, end = definition(line);
    if (end == 0 && line.ends_with("]:")) {
      line += " " + std::string(unquoted(i + 1));
      size = 2, end = definition(line);
    }
    if (end == 0) return 0;
    links_.insert(link_name(std::string_view(line).substr(1, end - 1)));
    return size;
  }

  std::size_t front_matter() const {
    if (lines_.empty()) return 0;
    for (const std::string_view mark : {"---", "+++"}) {
      if (!in(lines_[0]).starts_with(mark) || !is_blank(in(lines_[0]).substr(3))) continue;
      for (std::size_t i = 1; i < lines_.size(); ++i) {
        const std::string_view line = in(lines_[i]);
        if ((line.starts_with(mark) || (mark == "---" && line.starts_with("..."))) &&
            is_blank(line.substr(3)))
          return i + 1;
      }
    }
    return 0;
  }

  // A place in a line, and its column.
  struct Cursor {
    std::size_t at, column = 0;
  };

  void skip_spaces(Cursor& to, std::size_t end) const {
    for (; to.at < end && (text_[to.at] == ' ' || text_[to.at] == '\t'); ++to.at)
      to.column += text_[to.at] == '\t' ? 4 - to.column % 4 : 1;
  }

  // Goes past the marks of quotes and items that line `i` begins with. Returns in how many
  // quotations it is.
  std::size_t take_marks(std::size_t i, Cursor& to) {
    const std::size_t end = lines_[i].end;
    std::size_t quotes = 0;
    bool item = false;
    for (std::size_t before = kNone; before != to.at;) {
      before = to.at;
      const std::string_view rest = from(to.at, i);
      if (rest.starts_with('>')) {
        if (++quotes > quotes_) finish();
        ++to.at, ++to.column;
        skip_spaces(to, end);
      } else if (const std::size_t mark = is_rule(rest) ? 0 : item_mark(rest);
                 mark > 0 && (paragraph_.empty() || item || can_interrupt(rest) ||
                              (!items_.empty() && to.column < items_.back()))) {
        if (!item) leave_items(to.column);
        finish(rest[0] == ':');
        item = true;
        to.at += mark;
        to.column += mark;
        items_.push_back(to.column);
        skip_spaces(to, end);
        const std::string_view task = from(to.at, i);
        if (task.starts_with("[ ] ") || task.starts_with("[x] ") || task.starts_with("[X] "))
          to.at += 4;
      }
    }
    return quotes;
  }

  // Ends the items whose contents begin behind a column.
  void leave_items(std::size_t column) {
    while (!items_.empty() && column < items_.back()) items_.pop_back();
  }

  // Reads line `i`, and those that belong to a block that begins there; returns the next.
  std::size_t block(std::size_t i) {
    const Line line = lines_[i];
    Cursor cursor{line.begin};
    skip_spaces(cursor, line.end);
    const auto& [at, column] = cursor;
    if (at == line.end) {
      finish(is_definition(unquoted(i + 1)));
      fresh_ = true;
      return i + 1;
    }
    if (paragraph_.empty()) {
      leave_items(column);
      if (column >= (items_.empty() ? 0 : items_.back()) + 4 && fresh_) return i + 1;  // code
    }
    const std::size_t quotes = take_marks(i, cursor);
    const bool quote = quotes > 0;
    fresh_ = true;
    const std::string_view rest = from(at, i);
    if (rest.empty()) {
      finish(is_definition(unquoted(i + 1)));
      return i + 1;
    }
    if (const std::size_t size = quote && paragraph_.empty() ? alert_mark(rest) : 0; size > 0) {
      ask({{at + size, line.end, line.begin}}, false);
      return i + 1;
    }
    if (const std::size_t size = fence(rest); size > 0)
      return behind_fence(i, rest.substr(0, size), quote);
    if (rest.starts_with("$$") && rest.find("$$", 2) == kNone && i >= no_formula_) {
      const std::size_t end = fence_end(i, "$$", quote);
      if (end < lines_.size() && (!quote || is_quoted(end))) {
        finish();
        return end + 1;
      }
      no_formula_ = end;  // nothing closes it, so it is text
    }
    if (!paragraph_.empty() && (only(rest, "= \t") || only(rest, "- \t"))) {
      finish();
      return i + 1;
    }
    if (is_rule(rest) || rest.starts_with(":::") || is_directive(rest)) {
      finish();
      return i + 1;
    }
    if (std::size_t marks = 0; is_heading(rest, marks)) {
      finish();
      heading(at + marks, i);
      return i + 1;
    }
    if (const Opening block = opening(rest); block.found && (block.named || is_indented(i + 1))) {
      finish();
      ask({{at + block.begin, at + block.end, line.begin}}, false);
      leave_items(column);
      items_.push_back(column + 4);
      return i + 1;
    }
    if (const std::size_t size = paragraph_.empty() ? define(i, rest) : 0; size > 0)
      return i + size;
    if (paragraph_.empty() && !quote && begins_html(rest)) return html(i);
    if (rest.find('|') != kNone && i + 1 < lines_.size() && is_quoted(i + 1) == quote &&
        is_table_rule(unquoted(i + 1)))
      return table(i, at, quote);
    if (is_line_of_cells(rest)) {
      finish();
      cells(at, line.end);
      return i + 1;
    }
    if (const std::size_t note = note_mark(rest); note > 0) {
      finish();
      cursor.at += note;
      leave_items(column);
      if (rest[0] == '[') items_.push_back(column + 4);
      if (at == line.end) return i + 1;
    }
    fresh_ = false;
    if (paragraph_.empty()) quotes_ = quotes;
    paragraph_.push_back({at, line.end, line.begin});
    if (rest.ends_with("  ") || rest.ends_with("\\")) {
      while (paragraph_.back().end > at &&
             (text_[paragraph_.back().end - 1] == ' ' || text_[paragraph_.back().end - 1] == '\\'))
        --paragraph_.back().end;
      finish();
    }
    return i + 1;
  }

  // Only what cannot be text begins a list within a paragraph.
  static bool can_interrupt(std::string_view text) {
    return !(text[0] >= '0' && text[0] <= '9') || text.starts_with("1.") || text.starts_with("1)");
  }

  // Whether a line is by itself: | a | b | of a table without a rule, or | a of a poem.
  bool is_line_of_cells(std::string_view text) const {
    return text.starts_with('|') && (text[text.find_last_not_of(" \t")] == '|' ||
                                     (text.starts_with("| ") && paragraph_.empty()));
  }

  // Whether the next line that is not empty, from `i` on, is indented as a block of code is.
  bool is_indented(std::size_t i) const {
    while (i < lines_.size() && is_blank(in(lines_[i]))) ++i;
    return i < lines_.size() && (in(lines_[i]).starts_with("    ") || in(lines_[i])[0] == '\t');
  }

  std::size_t behind_fence(std::size_t i, std::string_view mark, bool quote) {
    finish();
    const std::size_t end = fence_end(i, mark, quote);
    for (std::size_t line = i + 1; line < lines_.size() && end == lines_.size(); ++line)
      if (!is_blank(in(lines_[line]))) {
        unclosed(i, mark);
        break;
      }
    return quote && end < lines_.size() && !is_quoted(end) ? end : std::min(end + 1, lines_.size());
  }

  // The line of the fence that closes the one of line `i`, or that which ends the quotation that it
  // is in; the number of lines if there is none.
  std::size_t fence_end(std::size_t i, std::string_view mark, bool quote) const {
    for (++i; i < lines_.size(); ++i) {
      if (quote && !is_quoted(i)) break;
      const std::string_view line = unquoted(i);
      if (line.starts_with(mark) && only(line, std::string(1, mark[0]) + " \t")) break;
    }
    return i;
  }

  bool is_quoted(std::size_t i) const {
    const std::string_view line = in(lines_[i]);
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size())).starts_with('>');
  }

  void unclosed(std::size_t i, std::string_view mark) {
    if (for_links_) return;
    editor_.report_unread(lines_[i].begin, "nothing closes the " + std::string(mark) +
                                               " of this line; the text behind it stays as it is");
  }

  // A block of HTML, up to an empty line, or the end of a comment or of an element without text.
  std::size_t html(std::size_t i) {
    finish();
    const std::size_t first = i;
    std::string_view line = in(lines_[i]);
    line.remove_prefix(line.find('<'));
    std::string_view begun, until;
    for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"<!--", "-->"},
                                      {"<?", "?>"},
                                      {"<pre", "</pre>"},
                                      {"<script", "</script>"},
                                      {"<style", "</style>"},
                                      {"<textarea", "</textarea>"}})
      if (line.starts_with(open) && (open[1] < 'a' || line.size() == open.size() ||
                                     std::string_view(" \t/>").find(line[open.size()]) != kNone)) {
        until = close;
        begun = open;
      }
    for (; i < lines_.size(); ++i) {
      if (until.empty() ? is_blank(in(lines_[i])) : in(lines_[i]).find(until) != kNone) break;
    }
    if (!until.empty() && i == lines_.size()) unclosed(first, begun);
    i = std::min(i + !until.empty(), lines_.size());
    if (!for_links_)
      pass_html(editor_, lines_[first].begin, i < lines_.size() ? lines_[i].begin : text_.size());
    return i;
  }

  // The names of columns at `at` of line `i`, the rule, and the rows below.
  std::size_t table(std::size_t i, std::size_t at, bool quote) {
    finish();
    cells(at, lines_[i].end);
    for (i += 2; i < lines_.size() && is_quoted(i) == quote && is_row(unquoted(i)); ++i)
      cells(lines_[i].end - unquoted(i).size(), lines_[i].end);
    return i;
  }

  // Whether a line below a table belongs to it: it does not begin another block.
  static bool is_row(std::string_view line) {
    std::size_t marks = 0;
    return !is_blank(line) && item_mark(line) == 0 && fence(line) == 0 && !is_rule(line) &&
           !is_heading(line, marks) && !begins_html(line) && !is_directive(line) &&
           definition(line) == 0 && note_mark(line) == 0 && !line.starts_with(":::");
  }

  void cells(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin, cell = begin; at <= end; ++at) {
      if (at < end && text_[at] == '\\') {
        ++at;
        continue;
      }
      if (at < end && text_[at] != '|') continue;
      ask({{cell, at, begin}}, true);
      cell = at + 1;
    }
  }

  // Without the #s behind it, and what names it: {#name}
  void heading(std::size_t begin, std::size_t i) {
    std::string_view text = from(begin, i);
    const auto trim = [&] { text = text.substr(0, text.find_last_not_of(" \t") + 1); };
    trim();
    if (text.ends_with('}'))
      if (const std::size_t open = text.rfind('{');
          open != kNone && open > 0 && text[open - 1] == ' ')
        text = text.substr(0, open);
    trim();
    const std::size_t last = text.find_last_not_of('#');
    if (last != kNone && last + 1 < text.size() && (text[last] == ' ' || text[last] == '\t'))
      text = text.substr(0, last);
    ask({{begin, begin + text.size(), lines_[i].begin}}, false);
  }

  // Asks for the paragraph; of `terms` that a definition follows, each line is one.
  void finish(bool terms = false) {
    if (terms && !paragraph_.empty() && !behind_mark(paragraph_[0]))
      for (const Piece& term : paragraph_) ask({term}, false);
    else ask(paragraph_, false);
    paragraph_.clear();
  }
  bool behind_mark(const Piece& piece) const {
    return !only(text_.substr(piece.line, piece.begin - piece.line), " \t>");
  }

  // Asks for the text of the lines of a paragraph.
  void ask(std::vector<Piece> pieces, bool cell) {
    if (for_links_) return;
    std::string text;
    for (Piece& piece : pieces) {
      while (piece.begin < piece.end && (text_[piece.begin] == ' ' || text_[piece.begin] == '\t'))
        ++piece.begin;
      while (piece.begin < piece.end &&
             (text_[piece.end - 1] == ' ' || text_[piece.end - 1] == '\t'))
        --piece.end;
      text += (text.empty() ? "" : " ") +
              std::string(text_.substr(piece.begin, piece.end - piece.begin));
    }
    if (text.empty()) return;
    const MarkedText marked = inline_markdown(text, links_);
    if (!marked.has_letter()) return;
    bool first = true;
    const auto translated =
        marked.translation(editor_, pieces[0].begin, [&](std::string_view between) {
          const bool begins = first && !cell;
          first = false;
          return std::optional(escape_markdown(single_spaces(between), begins, cell));
        });
    if (translated)
      editor_.replace(pieces[0].begin, pieces.back().end, wrapped(*translated, pieces));
  }

  // A translation in lines as long as the longest of its paragraph, or of 72 bytes; one line stays
  // one.
  std::string wrapped(const std::string& text, const std::vector<Piece>& pieces) const {
    if (pieces.size() == 1) return text;
    std::size_t width = 72;
    for (const Piece& piece : pieces) width = std::max(width, piece.end - piece.begin);
    const std::string_view prefix = text_.substr(pieces[1].line, pieces[1].begin - pieces[1].line);
    std::string result;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at + 1), text.size());
      std::string_view word(text.data() + at, end - at);
      // A line must not begin as another block does.
      const bool breaks = word[0] == ' ' && word.size() > 1 && line + word.size() > width &&
                          escape_markdown(std::string(word.substr(1)) + " x", true, false) ==
                              escape_markdown(std::string(word.substr(1)) + " x", false, false) &&
                          std::string_view("*|`~<:!$").find(word[1]) == kNone;
      if (breaks) {
        result += line_end_;
        result += prefix;
        word.remove_prefix(1);
        line = 0;
      }
      result += word;
      line += word.size();
      at = end;
    }
    return result;
  }

  Editor& editor_;
  std::string_view text_;
  std::string line_end_ = "\n";
  std::vector<Line> lines_;
  LinkNames& links_;
  bool for_links_;
  std::vector<Piece> paragraph_;
  std::vector<std::size_t> items_;  // columns at which the contents of open items begin
  std::size_t no_formula_ = 0;      // before this line nothing closes $$
  bool fresh_ = true;               // no paragraph is before the line
  std::size_t quotes_ = 0;          // the quotations that the paragraph is in
};

}  // namespace

void pass_markdown(Editor& editor, const Settings&) {
  editor.check_line_ends();
  LinkNames links;
  for (const bool for_links : {true, false}) Document(editor, links, for_links).read();
}

}  // namespace tt::document
