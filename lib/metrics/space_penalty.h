// MeCab-ko's one change to MeCab's search: words of some parts of speech cost more after white space, since Korean particles
// follow their noun without a space. The costs are in the dictionary's dicrc:
//     left-space-penalty-factor = POSID,COST,POSID,COST,...
//
// MeCab does not read them, but exposes its lattice. A penalty depends only on the word and not on the preceding one, so the
// words of the lattice are the same; only the best path must be searched again.
#pragma once

#ifdef TT_MECAB

#include <mecab.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tt::metrics {

using SpacePenalty = std::pair<unsigned short, long>;  // part of speech, cost

// The penalties of a dictionary. Throws Error if its dicrc cannot be read or has none.
std::vector<SpacePenalty> read_space_penalties(const std::string& folder);

// Searches a parsed lattice again. Its best path then follows `prev` from the end, and `next` from the beginning. Ties are broken
// as in MeCab.
void apply_space_penalties(const MeCab::Model& model, std::span<const SpacePenalty> penalties, MeCab::Lattice& lattice);

}  // namespace tt::metrics

#endif
