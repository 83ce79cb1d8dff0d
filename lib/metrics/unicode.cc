#include "metrics/unicode.h"

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace tt {

namespace {

// The length a lead byte announces, 0 for a byte that cannot begin a sequence.
int announced(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

// Decodes one sequence; `length` becomes its bytes. False when damaged; `length` is then the bytes that one U+FFFD stands for:
// the longest beginning of a sequence that could have been valid.
bool decode(const char* at, const char* end, char32_t& c, int& length) {
  const auto byte = [&](int i) { return static_cast<unsigned char>(at[i]); };
  const int want = announced(byte(0));
  length = 1;
  if (want == 1) return c = byte(0), true;
  if (want == 0) return false;
  c = byte(0) & (0xFFu >> (want + 1));
  for (int i = 1; i < want; ++i) {
    if (at + i >= end) return false;
    const unsigned char b = byte(i);
    unsigned char low = 0x80, high = 0xBF;
    if (i == 1) {  // no overlong forms, no surrogates, nothing above U+10FFFF
      if (byte(0) == 0xE0) low = 0xA0;
      if (byte(0) == 0xED) high = 0x9F;
      if (byte(0) == 0xF0) low = 0x90;
      if (byte(0) == 0xF4) high = 0x8F;
    }
    if (b < low || b > high) return false;
    c = (c << 6) | (b & 0x3F);
    length = i + 1;
  }
  return true;
}

// Of 8 bytes.
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

bool has_category(char32_t c, std::uint32_t mask) { return (U_MASK(u_charType(static_cast<UChar32>(c))) & mask) != 0; }

}  // namespace

char32_t next_code_point(const char*& at, const char* end) {
  char32_t c = 0;
  int length = 0;
  if (!decode(at, end, c, length)) c = kReplacement;
  at += length;
  return c;
}

bool repair_utf8(std::string& text) {
  const char *at = text.data(), *const end = at + text.size();
  char32_t c;
  int length;
  while (at < end) {
    if (end - at >= 8 && is_ascii(at)) {
      at += 8;
    } else if (decode(at, end, c, length)) {
      at += length;
    } else {
      break;
    }
  }
  if (at == end) return false;
  std::string repaired(text, 0, static_cast<std::size_t>(at - text.data()));
  while (at < end) {
    if (decode(at, end, c, length)) {
      repaired.append(at, static_cast<std::size_t>(length));
    } else {
      append_utf8(repaired, kReplacement);
    }
    at += length;
  }
  text = std::move(repaired);
  return true;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char *at = text.data(), *end = at + text.size(); at < end; ++count) next_code_point(at, end);
  return count;
}

std::string_view strip_end(std::string_view text) {
  if (!text.empty() && text.back() > ' ') return text;  // as nearly always: an ASCII character
  while (!text.empty()) {
    // The last character begins at the last byte that does not continue another, at most three bytes before the end.
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
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
  if (all_ascii(text)) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
    return result;
  }
  std::string result(text.size() + 16, '\0');
  for (;;) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t size = ucasemap_utf8ToLower(case_map(), result.data(), static_cast<std::int32_t>(result.size()),
                                                   text.data(), static_cast<std::int32_t>(text.size()), &status);
    if (status != U_BUFFER_OVERFLOW_ERROR && U_FAILURE(status)) throw Error("ICU: cannot lower-case: ", u_errorName(status));
    const bool fits = size <= static_cast<std::int32_t>(result.size());
    result.resize(static_cast<std::size_t>(size));
    if (fits) return result;
  }
}

bool is_number(char32_t c) { return has_category(c, U_GC_N_MASK); }
bool is_punctuation(char32_t c) { return has_category(c, U_GC_P_MASK); }
bool is_symbol(char32_t c) { return has_category(c, U_GC_S_MASK); }

}  // namespace tt
