// The check of a translation: whether it has what was to be kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "decode/requirement.h"
#include "text/kept.h"

namespace tt {

// Whether a text needs a space between it and another word that it ends up against: `own`, its
// first or last character, and `neighbour`, the one beside it in the translation, where `before`
// was beside it in the source; 0 where there is none. It needs none where the source has none.
bool needs_space(char32_t before, char32_t own, char32_t neighbour);

// Whether a term stands in a text as a word or words of its own.
bool stands_in(std::string_view text, std::string_view term);

// Which verbatim stretches of a source a translation does not have, each at a place of its own, by
// their indices in `requirements`, in order. None of these places is inside a tag or an entity (&
// is not there because of &quot;), or needs a space that is not there. What find_kept() finds alone
// must be found by it: a number that stands against another, as 5 in 7-5, is not there. There a
// sign belongs to its number even behind text without spaces.
std::vector<std::size_t> missing_kept(const std::vector<Requirement>& requirements,
                                      std::string_view source, const std::string& translation,
                                      Keep keep);

}  // namespace tt
