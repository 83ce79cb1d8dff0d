#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>

#include <array>
#include <unordered_map>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/pair_rules.h"

namespace tt::clean {
namespace {

// Encodings of one byte for a character, as ICU calls them; of ISO-8859-1 only U+0080 to U+009F
// are not in Windows-1252, and these are their bytes in any of them.
constexpr const char* kEncodings[] = {
    "windows-1252", "windows-1250", "windows-1251",   "windows-1253", "windows-1254",
    "windows-1255", "windows-1256", "windows-1257",   "windows-1258", "ISO-8859-2",
    "ISO-8859-3",   "ISO-8859-4",   "ISO-8859-5",     "ISO-8859-7",   "ISO-8859-10",
    "ISO-8859-13",  "ISO-8859-14",  "ISO-8859-15",    "KOI8-R",       "KOI8-U",
    "macintosh",    "x-mac-greek",  "x-mac-cyrillic", "x-mac-ce",     "x-mac-turkish",
    "IBM437",       "IBM737",       "IBM775",         "IBM850",       "IBM852",
    "IBM855",       "IBM857",       "IBM866"};
constexpr std::size_t kCount = std::size(kEncodings);

// The byte of a character in each encoding, 0 where it has none, from 0x80 on.
using Bytes = std::array<unsigned char, kCount>;

const std::unordered_map<char32_t, Bytes>& all_bytes() {
  static const auto all = [] {
    std::unordered_map<char32_t, Bytes> made;
    for (char32_t c = 0x80; c < 0xA0; ++c) made[c].fill(static_cast<unsigned char>(c));
    for (std::size_t e = 0; e < kCount; ++e) {
      UErrorCode status = U_ZERO_ERROR;
      UConverter* const converter = ucnv_open(kEncodings[e], &status);
      ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
      for (int byte = 0x80; U_SUCCESS(status) && byte < 0x100; ++byte) {
        const char text = static_cast<char>(byte);
        char16_t c[2];
        UErrorCode one = U_ZERO_ERROR;
        ucnv_reset(converter);
        if (ucnv_toUChars(converter, c, 2, &text, 1, &one) == 1 && U_SUCCESS(one))
          made[c[0]][e] = static_cast<unsigned char>(byte);
      }
      ucnv_close(converter);
    }
    return made;
  }();
  return all;
}

// A letter or sign of some alphabet, or punctuation; of rare blocks none, since a capital before a
// quotation mark may look like one of their characters.
bool is_common(char32_t c) {
  return (c >= 0xA0 && c <= 0x17F) || (c >= 0x1A0 && c <= 0x1B0) || (c >= 0x218 && c <= 0x21B) ||
         (c >= 0x386 && c <= 0x3CE) || (c >= 0x401 && c <= 0x45F) || (c >= 0x490 && c <= 0x491) ||
         (c >= 0x5D0 && c <= 0x5EA) || (c >= 0x60C && c <= 0x6CC) || (c >= 0x900 && c <= 0xE7F) ||
         (c >= 0x1EA0 && c <= 0x1EF9) || (c >= 0x2007 && c <= 0x22FF) ||
         (c >= 0x2500 && c <= 0x27BF) || (c >= 0x3000 && c <= 0x30FF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xFF01 && c <= 0xFF5E) || (c >= 0x1F000 && c <= 0x1FAFF);
}

// How many common characters the bytes of others in an encoding are in UTF-8; 0: they are not.
int in_utf8(const std::vector<const Bytes*>& run, std::size_t encoding) {
  std::string bytes;
  for (const Bytes* b : run) bytes += static_cast<char>((*b)[encoding]);
  bool damaged = false;
  int count = 0;
  for (const char *at = bytes.data(), *end = at + bytes.size(); at < end; ++count)
    if (!is_common(next_code_point(at, end, &damaged)) || damaged) return 0;
  return count;
}

// Whether no word is written so: a capital behind a small letter, a symbol behind a letter, or one
// behind a part of a box.
bool is_odd(char32_t before, char32_t c) {
  constexpr std::u32string_view kSigns = U"§¶†‡‰„‚‹›¡¿";
  if (before >= 0x2500 && before < 0x2580) return is_letter(c);
  if (!is_letter(before)) return false;
  if (is_letter(c)) return is_cased(before) && !is_capital(before) && is_capital(c);
  return is_symbol(c) || is_stray(c) || is_number(c) || kSigns.find(c) != kSigns.npos;
}

// The stretches of a line that have no ASCII, by what they may have been.
class Evidence {
 public:
  // `before`: the ASCII before it. Whether it is of that kind by itself.
  bool add(char32_t before, const std::u32string& text) {
    ++stretches_;
    std::vector<const Bytes*> run;
    for (const char32_t c : text) {
      const auto found = all_bytes().find(c);
      if (found == all_bytes().end()) return false;
      run.push_back(&found->second);
    }
    // A unit, as of kilobytes in Cyrillic letters, may have a capital behind a small letter.
    bool odd = is_odd(before, text[0]);
    for (std::size_t i = 1; i < text.size(); ++i)
      odd = odd || (is_odd(text[i - 1], text[i]) &&
                    (text.size() > 2 || !is_letter(text[0]) || !is_letter(text[1])));
    for (std::size_t e = 0; run.size() > 1 && e < kCount; ++e) {
      const unsigned lead = (*run[0])[e], next = (*run[1])[e];
      if (lead < 0xC2 || lead > 0xF4 || next < 0x80 || next > 0xBF) continue;
      const int characters = in_utf8(run, e);
      if (characters == 0) continue;
      // The letters of Western Europe and quotation marks, but for capitals before the latter.
      const bool western =
          e == 0 && (lead == 0xC2 || lead == 0xE2 || (lead == 0xC3 && !is_capital(before)));
      if (odd || western) return true;
      ++stretches_of_[e];
      characters_of_[e] += characters;
    }
    return false;
  }

  bool enough() const {
    for (std::size_t e = 0; e < kCount; ++e)
      if (2 * stretches_of_[e] > stretches_ && characters_of_[e] > (e == 0 ? 1 : 3)) return true;
    return false;
  }

 private:
  int stretches_ = 0;
  std::array<int, kCount> stretches_of_{}, characters_of_{};
};

}  // namespace

bool is_mojibake(std::string_view text) {
  Evidence evidence;
  std::u32string stretch;
  char32_t before = 0;
  for (const char *at = text.data(), *const end = at + text.size();;) {
    const char32_t c = at < end ? next_code_point(at, end) : U' ';
    if (c == kReplacement) return true;
    if (c >= 0x80) {
      stretch += c;
      continue;
    }
    if (!stretch.empty() && evidence.add(before, stretch)) return true;
    stretch.clear();
    before = c;
    if (at == end && c == U' ') break;
  }
  return evidence.enough();
}

bool mojibake(const Pair& pair, double) {
  return (!pair.source.ascii && is_mojibake(pair.source.text)) ||
         (!pair.target.ascii && is_mojibake(pair.target.text));
}

}  // namespace tt::clean
