#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tt {
namespace {

// The length of the well-formed character at `at`; if it is not well-formed, minus the length of
// the maximal subpart (1 to 3).
int character_length(const char* at, const char* end) {
  const auto byte = [&](int i) { return i < end - at ? static_cast<unsigned char>(at[i]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return -1;
  const int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte's range depends on the lead: this excludes overlong forms, surrogates and code
  // points above U+10FFFF.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return -1;
  for (int i = 2; i < length; ++i)
    if (i >= end - at || begins_character(at[i])) return -i;
  return length;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    std::uint64_t eight;
    if (end - at >= static_cast<std::ptrdiff_t>(sizeof eight)) {  // most text is ASCII
      std::memcpy(&eight, at, sizeof eight);
      if ((eight & 0x8080808080808080u) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const int length = character_length(at, end);
    if (length < 0) return static_cast<std::size_t>(at - text.data());
    at += length;
  }
  return std::string_view::npos;
}

char32_t next_code_point(const char*& at, const char* end, bool* damaged) {
  const auto lead = static_cast<unsigned char>(*at);
  if (lead < 0x80) return ++at, lead;
  const int length = character_length(at, end);
  if (length < 0) {
    at -= length;
    if (damaged) *damaged = true;
    return kReplacement;
  }
  char32_t code_point = lead & (0x7Fu >> length);
  for (int i = 1; i < length; ++i)
    code_point = code_point << 6 | (static_cast<unsigned char>(at[i]) & 0x3Fu);
  at += length;
  return code_point;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

void append_utf8(std::string& to, char32_t c) {
  const auto put = [&](char32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)),
        put(0x80 | (c & 0x3F));
  }
}

std::string repair_utf8(std::string_view text) {
  std::string repaired;
  while (!text.empty()) {
    const std::size_t good = std::min(text.size(), first_invalid_utf8(text));
    repaired += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) break;
    const char* at = text.data();
    append_utf8(repaired, next_code_point(at, at + text.size()));
    text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  }
  return repaired;
}

}  // namespace tt
