// The accelerator of a menu or a button, as in &File, E_xit and ファイル(&F): the letter behind the
// sign is a key of the keyboard.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "decode/align.h"

namespace tt {

struct Accelerator {
  char sign;       // & or _
  char32_t key;    // the character behind it
  std::size_t at;  // where that stands in the text without the sign; the text's size: (&F) did
};

// Takes the sign out of a text that has one, or with both brackets what stands between them. A sign
// that is written twice is none, nor is that of an entity, or of AT&T, and & before a space.
// Nothing where there are none, or several.
std::optional<Accelerator> take_accelerator(std::string& text);
// Whether a text has several signs, of which none is taken, and not only inside of words, as names
// in programs have them.
bool has_several_accelerators(std::string_view text);

// A translation with the sign, before the letter of the key in the word that comes from its word,
// or in any other, at the beginning of a word if it can be; else before the first letter of that
// word; and where no letter has a case, as in Japanese, in brackets behind the text.
std::string with_accelerator(const std::string& translation, const Accelerator& accelerator,
                             std::string_view source, const SoftAlignment& alignment);

}  // namespace tt
