// Stretches of a source that stand in its translation byte for byte, whatever their pieces spell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/subword.h"

namespace tt {

// What stands in a text in place of the bytes that pieces spell.
struct Replacement {
  std::size_t begin, end, size;  // of what is spelt; the bytes that stand there
};

// A stretch, and the tokens of the translation that stand for it.
struct PlacedStretch {
  const std::string* text;
  std::size_t begin, end;
};

// Puts stretches, which do not overlap, into the text of some tokens. Appends what it replaces, from
// right to left.
void put_verbatim(const Subword& target, std::span<const std::int32_t> tokens, std::vector<PlacedStretch> stretches,
                  std::string& text, std::vector<Replacement>& replaced);

}  // namespace tt
