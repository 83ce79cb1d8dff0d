// Kinds of characters. The tables are ICU's; no other file asks a library about characters or has a
// table of its own, but for the definitions by which published scores were computed
// (metrics/unicode.h).
#pragma once

#include <string>
#include <vector>

namespace tt {

// White space in the sense of Python's str.isspace(): Unicode's, and the four separators U+001C to
// U+001F.
constexpr bool is_space(char32_t c) {
  if (c <= 0x20) return c >= 0x1C || (c >= 9 && c <= 13);
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

// General categories: L*, M*, N*, Nd, P*, S*, and Sc.
bool is_letter(char32_t c);
bool is_cased(char32_t c);  // of a script that has small and capital letters
bool is_mark(char32_t c);
bool is_number(char32_t c);   // also Roman numerals, fractions, and raised or circled digits
bool is_digit(char32_t c);    // decimal digits of any script
int digit_value(char32_t c);  // of those; -1: it is none
bool is_punctuation(char32_t c);
bool is_symbol(char32_t c);
bool is_currency(char32_t c);
// Whether a word may have it: all but white space, punctuation, symbols and invisible characters
// may be in words, and the underscore.
bool is_wordlike(char32_t c);
// Whether normalisation (NFC) may make one character of it and the one before: marks, in whatever
// order they stand, and the vowels and finals of Hangul. Some vowel signs of Indic scripts are not.
bool is_combining(char32_t c);
// Whether it goes on with the character before it: marks, small kana, and signs of length and
// repetition, as U+30FC and U+3005.
bool is_extender(char32_t c);
// Categories Ps and Pi, and the straight quotes: what may open a stretch of text.
bool is_opening(char32_t c);

// Whether a character is written without spaces around its words: Chinese characters, kana, and the
// punctuation and full-width letters between them.
bool is_unspaced(char32_t c);
bool is_hiragana(char32_t c);

// Default_Ignorable_Code_Point: a display shows nothing for it (soft hyphen, zero-width space and
// joiners, marks of direction, variation selectors, tags).
bool is_default_ignorable(char32_t c);
// Controls, noncharacters and characters of private use, which no text means to have.
bool is_stray(char32_t c);
// Full case folding, decomposed (NFD): texts of the same folded characters, with those that are
// is_combining() in any order, differ in case and normalisation alone. "ss" of U+00DF, "a" and
// U+0308 of U+00C4. (The Unicode Standard, section 3.13, canonical caseless matching.)
std::u32string fold_case(char32_t c);

// The locale of an ISO 639 code in ICU's words, with the script and the region that are likely if
// it names none: "zh_Hans_CN" of "zh", "zho" and "cmn". Of what is no code it has no script.
std::string likely_locale(const std::string& code);
// The name of a language in English by its ISO 639 code: "German" of "de"; a code that ICU does not
// know is its own.
std::string english_name(const std::string& code);
// The scripts in which a language is written, by its ISO 639 code: of "ja" kanji and both kana;
// "sr-Latn" names one of several. Empty if ICU knows none.
std::vector<int> scripts_of_language(const std::string& code);
// Whether a character has one of these scripts, or none of its own, as digits.
bool has_script(char32_t c, const std::vector<int>& scripts);
int script_of(char32_t c);
// "Latn", by ISO 15924, and back; -1: no script has that name.
std::string script_name(int script);
int script_of_name(const std::string& name);

// Leaves no ink or would disturb a table of text: controls, spaces other than U+0020, line and
// paragraph separators, format characters, private use characters, noncharacters, and what
// is_default_ignorable().
bool is_invisible(char32_t c);

// Whether text that reads `before`, `ignorable`, `after` looks otherwise without the character in
// the middle, which is_default_ignorable(): joiners in scripts whose letters join (Arabic) and
// beside signs of Indic scripts; joiners, selectors and tags of emoji; selectors of Mongolian
// letters and of ideographs; and U+200B between words without spaces, as Khmer. `before` is the
// last character that was visible or needed, `after` the next that is visible; 0 where there is
// none.
bool is_needed(char32_t before, char32_t ignorable, char32_t after);

}  // namespace tt
