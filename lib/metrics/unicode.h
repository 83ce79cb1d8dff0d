// Unicode text for the metrics: UTF-8 in, with characters as code points.
//
// White space, lower case and general categories (base/unicode.h) follow Python's str and regex,
// with which published scores were computed: white space is what str.split() splits at (including
// U+00A0 and U+3000), lower case is the full mapping with the final sigma of Greek. The tables are
// ICU's. Nothing here fails on bytes that are not UTF-8: each invalid sequence is read as one
// U+FFFD.
#pragma once

#include <string>
#include <string_view>

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt::metrics {

// The length in bytes of the white space character that starts at `at`, 0 if there is none.
// Requires at < end.
inline int space_length(const char* at, const char* end) {
  const auto byte = static_cast<unsigned char>(*at);
  if (byte < 0x80) return is_space(byte) ? 1 : 0;
  if (byte != 0xC2 && (byte < 0xE1 || byte > 0xE3)) return 0;
  const char* next = at;
  return is_space(next_code_point(next, end)) ? static_cast<int>(next - at) : 0;
}

// The text without trailing white space, and without white space at both ends.
std::string_view strip_end(std::string_view text);
std::string_view strip(std::string_view text);

// The full lower-case mapping, independent of the locale.
std::string lower(std::string_view text);

}  // namespace tt::metrics
