// MeCab-ko's one change to MeCab's search: a word of some parts of speech costs more where white space stands before it, as
// Korean particles follow their noun without a space. The costs stand in a dictionary's dicrc:
//     left-space-penalty-factor = POSID,COST,POSID,COST,...
//
// MeCab does not read them, but gives away its lattice. A penalty depends on a word alone and not on what is before it, so the
// words of the lattice are the same; only the best path through them must be searched again.
#pragma once

#ifdef TT_MECAB

#include <mecab.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tt::metrics {

using SpacePenalty = std::pair<unsigned short, long>;  // part of speech, cost

// Those of a dictionary. Throws Error if its dicrc cannot be read or has none.
std::vector<SpacePenalty> read_space_penalties(const std::string& folder);

// Searches a parsed lattice again. Its best path is then what `prev` leads along from the end, and what `next` leads along from
// the beginning. Ties are broken as MeCab breaks them.
void apply_space_penalties(const MeCab::Model& model, std::span<const SpacePenalty> penalties, MeCab::Lattice& lattice);

}  // namespace tt::metrics

#endif
