// The tags of a line of HTML or XML, with their attributes, as a browser reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

enum class MarkupKind { none, html, xml };

// A tag, or what has no name: a comment, a declaration, a processing instruction.
struct MarkupToken {
  enum Kind { open, close, alone } kind;
  TextRange range;
  std::string name;        // in HTML in small letters; empty: it has none
  bool untouched = false;  // its attributes, or its name, say that its text is not translated
};

// From left to right. The text of <script> and <style> of HTML has no tags; without an
// end it belongs to its tag. A < that begins no tag,
// as in "a < b", or one that does not end, is text.
std::vector<MarkupToken> markup_tokens(std::string_view line, MarkupKind kind);

// Whether the end tag of an element of HTML may be left out, as that of <p>.
bool may_stay_open(std::string_view name);

}  // namespace tt
