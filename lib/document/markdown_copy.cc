#include "document/markdown_copy.h"

#include <algorithm>
#include <optional>

#include "base/capitals.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kSmall = "-_abcdefghijklmnopqrstuvwxyz",
                           kNames =
                               " +-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

bool only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == kNone;
}

// The size of the beginning of a text that has a form, in which ~ is any name; 0 if it has not.
std::size_t matched(std::string_view text, std::string_view form) {
  const std::size_t name = form.find('~'), at = std::min(name, form.size());
  if (!text.starts_with(form.substr(0, at))) return 0;
  if (name == kNone || name + 1 == form.size()) return name == kNone ? at : text.size();
  const std::size_t end = text.find(form.substr(name + 1), at);
  return end == kNone || end == at ? 0 : end + form.size() - name - 1;
}

// Lines that are nothing but a directive of Pandoc, MkDocs, kramdown, Liquid or Hugo.
constexpr std::string_view kDirectives[] = {":::~",    "--8<--~", ";--8<--~",  "{:~}",
                                            "{#~}",    "{.~}",    "{%~%}",     "{{<~>}}",
                                            "{{%~%}}", "[TOC]",   "[[_TOC_]]", "[[toc]]"};

bool is_directive(std::string_view text) {
  return std::ranges::any_of(kDirectives, [&](std::string_view form) {
    return !text.empty() && matched(text, form) == text.size();
  });
}

// The size of a mark at the beginning of a line, that of [^note]: or *[abbreviation]:, with the
// spaces behind it; 0 if there is none.
std::size_t note_mark(std::string_view text) {
  const std::size_t end = std::max(matched(text, "[^~]:"), matched(text, "*[~]:"));
  if (end == 0 || text.find(']') + 2 != end || text[end - 3] == '\\') return 0;
  return std::min(text.find_first_not_of(" \t", end), text.size());
}

// The size of the kind of a quotation: [!NOTE], or [!note]- of one that is folded.
std::size_t alert_mark(std::string_view text) {
  std::size_t end = matched(text, "[!~]");
  if (end == 0 || text.find_first_of("[() `", 1) < end) return 0;
  end += end < text.size() && (text[end] == '+' || text[end] == '-');
  return end == text.size() || text[end] == ' ' || text[end] == '\t' ? end : 0;
}

// The mark of an item with the white space behind it.
std::size_t item_mark(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == text.size() || digits > 9) return 0;
  if (std::string_view(digits > 0 ? ".)" : "-*+").find(text[digits]) == kNone) return 0;
  const std::size_t end = std::min(text.find_first_not_of(" \t", digits + 1), text.size());
  return end > digits + 1 ? end : 0;
}

// The mark that begins code or a formula: ```, ~~~ or $$.
std::string_view fence(std::string_view text) {
  if (text.empty() || std::string_view("`~$").find(text[0]) == kNone) return {};
  const std::size_t size = std::min(text.find_first_not_of(text[0]), text.size());
  const bool alone =
      text[0] == '~' || text.find(text.substr(0, text[0] == '$' ? 2 : 1), size) == kNone;
  return text.substr(0, alone && (text[0] == '$' ? size == 2 : size > 2) ? size : 0);
}

bool is_heading(std::string_view text) {
  const std::size_t marks = std::min(text.find_first_not_of('#'), text.size());
  return marks > 0 && marks < 7 &&
         (marks == text.size() || text[marks] == ' ' || text[marks] == '\t');
}

// The cells of a row, as ranges of it.
std::vector<std::pair<std::size_t, std::size_t>> cells_of(std::string_view row) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  std::size_t begin = row.starts_with('|') ? 1 : 0;
  for (std::size_t at = begin; at <= row.size(); ++at) {
    if (at < row.size() && row[at] == '\\') ++at;
    else if (at < row.size() ? row[at] == '|' : begin < at)
      found.emplace_back(begin, at), begin = at + 1;
  }
  return found;
}

// The title of the line before an indented block of MkDocs: !!! note "Title", ??? note or ===
// "Tab";
// one without has an empty one. Nothing if a line is none, or needs a block and has none behind it.
template <class HasBlock>
std::optional<std::string_view> admonition(std::string_view text, const HasBlock& has_block) {
  const std::string_view mark = text.substr(0, 3);
  if (mark != "!!!" && mark != "???" && mark != "===") return {};
  const std::size_t quote = std::min(text.find('"'), text.size());
  const std::string_view kind = text.substr(3, quote - 3);
  const std::size_t word = std::min(kind.find_first_not_of(" +"), kind.size());
  if (!only(kind, kNames) || (word == kind.size()) != (mark == "===")) return {};
  if (quote == text.size()) {
    const bool named = word < kind.size() && only(kind.substr(word), kSmall);
    return named || has_block() ? std::optional(text.substr(quote)) : std::nullopt;
  }
  if (!kind.ends_with(' ') || text.back() != '"' || text.size() < quote + 2) return {};
  return text.substr(quote + 1, text.size() - quote - 2);
}

