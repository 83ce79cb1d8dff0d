// Rules that ask nothing but a pair, each a function that says whether the pair is dropped; some
// have a threshold. A side means either one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "clean/pair.h"

namespace tt::clean {

// A side in which there is nothing to see.
bool empty(const Pair& pair, double);
// Control characters, which text does not have, but files that were damaged or no text do.
bool stray(const Pair& pair, double);
// A text that was left untranslated: both sides are the same but for case, punctuation and spaces,
// of at least so many words, since short ones may be names, which stay as they are.
bool identical(const Pair& pair, double words);
// A side of more words than one sentence has, or of so many characters that it can be no text of
// these words, as what programs encode in letters.
bool too_long(const Pair& pair, double words);
// A side that is too long to be the translation of the other.
bool length_ratio(const Pair& pair, double ratio);
// Placeholders that differ, as %s and {name}; see wrong_placeholders() in text/placeholders.h.
bool placeholders(const Pair& pair, double);

// Characters that are spelled by their numbers, as \u006e, \U0001F600 and \x6E, other ones on each
// side: what a program wrote so and none has read again.
bool escapes(const Pair& pair, double);
// URLs and e-mail addresses that differ.
bool addresses(const Pair& pair, double);
// Markup on one side alone: tags of other elements than the other side has, or character entities
// where it has characters.
bool markup_differs(const Pair& pair, double);

// Text whose UTF-8 was taken for an encoding of one byte a character, and written as UTF-8 again:
// of Windows-1252 "GrÃ¼ÃŸe" for "Grüße", of Windows-1251 "РџСЂРёРІРµС‚" for "Привет"; and U+FFFD,
// which stands where a program could not read a character.
bool mojibake(const Pair& pair, double);
// Whether a text seems to be of that kind.
bool is_mojibake(std::string_view text);

// Words that stand several times in a row, as models write them that do not find an end. A
// placeholder is another word each time: another value takes its place.
bool repetition(const Pair& pair, double times);
// Whether up to eight words in a row, as Side::words has them, stand so many times.
bool repeats(const std::vector<std::uint64_t>& words, std::size_t times);
bool repeats(const Side& side, double times);

// Words that are not written as words are; those that the other side has, too, are names.
// "D a s  a l t e": words of one letter in a row, at least so many.
bool letters_apart(const Pair& pair, double letters);
// "EinMannGeht": a word with so many capitals behind small letters, or of over 40 letters, where
// the other side has none; names of variables are translated so.
bool words_glued(const Pair& pair, double capitals);
// "Mоsсоw", of which three letters are Cyrillic: letters of Latin, Greek and Cyrillic in one word.
bool mixed_scripts(const Pair& pair, double);

}  // namespace tt::clean
