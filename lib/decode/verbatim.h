// Stretches of a source that stand in its translation byte for byte, whatever their pieces spell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decode/problem.h"
#include "decode/requirement.h"
#include "text/subword.h"

namespace tt {

// Bytes of a text that stand in place of those that its pieces spell.
struct Replacement {
  std::size_t begin, end, size;  // of what is spelt; the bytes that stand there
};

// A stretch that is verbatim, and the tokens of the translation that stand for it.
struct PlacedStretch {
  const Requirement* stretch;
  std::size_t begin, end;
};

// Puts stretches, which do not overlap, into the text of some tokens, apart from the words beside
// them where they were so in the source. Tags that would not be nested, and positional placeholders
// in another order, get the order that they have there. Appends what it replaces, from right to
// left. Returns which were reordered.
std::vector<Problem> put_verbatim(const Subword& target, std::span<const std::int32_t> tokens,
                                  const std::string& source, std::vector<PlacedStretch> stretches,
                                  std::string& text, std::vector<Replacement>& replaced);

}  // namespace tt
