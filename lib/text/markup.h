// Markup in a line of text: tags as <b>, </b> and <br/>, comments and processing instructions, and
// character entities as &amp;.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

// Where tags stand, from left to right: < and the name of an element, which begins with a letter of
// any script, with what follows up to >; and what has no name, as <!-- x -->, <?php x ?> and
// <!DOCTYPE html>.
std::vector<TextRange> tags_in(std::string_view text);
// Where entities stand, from left to right: & and a name or # and a number, with the ; that ends
// it.
std::vector<TextRange> entities_in(std::string_view text);

// Whether an element of HTML, by its name in small letters, parts sentences, as <p> and <td>, and
// those that a page defines, as <my-menu>. Others that HTML does not know stand in a sentence, as
// browsers show them: so do the tags of XLIFF.
bool is_block(std::string_view name);

// Whether each tag that closes an element closes the one that was opened last, but for elements
// that are never closed, as <br>.
bool well_nested(const std::vector<std::string>& tags);

// How many elements of a text have nothing in them but white space.
std::size_t empty_elements(std::string_view text);

}  // namespace tt
