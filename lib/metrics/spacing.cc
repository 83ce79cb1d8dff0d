#include "metrics/spacing.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <iterator>

#include "base/report.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

// Words that somebody has separated are shorter than this, on average; the phrases of Thai are
// longer.
constexpr std::size_t kLettersInWord = 8;

struct Script {
  UScriptCode code;
  const char *name, *tokenizer;
};
constexpr Script kScripts[] = {{USCRIPT_HAN, "Chinese", "zh"},
                               {USCRIPT_HIRAGANA, "Japanese", "ja-mecab"},
                               {USCRIPT_KATAKANA, "Japanese", "ja-mecab"},
                               {USCRIPT_THAI, "Thai", "flores200"},
                               {USCRIPT_LAO, "Lao", "flores200"},
                               {USCRIPT_KHMER, "Khmer", "flores200"},
                               {USCRIPT_MYANMAR, "Burmese", "flores200"},
                               {USCRIPT_TIBETAN, "Tibetan", "flores200"}};
constexpr std::size_t kHan = 0, kHiragana = 1, kKatakana = 2;

// The tokenizer of BLEU that suits what unspaced() names: "ja-mecab" for "Japanese", ...
std::string tokenizer_for_unspaced(const std::string& name) {
  const auto* script =
      std::ranges::find_if(kScripts, [&](const Script& each) { return each.name == name; });
  return script == std::end(kScripts) ? "13a" : script->tokenizer;
}

}  // namespace

Spacing::Spacing() : letters_(std::size(kScripts)) {}

void Spacing::add(std::string_view text) {
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char32_t c = next_code_point(at, end);
    if (is_space(c) || c == 0x200B) {  // Khmer may have a space of no width
      ++spaces_;
      continue;
    }
    if (c < 0x300) {  // Latin
      other_ += u_isalpha(static_cast<UChar32>(c)) != 0;
      continue;
    }
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode code = uscript_getScript(static_cast<UChar32>(c), &status);
    const auto* script = std::ranges::find(kScripts, code, &Script::code);
    if (script != std::end(kScripts)) ++letters_[static_cast<std::size_t>(script - kScripts)];
    else other_ += u_isalpha(static_cast<UChar32>(c)) != 0;
  }
}

std::string Spacing::unspaced() const {
  std::vector<std::size_t> letters = letters_;
  // Japanese is written in three scripts, of which Chinese has one.
  const std::size_t kana = letters[kHiragana] + letters[kKatakana];
  if (kana * 20 > letters[kHan])
    letters[kHiragana] += letters[kHan] + letters[kKatakana], letters[kHan] = 0;
  const auto most = std::max_element(letters.begin(), letters.end());
  if (*most <= other_ || *most <= kLettersInWord * spaces_) return "";
  return kScripts[most - letters.begin()].name;
}

void note_spacing(const std::string& texts, const Spacing& spacing,
                  const std::vector<const Metric*>& metrics) {
  const std::string written = spacing.unspaced();
  std::string names;
  for (const Metric* const metric : metrics)
    if (metric->needs_spaces()) names += (names.empty() ? "" : ", ") + metric->name();
  if (written.empty() || names.empty()) return;
  say(texts + " are " + written + ", which has no spaces between words, and " + names +
      (names.find(',') == names.npos ? " counts" : " count") +
      " words between spaces; the tokenizers " + tokenizer_for_unspaced(written) +
      " and char do without, and so does the metric chrf");
}

}  // namespace tt::metrics
