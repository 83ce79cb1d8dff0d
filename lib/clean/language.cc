#include "clean/language.h"

#ifdef TT_CLD2
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#endif

#include "base/error.h"
#include "base/unicode.h"

namespace tt::clean {

Language::Language(const std::string& source, const std::string& target)
    : source_(of(source)), target_(of(target)) {}

#ifdef TT_CLD2

bool Language::is_available() { return true; }

int Language::of(const std::string& language) {
  const std::string locale = likely_locale(language);  // "zh_Hant_TW" of "zh-TW"
  const std::string code =
      locale.starts_with("zh_Hant") ? "zh-Hant" : locale.substr(0, locale.find('_'));
  CLD2::Language found = CLD2::GetLanguageFromName(code.c_str());
  if (found == CLD2::UNKNOWN_LANGUAGE) found = CLD2::GetLanguageFromName(language.c_str());
  if (found == CLD2::UNKNOWN_LANGUAGE)
    throw Error("libcld2 knows no language ", in_quotes(language),
                "; give its ISO 639 code, as de, or leave out the rule on languages");
  return found;
}

namespace {

struct Found {
  CLD2::Language language[3];
  int percent[3];
  bool reliable = false;

  Found(std::string_view text, CLD2::Language hint, int flags) {
    int bytes, valid;
    double scores[3];
    const CLD2::CLDHints hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, hint};
    CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), static_cast<int>(text.size()), true,
                                            &hints, flags, language, percent, scores, nullptr,
                                            &bytes, &reliable, &valid);
  }
};

}  // namespace

bool Language::is_other(std::string_view text, int language) {
  const Found found(text, static_cast<CLD2::Language>(language), 0);
  return found.reliable && found.language[0] != CLD2::UNKNOWN_LANGUAGE &&
         found.language[0] != language;
}

std::vector<GuessedLanguage> guess_languages(std::string_view text) {
  const Found found(text, CLD2::UNKNOWN_LANGUAGE, CLD2::kCLDFlagBestEffort);
  std::vector<GuessedLanguage> guesses;
  for (int i = 0; i < 3; ++i)
    if (found.language[i] != CLD2::UNKNOWN_LANGUAGE && found.percent[i] > 0)
      guesses.push_back({CLD2::LanguageCode(found.language[i]), found.percent[i]});
  return guesses;
}

#else

bool Language::is_available() { return false; }

constexpr const char* kMissing =
    "this tt was built without libcld2, which tells languages apart; install libcld2-dev and build "
    "it again";

int Language::of(const std::string&) { throw Error(kMissing); }

std::vector<GuessedLanguage> guess_languages(std::string_view) { throw Error(kMissing); }

bool Language::is_other(std::string_view, int) { return false; }

#endif

}  // namespace tt::clean
