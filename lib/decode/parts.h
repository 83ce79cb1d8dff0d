// Lines in pieces: each as one part or, where it is too long for a model, as several.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/subword.h"

namespace tt {

// Pieces of a part, without </s>, for each of several subword models.
using PartPieces = std::vector<std::vector<std::int32_t>>;

struct CutLine {
  std::vector<PartPieces> parts;  // none of a line without text
  bool cut = false;               // it is longer than a part may be
};

// A line of more than `longest` pieces, for one of the models, is cut into parts of at most that
// many, and 128: at the ends of sentences where it can be.
CutLine cut_line(const std::string& line, std::span<const Subword* const> subwords,
                 std::int64_t longest);

}  // namespace tt