class Copier {
 public:
  Copier(std::string_view document, MarkdownCopy& to) : document_(document), to_(to) {
    for (std::size_t at = document.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < document.size();) {
      const std::size_t feed = std::min(document.find('\n', at), document.size());
      Line line{at, at, 0, feed > at && document[feed - 1] == '\r' ? feed - 1 : feed};
      const auto skip = [&](std::size_t& to) {
        for (; to < line.end && std::string_view(" \t>").find(document[to]) != kNone; ++to)
          line.quotes += document[to] == '>';
      };
      skip(line.text);
      line.item = line.text;
      while (const std::size_t mark = item_mark(rest(line, line.item))) skip(line.item += mark);
      lines_.push_back(line);
      at = feed + 1;
    }
    for (std::size_t i = front_matter(); i < lines_.size();) i = read(i);
    put("", document.size());
  }

 private:
  // A line: its text is behind white space and marks of quotations, that of an item behind its
  // mark.
  struct Line {
    std::size_t begin, text, item, end, quotes = 0;
  };

  // From a place of a line on, without the spaces at its end.
  std::string_view rest(const Line& line, std::size_t at) const {
    const std::string_view text = document_.substr(at, line.end - at);
    return text.substr(0, text.find_last_not_of(" \t") + 1);
  }

  void put(std::string_view bytes, std::size_t source) {
    place(source);
    to_.text += bytes;
    place(source);
  }
  void place(std::size_t source) {
    const std::pair place(to_.text.size(), source);
    if (to_.places.empty() || to_.places.back() != place) to_.places.push_back(place);
  }

  // Copies bytes of the document, in which a carriage return that ends no line is a letter.
  void copy(std::size_t begin, std::size_t end) {
    place(begin);
    for (std::size_t at = begin; at < end; ++at)
      to_.text += document_[at] == '\r' ? 'x' : document_[at];
  }

  // Copies a line up to `end`, puts bytes instead of what is up to `at`, and copies up to `last`.
  void replace(const Line& line, std::size_t end, std::string_view with, std::size_t at,
               std::size_t last = kNone) {
    copy(line.begin, end);
    put(with, at);
    copy(at, std::min(last, line.end));
    put("\n", line.end);
  }

  std::size_t front_matter() const {
    const auto is = [&](std::size_t i, std::string_view mark) {
      return i < lines_.size() && rest(lines_[i], lines_[i].begin) == mark;
    };
    for (const std::string_view mark : {"---", "+++"})
      for (std::size_t i = 1; is(0, mark) && i < lines_.size(); ++i)
        if (is(i, mark) || (mark == "---" && is(i, "..."))) return i + 1;
    return 0;
  }

