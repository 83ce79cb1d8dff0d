// Stretches of a source that its translation has as they are.
#pragma once

#include <string>
#include <vector>

#include "text/words.h"

namespace tt {

// Which stretches are kept.
struct Keep {
  bool marked = false;  // what stands between <keep> and </keep>, which are taken out of the source
  bool urls = false, emails = false, numbers = false;
  bool placeholders = false;  // placeholders.h
};

// Takes the marks out of a text, and returns where what is to be kept stands then, from left to
// right.
//
// A number is digits of any script, between which single . , : / - ± × and ^ may stand, or spaces
// or apostrophes before groups of three; with a sign before it, with what fractions and raised
// digits follow, and with an exponent, as in 1e-5. A word that has digits behind its letters, as
// B2, is kept as a whole; one that has letters behind its digits, as 10:30pm, without these.
//
// A URL that has white space around it is kept up to that. Where other text may follow at once, it
// ends before punctuation that is not ASCII, and before letters of scripts without spaces that
// follow its own. Inside of a URL there are no placeholders.
std::vector<TextRange> find_kept(std::string& text, const Keep& keep);

// Whether a character is a sign where it stands before a number: plus, minus, both, or a hyphen or
// dash in its place.
bool is_sign(char32_t c);

}  // namespace tt
