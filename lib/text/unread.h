// Characters of a line that a model does not read as they are.
#pragma once

#include <string_view>
#include <vector>

#include "text/subword.h"

namespace tt {

struct Unread {
  std::vector<TextRange> unknown;  // they become <unk>; words, where the subword model has_words()
  std::vector<TextRange>
      dropped;  // by normalisation, as controls and U+FFFD; no white space that becomes a space
};

// The places of such characters in a line, from left to right.
Unread unread(const Subword& subword, std::string_view line);
// The second kind alone, which is faster to find.
std::vector<TextRange> dropped(const Subword& subword, std::string_view line);

}  // namespace tt
