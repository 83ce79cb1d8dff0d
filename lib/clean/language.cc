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

bool Language::is_other(std::string_view text, int language) {
  CLD2::Language found[3];
  int percent[3], bytes, valid;
  double scores[3];
  bool reliable = false;
  const CLD2::CLDHints hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING,
                             static_cast<CLD2::Language>(language)};
  CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), static_cast<int>(text.size()), true, &hints,
                                          0, found, percent, scores, nullptr, &bytes, &reliable,
                                          &valid);
  return reliable && found[0] != CLD2::UNKNOWN_LANGUAGE && found[0] != language;
}

#else

bool Language::is_available() { return false; }

int Language::of(const std::string&) {
  throw Error("this tt was built without libcld2, which tells languages apart; ",
              "install libcld2-dev and build it again");
}

bool Language::is_other(std::string_view, int) { return false; }

#endif

}  // namespace tt::clean
