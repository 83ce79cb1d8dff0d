// UTF-8: well-formedness according to The Unicode Standard, table 3-7, and repair.
#include "base/utf8.h"

#include "tests/catch.h"
#include "text/invisible.h"

namespace tt {
namespace {

constexpr std::size_t kGood = std::string_view::npos;

TEST_CASE("every scalar value is written and read back, and surrogates are not well-formed") {
  for (char32_t c = 0; c < 0x110000; ++c) {
    std::string text;
    append_utf8(text, c);
    const bool surrogate = c >= 0xD800 && c < 0xE000;
    const char *at = text.data(), *const end = at + text.size();
    bool damaged = false;
    const char32_t read = next_code_point(at, end, &damaged);
    if (surrogate != (first_invalid_utf8(text) != kGood) || surrogate != damaged ||
        (!surrogate && (read != c || at != end)))
      FAIL("U+" << std::hex << static_cast<unsigned>(c));
  }
}

TEST_CASE("the first invalid byte is found, also after eight valid ones") {
  CHECK(first_invalid_utf8("") == kGood);
  CHECK(first_invalid_utf8(std::string_view("a\0b", 3)) == kGood);
  CHECK(first_invalid_utf8("\x80") == 0);
  CHECK(first_invalid_utf8("12345678\xFF") == 8);
  CHECK(first_invalid_utf8("123456789\xC3") == 9);         // cut short
  CHECK(first_invalid_utf8("é\xC0\xAF") == 2);             // overlong
  CHECK(first_invalid_utf8("\xE0\x9F\xBF") == 0);          // overlong
  CHECK(first_invalid_utf8("\xF0\x8F\xBF\xBF") == 0);      // overlong
  CHECK(first_invalid_utf8("\xF4\x90\x80\x80") == 0);      // above U+10FFFF
  CHECK(first_invalid_utf8("\xF4\x8F\xBF\xBF") == kGood);  // U+10FFFF
  CHECK(first_invalid_utf8("\xF5\x80\x80\x80") == 0);
}

TEST_CASE("one replacement character per maximal subpart") {
  CHECK(repair_utf8("") == "");
  CHECK(repair_utf8("good ü, 日, \U0001F600") == "good ü, 日, \U0001F600");
  CHECK(repair_utf8("a\xFFz") == "a\uFFFDz");
  CHECK(repair_utf8("a\xE3\x81z") == "a\uFFFDz");              // two bytes of three
  CHECK(repair_utf8("12345678\xE6\x97") == "12345678\uFFFD");  // cut short
  CHECK(repair_utf8("\xF0\x9F\x98") == "\uFFFD");              // three of four
  CHECK(repair_utf8("\xC0\xAF") == "\uFFFD\uFFFD");            // no lead byte, no character
  CHECK(repair_utf8("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");  // a surrogate
  CHECK(repair_utf8("\xF4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");  // above U+10FFFF
  // The example of the standard, section 3.9, table 3-8.
  CHECK(repair_utf8("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64") ==
        "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
}

TEST_CASE("characters are counted and found from behind") {
  const std::string_view text = "a\u00E9\u3042\U0001F600";  // 1, 2, 3 and 4 bytes
  CHECK(count_characters("") == 0);
  CHECK(count_characters(text) == 4);
  CHECK(character_start(text, 10) == 6);
  CHECK(character_start(text, 6) == 3);
  CHECK(character_start(text, 3) == 1);
  CHECK(character_start(text, 1) == 0);
  CHECK(character_start("\x80\x80", 2) == 0);  // of text that is none, it stays inside
}

TEST_CASE("invisible characters are escaped, and all others are kept") {
  CHECK(escape_invisible("▁Straße 日本 !") == "▁Straße 日本 !");
  CHECK(escape_invisible("\t\n\r\\") == "\\t\\n\\r\\\\");
  CHECK(escape_invisible(std::string_view("\0\x7F", 2)) == "\\u{0000}\\u{007F}");
  CHECK(escape_invisible("\u00A0\u00AD\u200B\u2028\u3000\uFEFF\U000E0020") ==
        "\\u{00A0}\\u{00AD}\\u{200B}\\u{2028}\\u{3000}\\u{FEFF}\\u{E0020}");
  CHECK(escape_invisible("a\xE3\x81") == "a\\xE3\\x81");
}

TEST_CASE("what was escaped is found again") {
  for (const std::string_view text : {std::string_view("\t\n\r\\\0\x7F", 6),
                                      {"\u00A0\u200B\u3000\U000E0020\U0010FFFD"},
                                      {"a\xE3\x81"},
                                      {"\\\\x41\\u{200B}"}})
    CHECK(unescape_invisible(escape_invisible(text)) == text);
  for (const char* other :
       {"\\", "\\a", "\\x4", "\\xg0", "\\u{200B", "\\u{20}", "\\u{110000}", "\\u{}"})
    CHECK(unescape_invisible(other) == other);
}

}  // namespace
}  // namespace tt