  // Reads line `i`, and those that belong to what begins there; returns the next.
  std::size_t read(std::size_t i) {
    const Line line = lines_[i];
    const std::string_view text = rest(line, line.item), unmarked = rest(line, line.text);
    if (const std::string_view mark = fence(text);
        !mark.empty() && (mark != "$$" || i >= no_formula_)) {
      std::size_t end = i + 1;
      for (; end < lines_.size() && lines_[end].quotes >= line.quotes; ++end)
        if (const std::string_view last = rest(lines_[end], lines_[end].text);
            last.starts_with(mark) && only(last, mark.substr(0, 1)))
          break;
      const bool closed = end < lines_.size() && lines_[end].quotes >= line.quotes;
      if (mark != "$$") {
        for (; i < end + closed; ++i) replace(lines_[i], lines_[i].end, "", lines_[i].end);
        return i;
      }
      if (closed) {
        replace(line, line.item, "***", line.end);
        return end + 1;
      }
      no_formula_ = end;  // nothing closes it, so it is text
    }
    if (i + 1 < lines_.size() && lines_[i + 1].quotes == line.quotes)
      if (const std::string_view rule = rest(lines_[i + 1], lines_[i + 1].text);
          only(rule, " \t|:-") && rule.find('-') != kNone && rule.find('|') != kNone &&
          cells_of(rule).size() == cells_of(text).size())
        return read_table(i, cells_of(rule).size());
    const bool begins_quotation =
        line.quotes > 0 &&
        (i == 0 || lines_[i - 1].quotes < line.quotes || lines_[i - 1].text == lines_[i - 1].end);
    if (const auto title = admonition(text, [&] { return is_indented(i + 1); })) {
      const auto begin = static_cast<std::size_t>(title->data() - document_.data());
      replace(line, line.item, "-   # ", begin, begin + title->size());
    } else if (is_directive(text)) {
      replace(line, line.item, "***", line.end);
    } else if (unmarked.starts_with(": ") || unmarked.starts_with(":\t")) {
      to_.definitions.insert(line.text);
      replace(line, line.text, "-", line.text + 1);
    } else if (const std::size_t note = note_mark(text); note > 0) {
      replace(line, line.item, note < text.size() ? "-   " : "-   <!---->", line.item + note);
    } else if (const std::size_t alert = begins_quotation ? alert_mark(text) : 0; alert > 0) {
      replace(line, line.item, "#", line.item + alert);
    } else {
      // Without what names a heading: {#name}
      const std::size_t name = is_heading(text) && text.ends_with('}') ? text.rfind(" {") : kNone;
      replace(line, name == kNone ? line.end : line.item + name, "", line.end);
      // Of headings the parser knows <h1> alone, and takes <preview> for <pre>.
      const std::string tag = ascii_small(text.substr(0, text.find_first_of(" \t/>", 2)));
      char* const copied = to_.text.data() + to_.text.size() - 1 - (line.end - line.item);
      if (tag.starts_with("<h") || tag.starts_with("</h"))
        if (tag.back() >= '2' && tag.back() <= '6') copied[tag.size() - 1] = '1';
      for (const std::string_view raw : {"<pre", "<script", "<style", "<textarea"})
        if (tag.starts_with(raw) && tag != raw) copied[1] = 'x';
    }
    return i + 1;
  }

  // Whether the next line that is not empty, from `i` on, is indented as a block of code is.
  bool is_indented(std::size_t i) const {
    while (i < lines_.size() && lines_[i].text == lines_[i].end) ++i;
    if (i == lines_.size()) return false;
    const std::string_view line = document_.substr(lines_[i].begin);
    return line.starts_with("    ") || line.starts_with('\t');
  }

  // The names of columns, the rule, and the rows below.
  std::size_t read_table(std::size_t i, std::size_t columns) {
    const std::size_t quotes = lines_[i].quotes;
    put_cells(lines_[i], lines_[i].item, columns);
    for (i += 2; i < lines_.size() && lines_[i].quotes == quotes; ++i) {
      const std::string_view row = rest(lines_[i], lines_[i].text);
      // Another block ends it.
      if (row.empty() || item_mark(row) > 0 || !fence(row).empty() || is_heading(row) ||
          (row.starts_with('<') && row.find('|') == kNone) || is_directive(row) ||
          note_mark(row) > 0 || only(row, "*-_ \t"))
        break;
      put_cells(lines_[i], lines_[i].text, columns);
    }
    return i;
  }

  // Nobody shows more cells than there are columns.
  void put_cells(const Line& line, std::size_t at, std::size_t columns) {
    std::string before(document_.substr(line.begin, at - line.begin));
    for (const auto& [begin, end] : cells_of(rest(line, at))) {
      const std::string_view cell = rest({0, 0, 0, at + end}, at + begin);
      const std::size_t first = at + begin + std::min(cell.find_first_not_of(" \t"), cell.size());
      if (columns-- == 0) return;
      if (first == at + begin + cell.size()) continue;
      put(before + "# ", first);
      // A # at its end is text.
      const std::size_t last = at + begin + cell.size() - (cell.ends_with('#') ? 1 : 0);
      copy(first, last);
      if (cell.ends_with('#') && !cell.ends_with("\\#")) put("\\", last);
      copy(last, at + begin + cell.size());
      put("\n", at + begin + cell.size());
      // Behind the mark of an item the others are in it.
      for (char& c : before)
        if (c != '>' && c != '\t') c = ' ';
    }
  }

  std::string_view document_;
  MarkdownCopy& to_;
  std::vector<Line> lines_;
  std::size_t no_formula_ = 0;  // before this line nothing closes $$
};

}  // namespace

MarkdownCopy::MarkdownCopy(std::string_view document) { Copier(document, *this); }

std::size_t MarkdownCopy::source(std::size_t at) const {
  using Mapping = std::pair<std::size_t, std::size_t>;
  const auto next = std::ranges::upper_bound(places, at, {}, &Mapping::first);
  if (next == places.begin() || next == places.end()) return places.back().second;
  const auto& [copy, source] = *std::prev(next);
  return std::min(source + (at - copy), next->second);
}

}  // namespace tt::document
