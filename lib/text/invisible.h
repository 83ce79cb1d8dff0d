// Characters of a text that nobody sees: taken out of what a model reads, and made visible in what
// people read.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

// Bytes that were taken out of a text, and where in what is left.
struct Removed {
  std::size_t at, bytes;
};

// A text as models read it, in training as in translation: without characters that are
// is_default_ignorable(), but those that is_needed(), as joiners of Persian; and with a space for
// U+000B and U+001C to U+001F. Two texts that look alike are one. Returns `text` itself where it
// has none, and a copy in `store` otherwise, which must not hold `text`. Requires UTF-8.
std::string_view as_read(std::string_view text, std::string& store,
                         std::vector<Removed>* removed = nullptr);
// Makes ranges of as_read(), from left to right, those of the text that was given.
void place_as_given(std::span<TextRange> ranges, std::span<const Removed> removed);

// The text with invisible characters written as \u{200B}, invalid bytes as \xFF, tab, LF and CR as
// \t, \n and \r, and the backslash as \\, so that the original can be recovered. U+0020 is kept.
std::string escape_invisible(std::string_view text);
// The original. What is not written so stays as it is.
std::string unescape_invisible(std::string_view text);

}  // namespace tt
