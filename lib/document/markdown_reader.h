// Markdown as md4c reads it: blocks, of which texts have their marks as tags.
#pragma once

#include <string_view>
#include <vector>

#include "document/marked_text.h"

namespace tt::document {

// A block that has contents, or the stretch of one between hard line breaks.
struct MarkdownPiece {
  // unclear: a text whose marks could not be told apart
  enum class Type { text, html, code, unclear } type = Type::text;
  std::size_t begin = std::string_view::npos, end = 0;
  MarkedText text = {};
  int quotations = 0;  // around HTML
  char fence = 0;      // around code, where it is not indented
};

std::vector<MarkdownPiece> read_markdown(std::string_view document);

}  // namespace tt::document
