// A document of a dialect of Markdown as one of CommonMark: what only dialects have is written in
// CommonMark's words in a copy, whose places are known in the document.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt::document {

// Front matter and byte order mark are left out. A directive is a rule (***), as is a formula; the
// mark of a definition of a term, of a note or an abbreviation is that of an item, and so is the
// line before the indented block of an admonition, whose title is a heading in it. The title of a
// quotation, and each cell of a table, is a heading.
class MarkdownCopy {
 public:
  explicit MarkdownCopy(std::string_view document);

  const std::string& text() const { return text_; }
  // Where a byte of the copy stands in the document; one that was put in: what is behind it.
  std::size_t source(std::size_t at) const;
  std::size_t source_end(std::size_t end) const { return end > 0 ? source(end - 1) + 1 : 0; }
  // Whether the text that begins at a byte of the document is a cell of a table.
  bool is_cell(std::size_t begin) const { return cells_.contains(begin); }
  // Whether a definition of terms begins at a byte of the document: ": text".
  bool is_definition(std::size_t begin) const { return definitions_.contains(begin); }

  // Makes letters of [begin, end) of the copy, which mean nothing.
  void hide(std::size_t begin, std::size_t end);

 private:
  // A line of the document: its text is behind white space and the marks of quotations, and that
  // of an item behind its mark, too.
  struct Line {
    std::size_t begin = 0, text = 0, item = 0, end = 0, quotes = 0;
  };

  std::size_t front_matter() const;
  void read_line(std::size_t& i);
  bool read_admonition(std::size_t i, std::size_t at);
  bool read_table(std::size_t& i, std::size_t at);
  void put_cells(std::size_t i, std::size_t at, std::size_t columns);
  bool is_row(std::size_t i, std::size_t quotes) const;
  std::size_t fence_end(std::size_t i, std::string_view mark) const;
  bool is_indented(std::size_t i) const;
  std::string_view rest(std::size_t i, std::size_t at) const {
    return document_.substr(at, lines_[i].end - at);
  }

  // Copies [begin, end) of the document, or puts bytes in its place.
  void copy(std::size_t begin, std::size_t end);
  void put(std::string_view bytes, std::size_t source);

  std::string_view document_;
  std::vector<Line> lines_;
  std::string text_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // of the copy, and of the document
  std::set<std::size_t> cells_, definitions_;
  std::size_t no_formula_ = 0;  // before this line nothing closes $$
};

}  // namespace tt::document
