#include "clean/spelled_number.h"

#include <unicode/rbnf.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <map>
#include <set>

namespace tt::clean {
namespace {

constexpr std::uint64_t kLargest = 1'000'000'000;  // larger ones nobody spells
constexpr std::size_t kRemembered = 1 << 12;       // numbers

// In small letters, with spaces for hyphens, and without hyphens that nobody sees.
icu::UnicodeString plain(icu::UnicodeString text) {
  text.foldCase().findAndReplace(u"\u00AD", u"");
  return text.findAndReplace(u"-", u" ");
}

bool is_ideographic_numeral(UChar32 c) {
  return icu::UnicodeString(u"〇零一二三四五六七八九十百千万億亿兆").indexOf(c) >= 0;
}

// Whether a text has words that do not go on: of letters none stand before them, and behind them
// only where a small number is not the beginning of a larger one, as in "seventeen".
bool has_words(const icu::UnicodeString& text, const icu::UnicodeString& words, bool large) {
  for (int at = -1; (at = text.indexOf(words, at + 1)) >= 0;) {
    const UChar32 before = at > 0 ? text.char32At(at - 1) : U' ';
    const int end = at + words.length();
    const UChar32 behind = end < text.length() ? text.char32At(end) : U' ';
    if (is_ideographic_numeral(words.char32At(0))
            ? !is_ideographic_numeral(before) && !is_ideographic_numeral(behind)
            : !u_isalpha(before) && (large || !u_isalpha(behind)))
      return true;
  }
  return false;
}

}  // namespace

struct SpelledNumbers::Rules {
  std::vector<std::string> languages;
  std::vector<icu::RuleBasedNumberFormat> formats;  // made when they are needed first
  std::map<std::uint64_t, std::set<icu::UnicodeString>> words;
};

SpelledNumbers::SpelledNumbers(const std::vector<std::string>& languages)
    : rules_(std::make_unique<Rules>()) {
  rules_->languages = languages;
  if (languages.empty())
    rules_->languages = {"en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "cs",
                         "ru", "uk", "el", "tr", "vi", "id", "ar", "ja", "zh", "ko"};
}
SpelledNumbers::~SpelledNumbers() = default;

bool SpelledNumbers::has(std::string_view text, std::uint64_t number) {
  if (number > kLargest) return false;
  Rules& rules = *rules_;
  if (rules.formats.empty())
    for (const std::string& language : rules.languages) {
      UErrorCode status = U_ZERO_ERROR;
      rules.formats.emplace_back(icu::URBNF_SPELLOUT, icu::Locale(language.c_str()), status);
      if (U_FAILURE(status)) rules.formats.pop_back();
    }
  if (rules.words.size() > kRemembered) rules.words.clear();
  const auto [found, is_new] = rules.words.try_emplace(number);
  std::set<icu::UnicodeString>& all = found->second;
  for (const icu::RuleBasedNumberFormat& format : rules.formats)
    for (int i = 0; is_new && i < format.getNumberOfRuleSetNames(); ++i) {
      UErrorCode status = U_ZERO_ERROR;
      icu::UnicodeString words;
      icu::FieldPosition field;
      format.format(static_cast<std::int64_t>(number), format.getRuleSetName(i), words, field,
                    status);
      if (U_FAILURE(status) || words.isEmpty() || u_isdigit(words.char32At(0))) continue;
      all.insert(plain(words));
      if (words.endsWith(u"y"))  // the fifties
        all.insert(plain(words.tempSubString(0, words.length() - 1)) + u"ies");
      // A hundred and five, for one hundred and five; ICU parts words by hyphens that nobody sees.
      const int first = std::max(words.indexOf(u' '), words.indexOf(u'\u00AD'));
      if ((number / 100 == 1 || number / 1000 == 1) && first > 0)
        all.insert(plain(words.tempSubString(first + 1)));
    }
  const icu::UnicodeString in = plain(icu::UnicodeString::fromUTF8(text));
  return std::ranges::any_of(
      all, [&](const icu::UnicodeString& words) { return has_words(in, words, number > 12); });
}

}  // namespace tt::clean
