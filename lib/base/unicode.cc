#include "base/unicode.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/error.h"

namespace tt {
namespace {

constexpr char32_t kSpace = 0x200B, kNonJoiner = 0x200C, kJoiner = 0x200D;
constexpr char32_t kTextStyle = 0xFE0E, kEmojiStyle = 0xFE0F, kKeycap = 0x20E3;

UChar32 code(char32_t c) { return static_cast<UChar32>(c); }
bool has_category(char32_t c, std::uint32_t mask) {
  return (U_MASK(u_charType(code(c))) & mask) != 0;
}
bool has(char32_t c, UProperty property) { return u_hasBinaryProperty(code(c), property) != 0; }
int value(char32_t c, UProperty property) { return u_getIntPropertyValue(code(c), property); }

// A letter, sign or digit of a script whose letters join.
bool is_cursive(char32_t c) {
  if (!has_category(c, U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK)) return false;
  if (uscript_hasScript(code(c), USCRIPT_ARABIC)) return true;
  const int type = value(c, UCHAR_JOINING_TYPE);
  return type != U_JT_NON_JOINING && type != U_JT_TRANSPARENT;
}

bool is_indic(char32_t c) {
  return has_category(c, U_GC_L_MASK | U_GC_M_MASK) &&
         value(c, UCHAR_INDIC_SYLLABIC_CATEGORY) != U_INSC_OTHER;
}

// A character that flags of regions consist of, behind a black flag.
bool is_tag(char32_t c) { return c >= 0xE0020 && c <= 0xE007F; }

UScriptCode script(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(code(c), &status);
}

bool is_complex(char32_t c) { return value(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT; }

// Characters of which Unicode's StandardizedVariants.txt has some with U+FE00 to U+FE0D behind
// them: ideographs and their punctuation, signs of mathematics, and letters of four scripts.
bool has_variants(char32_t c) {
  constexpr UScriptCode kScripts[] = {USCRIPT_MYANMAR, USCRIPT_PHAGS_PA, USCRIPT_MANICHAEAN,
                                      USCRIPT_EGYPTIAN_HIEROGLYPHS};
  return has(c, UCHAR_IDEOGRAPHIC) || (is_unspaced(c) && has_category(c, U_GC_P_MASK)) ||
         has_category(c, U_GC_SM_MASK) ||
         std::find(std::begin(kScripts), std::end(kScripts), script(c)) != std::end(kScripts);
}

}  // namespace

bool is_letter(char32_t c) { return has_category(c, U_GC_L_MASK); }
bool is_cased(char32_t c) { return has(c, UCHAR_CASED); }
bool is_mark(char32_t c) { return has_category(c, U_GC_M_MASK); }
bool is_number(char32_t c) { return has_category(c, U_GC_N_MASK); }
bool is_digit(char32_t c) { return u_isdigit(code(c)) != 0; }
int digit_value(char32_t c) { return u_charDigitValue(code(c)); }
bool is_punctuation(char32_t c) { return has_category(c, U_GC_P_MASK); }
bool is_symbol(char32_t c) { return has_category(c, U_GC_S_MASK); }
bool is_currency(char32_t c) { return has_category(c, U_GC_SC_MASK); }

bool is_wordlike(char32_t c) {
  return has_category(c, U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK) ? !is_default_ignorable(c)
                                                                  : c == U'_' || c == 0xFFFD;
}

bool is_combining(char32_t c) {
  const int syllable = value(c, UCHAR_HANGUL_SYLLABLE_TYPE);
  return u_getCombiningClass(code(c)) != 0 || syllable == U_HST_VOWEL_JAMO ||
         syllable == U_HST_TRAILING_JAMO;
}
bool is_extender(char32_t c) {
  return has(c, UCHAR_EXTENDER) || has(c, UCHAR_GRAPHEME_EXTEND) ||
         value(c, UCHAR_LINE_BREAK) == U_LB_CONDITIONAL_JAPANESE_STARTER;
}

bool is_opening(char32_t c) {
  return has_category(c, U_GC_PS_MASK | U_GC_PI_MASK) || c == U'"' || c == U'\'' || c == 0x201E ||
         c == 0x201A;
}

bool is_unspaced(char32_t c) {
  if (c < 0x2E80 || is_space(c) || has(c, UCHAR_EMOJI_PRESENTATION)) return false;
  const int width = value(c, UCHAR_EAST_ASIAN_WIDTH);
  if (width != U_EA_WIDE && width != U_EA_FULLWIDTH && width != U_EA_HALFWIDTH) return false;
  return script(c) != USCRIPT_HANGUL;
}
bool is_hiragana(char32_t c) { return script(c) == USCRIPT_HIRAGANA; }

bool is_stray(char32_t c) {
  return has_category(c, U_GC_CC_MASK | U_GC_CO_MASK) || has(c, UCHAR_NONCHARACTER_CODE_POINT);
}

std::u32string fold_case(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const nfd = icu::Normalizer2::getNFDInstance(status);
  TT_CHECK(U_SUCCESS(status));
  icu::UnicodeString text = nfd->normalize(icu::UnicodeString(code(c)), status).foldCase();
  text = nfd->normalize(text, status);
  TT_CHECK(U_SUCCESS(status));
  std::u32string folded;
  for (int i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    folded += static_cast<char32_t>(text.char32At(i));
  return folded;
}

std::string likely_locale(const std::string& code) {
  icu::Locale locale = icu::Locale::createCanonical(code.c_str());
  UErrorCode status = U_ZERO_ERROR;
  if (*locale.getLanguage() == '\0') return {};
  locale.addLikelySubtags(status);
  return U_SUCCESS(status) ? locale.getName() : "";
}

std::string english_name(const std::string& code) {
  icu::UnicodeString name;
  std::string utf8;
  icu::Locale(code.c_str()).getDisplayName(icu::Locale::getEnglish(), name);
  return name.toUTF8String(utf8);
}

std::vector<int> scripts_of_language(const std::string& code) {
  const std::string locale = likely_locale(code);
  // Of a code alone ICU would look for a script of that name: Yi is one, and Yiddish is "yi".
  if (locale.find('_') == locale.npos) return {};
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode scripts[8];
  const int found = uscript_getCode(locale.c_str(), scripts, 8, &status);
  if (U_FAILURE(status) || found < 1) return {};
  return {scripts, scripts + found};
}

bool has_script(char32_t c, const std::vector<int>& scripts) {
  const UScriptCode own = script(c);
  if (own == USCRIPT_COMMON || own == USCRIPT_INHERITED) return true;
  return std::find(scripts.begin(), scripts.end(), own) != scripts.end();
}

int script_of(char32_t c) { return script(c); }

std::string script_name(int script) { return uscript_getShortName(UScriptCode(script)); }

int script_of_name(const std::string& name) {
  return u_getPropertyValueEnum(UCHAR_SCRIPT, name.c_str());
}

bool is_default_ignorable(char32_t c) {
  return c >= 0xAD && has(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

bool is_invisible(char32_t c) {
  constexpr char32_t kBlankBraille = 0x2800;
  if (c == U' ') return false;
  return has_category(c, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_Z_MASK | U_GC_CO_MASK) ||
         has(c, UCHAR_NONCHARACTER_CODE_POINT) || is_default_ignorable(c) || c == kBlankBraille;
}

bool is_needed(char32_t before, char32_t ignorable, char32_t after) {
  if (is_tag(ignorable)) return is_tag(before) || has(before, UCHAR_EXTENDED_PICTOGRAPHIC);
  if (ignorable == kJoiner &&
      (before == kEmojiStyle || is_tag(before) || has(before, UCHAR_EXTENDED_PICTOGRAPHIC) ||
       has(before, UCHAR_EMOJI_MODIFIER)))
    return has(after, UCHAR_EXTENDED_PICTOGRAPHIC);
  if (is_default_ignorable(before)) return false;
  if (ignorable == kEmojiStyle || ignorable == kTextStyle) {
    if (before < 0x80)
      return ignorable == kEmojiStyle && after == kKeycap && has(before, UCHAR_EMOJI);
    return has(before, UCHAR_EMOJI) &&
           has(before, UCHAR_EMOJI_PRESENTATION) == (ignorable == kTextStyle);
  }
  if (ignorable >= 0xFE00 && ignorable <= 0xFE0D) return has_variants(before);
  if (ignorable >= 0xE0100 && ignorable <= 0xE01EF) return has(before, UCHAR_IDEOGRAPHIC);
  if (ignorable == kJoiner || ignorable == kNonJoiner) {
    const bool one =
        ignorable == kJoiner;  // shows the form of a letter that joins, even if nothing follows
    if (one ? is_cursive(before) || is_cursive(after) : is_cursive(before) && is_cursive(after))
      return true;
    return is_indic(before) && (one || is_indic(after)) && (is_mark(before) || is_mark(after));
  }
  if (ignorable == kSpace) return is_complex(before) && is_complex(after);
  return ignorable >= 0x180B && ignorable <= 0x180F && script(before) == USCRIPT_MONGOLIAN;
}

}  // namespace tt
