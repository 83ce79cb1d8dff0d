// The contents of a paragraph of Markdown (CommonMark, with GitHub's strikethrough): emphasis and
// links enclose text; code, images, addresses, HTML and templates are no text.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "document/marked_text.h"

namespace tt::document {

// Names of links that are defined elsewhere in a document: [name]: address. In small letters, with
// single spaces.
using LinkNames = std::set<std::string, std::less<>>;
std::string link_name(std::string_view label);

// The text of a paragraph whose lines were joined by spaces.
MarkedText inline_markdown(std::string_view text, const LinkNames& links);

// Text in which no character means anything. `begins`: it stands at the beginning of a line.
// `cell`: it is in a table.
std::string escape_markdown(std::string_view text, bool begins, bool cell);

}  // namespace tt::document
