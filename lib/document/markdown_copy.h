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

struct MarkdownCopy {
  // Front matter is left out. A directive is a rule (***), as is a formula. The mark of a note, an
  // abbreviation or the definition of a term is that of an item, and so is the line before the
  // indented block of an admonition, whose title is a heading in it. The title of a quotation, and
  // each cell of a table, is a heading.
  explicit MarkdownCopy(std::string_view document);

  std::string text;
  std::set<std::size_t> definitions;  // of terms: where ": text" begins in the document

  // Where a byte of the copy stands in the document; one that was put in: what is behind it.
  std::size_t source(std::size_t at) const;
  std::size_t source_end(std::size_t end) const { return end > 0 ? source(end - 1) + 1 : 0; }

  std::vector<std::pair<std::size_t, std::size_t>> places;  // of the copy, and of the document
};

}  // namespace tt::document
