#include "metrics/unicode.h"

#include <unicode/ucasemap.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "base/capitals.h"
#include "base/error.h"
#include "base/utf8.h"

namespace tt::metrics {

namespace {

// Whether 8 bytes are ASCII.
bool is_ascii(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return (word & 0x8080808080808080u) == 0;
}

bool all_ascii(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    if (!is_ascii(text.data() + i)) return false;
  }
  for (; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0x80) return false;
  }
  return true;
}

struct CloseCaseMap {
  void operator()(UCaseMap* map) const { ucasemap_close(map); }
};

const UCaseMap* case_map() {
  static const std::unique_ptr<UCaseMap, CloseCaseMap> map = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<UCaseMap, CloseCaseMap> made(ucasemap_open("", 0, &status));
    if (U_FAILURE(status)) throw Error("ICU: cannot set up lower-casing: ", u_errorName(status));
    return made;
  }();
  return map.get();
}

}  // namespace

std::string_view strip_end(std::string_view text) {
  if (!text.empty() && text.back() > ' ' && text.back() < 0x7F)
    return text;  // the usual case: an ASCII character
  while (!text.empty()) {
    // The last character begins at the last byte that does not continue another, at most three
    // bytes before the end.
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 && !begins_character(text[start])) --start;
    const int length = space_length(text.data() + start, text.data() + text.size());
    if (length == 0 || start + static_cast<std::size_t>(length) != text.size()) break;
    text.remove_suffix(static_cast<std::size_t>(length));
  }
  return text;
}

std::string_view strip(std::string_view text) {
  text = strip_end(text);
  while (!text.empty()) {
    const int length = space_length(text.data(), text.data() + text.size());
    if (length == 0) break;
    text.remove_prefix(static_cast<std::size_t>(length));
  }
  return text;
}

std::string lower(std::string_view text) {
  if (all_ascii(text)) return ascii_small(text);
  std::string result(text.size() + 16, '\0');
  for (;;) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t size =
        ucasemap_utf8ToLower(case_map(), result.data(), static_cast<std::int32_t>(result.size()),
                             text.data(), static_cast<std::int32_t>(text.size()), &status);
    if (status != U_BUFFER_OVERFLOW_ERROR && U_FAILURE(status))
      throw Error("ICU: cannot lower-case: ", u_errorName(status));
    const bool fits = size <= static_cast<std::int32_t>(result.size());
    result.resize(static_cast<std::size_t>(size));
    if (fits) return result;
  }
}

}  // namespace tt::metrics
