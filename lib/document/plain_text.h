// Texts of formats that know no tags, as PO, whose messages may have tags all the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/editor.h"

namespace tt::document {

// Editor::translation(), but for one whose tags are not those of the text, which is refused.
std::optional<std::string> plain_translation(Editor& editor, std::size_t at, std::string_view text,
                                             bool same = false);

// Which of the tags or other marks of a text a translation lacks, or has too many of: "lacks <b>";
// empty if there is none.
std::string wrong_marks(const std::vector<std::string>& text,
                        const std::vector<std::string>& translated);

// The error in the tags of a translation: "lacks <b>"; empty if there is none. Their attributes may
// differ, as links and titles are translated. Words in angle brackets, as <file> in the usage of a
// command, are no tags: these are closed, close another, have attributes, or are some of HTML that
// are seldom words, as <br>.
std::string wrong_tags(std::string_view text, std::string_view translated);

}  // namespace tt::document
