// The accelerator of a menu or a button in a line of text, as in &File, E_xit and ファイル(&F): the
// letter behind the sign is a key of the keyboard.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

struct Accelerator {
  char sign;       // & or _
  char32_t key;    // the character behind it
  std::size_t at;  // where that stands in the text without the sign; the text's size: (&F) did
};

// Takes the sign out of a text that has one of `signs`, or with both brackets what stands between
// them. A sign that is written twice is none, nor is one between capitals, as of AT&T, nor one
// in a stretch without keys, and & before a space. Nothing where there are none, or several.
std::optional<Accelerator> take_accelerator(std::string& text, std::string_view signs = "&_");
// Whether a text has several signs, of which none is taken, and not only inside of words, as names
// in programs have them.
bool has_several_accelerators(std::string_view text, std::string_view signs = "&_");

// Stretches of which no letter is a key, from left to right: URLs, e-mail addresses, placeholders,
// tags and entities, and those of `more`.
std::vector<TextRange> without_keys(std::string_view text, std::vector<TextRange> more = {});

// A text with the sign, before the letter of the key in the word that is `chosen`, of those of
// words_of(), or in any other, at the beginning of a word if it can be; else before the first
// letter of the chosen word, or of another; and where no letter has a case, as in Japanese, in
// brackets behind the text. Nothing chosen: any word may be. `others`: without_keys() of the text.
std::string mark_accelerator(std::string_view text, const Accelerator& accelerator,
                             std::optional<std::size_t> chosen,
                             const std::vector<TextRange>& others);

}  // namespace tt
