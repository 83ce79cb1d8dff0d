// Compound splitting, the step before BLEU in the evaluation of "Attention Is All You Need" (table
// 2): a hyphen between two characters that are not white space becomes a separate token, marked to
// distinguish it from other hyphens.
//
// It raises BLEU for German by giving partial credit for compounds; such scores must not be
// compared with others.
#pragma once

#include <string>
#include <string_view>

namespace tt::metrics {

// "Prime-Time" -> "Prime ##AT##-##AT## Time". Matches do not overlap: in "a-b-c" only the first
// hyphen has a free neighbour on both sides, as in the substitution s/(\S)-(\S)/$1 ##AT##-##AT##
// $2/g that the published scores were made with.
std::string split_compounds(std::string_view text);

}  // namespace tt::metrics
