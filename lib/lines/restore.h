// Puts back into translations the parts that were taken out of a line.
#pragma once

#include <span>

#include "lines/line_sentences.h"
#include "lines/request.h"

namespace tt {

// Whether restore() needs alignments.
bool needs_alignment(const InputLine& line, const SplitLine& split);

// Puts the text of a line in place of what was read in small letters, so that both agree.
void read_as_split(InputLine& line, const SplitLine& split);

// Puts the case of letters and the markup of a line into its translations, of which those with
// alignments are written. Adds what had no place in the best one to the problems of the line.
void restore(InputLine& line, SplitLine& split, std::span<const SoftAlignment> alignments,
             Translated& result);

}  // namespace tt
