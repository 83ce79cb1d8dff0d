// Elements of HTML by their names in small letters, and what a reader of text does with each.
#pragma once

#include <string_view>

namespace tt::markup {

// Whether a list of names, with a space around each, has one.
bool has_name(std::string_view list, std::string_view name);
// Has no contents and no end tag, as <br>.
bool is_void(std::string_view name);
// Parts sentences, as <p> and <td>, and so do those that a page defines, as <my-menu>. Others that
// HTML does not know stand in a sentence, as browsers show them: so do the tags of XLIFF.
bool is_block(std::string_view name);
// Its contents up to its end tag are text in which < begins no tag, as in <script> and <title>.
bool is_raw(std::string_view name);
// Its contents are not translated: they are for machines, drawn, or laid out by hand, as in <pre>.
bool is_untranslated(std::string_view name);
// Code that is a word in a sentence, as <code>; it is not translated either.
bool is_code(std::string_view name);
// Its end tag may be left out, as that of <p>.
bool may_stay_open(std::string_view name);

}  // namespace tt::markup
