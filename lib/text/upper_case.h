// Training text in capitals: now and then a pair of sentences is read in capitals on both sides, so
// that the model learns what text that shouts means, of which a corpus has little.
//
// Invariant: which pairs these are is a function of the seed, the update and the number of the
// sentence, as for subword regularisation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/batch.h"
#include "text/subword.h"

namespace tt {

// Whether a piece of a subword model has a character of that kind. Special pieces, as <unk>, do not
// count, which have letters in their names.
bool has_character(const Subword& subword, bool (*is_it)(char32_t));

// Whether a subword model has capitals: to others they are unknown, or small letters.
bool has_capitals(const Subword& subword);

class UpperCase {
 public:
  // `share` of the pairs. Throws Error if it is not 0 and a subword model has letters, but no
  // capitals.
  UpperCase(const Subword& source, const Subword& target, double share, std::uint64_t seed,
            std::int64_t max_length);

  // Writes some pairs of a batch in capitals. A pair stays as it is that would get more than
  // max_length pieces on a side, or has unknown ones, before or then. The batch may grow.
  void apply(Batch& batch, std::int64_t update) const;
  // Letters whose capitals a subword model lacks, in words.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  const Subword source_, target_;
  double share_;
  std::uint64_t seed_;
  std::int64_t max_length_;
  std::vector<std::string> remarks_;
};

}  // namespace tt
