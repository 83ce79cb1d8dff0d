// A side that is written in another language, as libcld2 of Debian finds it, where that is
// installed when tt is built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clean/rule.h"

namespace tt::clean {

struct GuessedLanguage {
  std::string code;  // of ISO 639, with a script where there are several: "zh-Hant"
  int percent = 0;   // of the text that is in it
};
// The languages of a text, the one of most of it first; at most three, and none where that cannot
// be told, as of text without a letter. Throws Error if tt was built without libcld2.
std::vector<GuessedLanguage> guess_languages(std::string_view text);

class Language : public Rule {
 public:
  // The languages by their ISO 639 codes. Throws Error if libcld2 does not know one, or if tt was
  // built without it.
  Language(const std::string& source, const std::string& target);

  // Only if it is sure of another language: of a few words it seldom is.
  bool drops(const Pair& pair) override {
    return is_other(pair.source.text, source_) || is_other(pair.target.text, target_);
  }

  static bool is_available();

 private:
  static int of(const std::string& language);
  static bool is_other(std::string_view text, int language);

  const int source_, target_;  // libcld2's numbers
};

}  // namespace tt::clean
