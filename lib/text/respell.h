// Sentences of a batch in other pieces, with their links.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "text/batch.h"
#include "text/subword.h"

namespace tt {

// The pieces of a sentence's text, and those around it: what chooses languages, and </s>.
struct SpeltSentence {
  std::vector<std::int32_t> before, pieces, behind;

  // Whether so many pieces of text are within the length that a sentence may have.
  bool has_room(std::size_t of_text, std::int64_t most) const {
    return static_cast<std::int64_t>(before.size() + of_text + behind.size()) <= most;
  }
};

// Changes the pieces of a pair of sentences, of which the corpus has the number.
using Spell =
    std::function<void(std::int64_t number, SpeltSentence& source, SpeltSentence& target)>;

// Spells every pair of the batch anew. Links lead to the pieces of the words that they led to
// before; a pair with links whose words would be more or fewer stays as it is. The batch may grow.
void respell(Batch& batch, const Subword& source, const Subword& target, const Spell& spell);

// Whether the text of a sentence can be known by its pieces.
bool has_no_unknown(const Subword& subword, const std::vector<std::int32_t>& pieces);

}  // namespace tt
