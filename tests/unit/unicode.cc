// Kinds of characters, and those that nobody sees.
#include "base/unicode.h"

#include <string>

#include "base/utf8.h"
#include "tests/catch.h"
#include "text/invisible.h"

namespace tt {
namespace {

std::string read(std::string_view text) {
  std::string store;
  return std::string(as_read(text, store));
}

}  // namespace

TEST_CASE("words go on between letters and digits, and not over punctuation of any script") {
  CHECK(word_goes_on("ab", 1));
  CHECK(word_goes_on("a1", 1));
  CHECK(word_goes_on("\u00e9\u00e9", 2));
  CHECK(word_goes_on("a\u00adb", 1));
  CHECK(word_goes_on("a\u2060b", 4));
  for (const char* apart : {"a b", "a,b", "a\u201cb", "a\u00abb", "a\u2014b", "a\u2581b",
                            "a\u00a0b", "a\u732b", "a\U0001F600"}) {
    INFO(apart);
    CHECK(!word_goes_on(apart, 1));
  }
}

TEST_CASE("Chinese characters, kana and what stands between them are written without spaces") {
  for (const char32_t c :
       U"\u732b\u3042\u30a2\u30fc\u3001\u3002\uff01\uff21\uff11\uff71\U00020000\u3105\u300d")
    CHECK((c == 0 || is_unspaced(c)));
  for (const char32_t c : U"aä1 \u3000\uac00\U0001F600\u2026\u00d7\u0e01") CHECK(!is_unspaced(c));
}

TEST_CASE("case folding is full, and of decomposed characters") {
  CHECK(fold_case(U'A') == U"a");
  CHECK(fold_case(0xDF) == U"ss");
  CHECK(fold_case(0x1E9E) == U"ss");
  CHECK(fold_case(0xC4) == U"a\u0308");
  CHECK(fold_case(0x3C2) == U"\u03c3");
  CHECK(fold_case(0xD55C) == U"\u1112\u1161\u11ab");
  CHECK(fold_case(0x10400) == U"\U00010428");
  CHECK(fold_case(0x212B) == U"a\u030a");
  CHECK(fold_case(U'1') == U"1");
}

TEST_CASE("languages have scripts, by any code that ICU knows") {
  const auto same = [](const char* code, char32_t letter, char32_t other) {
    const std::vector<int> scripts = scripts_of_language(code);
    return has_script(letter, scripts) && !has_script(other, scripts);
  };
  for (const char* code : {"en", "eng", "eng_Latn", "sh", "hbs", "sr-Latn", "lvs", "zsm", "ger"})
    CHECK(same(code, U'a', 0x430));
  for (const char* code : {"ru", "sr", "khk", "mkd"}) CHECK(same(code, 0x430, U'a'));
  for (const char* code : {"zh", "zho", "cmn", "yue", "zh-TW", "cmn_Hant", "ja"})
    CHECK(same(code, 0x732B, U'a'));
  for (const char* code : {"ar", "arb", "pnb", "pes", "prs", "acm-Arab"})
    CHECK(same(code, 0x628, U'a'));
  for (const char* code : {"he", "iw", "yi", "ydd"}) CHECK(same(code, 0x5D0, 0xA000));
  for (const char* code : {"", "xq", "acm", "und", "mul", "_", "e n", "jp"}) {
    INFO(code);
    CHECK(scripts_of_language(code).empty());
  }
}

TEST_CASE("a model reads no character that nobody sees") {
  // Inside a word, around it, and alone on a line.
  for (const char32_t c :
       {0xADu,    0x34Fu,   0x61Cu,   0x115Fu,  0x17B4u,  0x180Bu,  0x180Eu, 0x200Bu,
        0x200Cu,  0x200Du,  0x200Eu,  0x200Fu,  0x202Au,  0x202Bu,  0x202Cu, 0x202Du,
        0x202Eu,  0x2060u,  0x2061u,  0x2064u,  0x2066u,  0x2067u,  0x2068u, 0x2069u,
        0x206Au,  0x206Fu,  0x3164u,  0xFE00u,  0xFE0Eu,  0xFE0Fu,  0xFEFFu, 0xFFA0u,
        0x1D173u, 0xE0001u, 0xE0020u, 0xE0041u, 0xE007Fu, 0xE0100u, 0xE01EFu}) {
    INFO(std::hex << static_cast<unsigned>(c));
    std::string x;
    append_utf8(x, c);
    CHECK(read("e" + x + "ats") == "eats");
    CHECK(read(x + "eats " + x + " it" + x) == "eats  it");
    CHECK(read(x).empty());
    CHECK(read(x + x + x).empty());
    CHECK(read("\u306f" + x + "\u306f") == "\u306f\u306f");
    CHECK(is_invisible(c));
  }
  for (const char* text : {"", "a b", "caf\u00e9 e\u0301", "\u00a0\u3000\t", "\u2764 \U0001F600",
                           "\u06cc\u0647", "\x01\x7f"}) {
    std::string store;
    CHECK(as_read(text, store).data() == text);
  }
}

TEST_CASE("joiners stay where a text would look otherwise without them") {
  for (const char* text :
       {"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  // Persian
        "\u062e\u0627\u0646\u0647\u200c\u0627\u06cc",        // a letter that joins on one side
        "\u0633\u0648\u0621\u200c\u0627\u0633\u062a",        // and one that does on none
        "\u06f1\u06f2\u200c\u0633",                          // a digit
        "\u0645\u064e\u200c\u062e",                          // behind a vowel sign
        "\u0647\u200d.",  // the form that a letter has before another
        "\u0915\u094d\u200d\u0937", "\u0915\u094d\u200c\u0937",  // Devanagari, behind a virama
        "\u09b0\u200d\u09cd\u09af",                              // Bengali, before one
        "\u0d28\u0d4d\u200d",                                    // Malayalam, at the end of a word
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",                        // Sinhala
        "\u0c95\u0ccd\u200c\u0cb7",                              // Kannada
        "\U0001F468\u200d\U0001F469\u200d\U0001F467",            // a family
        "\U0001F469\U0001F3FD\u200d\U0001F4BB", "\U0001F937\u200d\u2640",
        "\u1781\u17d2\u1798\u17c2\u179a\u200b\u1781",  // Khmer words
        "\u182c\u180e\u1820"}) {                       // a Mongolian vowel apart
    INFO(text);
    CHECK(read(text) == text);
  }
  CHECK(read("Auf\u200clage") == "Auflage");
  CHECK(read("\u0645\u06cc\u200c \u200c\u062e") == "\u0645\u06cc \u062e");
  CHECK(read("\u0645\u06cc\u200c\u200c\u062e") == "\u0645\u06cc\u200c\u062e");
  CHECK(read("\U0001F468\u200d") == "\U0001F468");
  CHECK(read("a\u200d\U0001F468") == "a\U0001F468");
}

TEST_CASE("selectors and tags stay where they make an emoji or an ideograph another") {
  const std::string wales =
      "\U0001F3F4\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F";
  for (const std::string text :
       {wales.c_str(), "\u2764\ufe0f a", "\u2764\ufe0f\u200d\U0001F525", "1\ufe0f\u20e3",
        "#\ufe0f\u20e3", "\u2122\ufe0f", "\U0001F600\ufe0e", "\U0001F3F3\ufe0f\u200d\U0001F308",
        "\u845b\U000E0100", "\u845b\U000E0101\u98fe", "\u96f6\ufe00", "\u4f60\ufe02\u597d",
        "\u3002\ufe00", "\uff0c\ufe01", "\u2229\ufe00", "\u1000\ufe00", "\ua856\ufe00"}) {
    INFO(text);
    CHECK(read(text) == text);
  }
  for (const auto& [text, without] : std::vector<std::pair<std::string, std::string>>{
           {"1\ufe0f", "1"},
           {"a\ufe0f\u20e3", "a\u20e3"},
           {"\u2764\ufe0f\ufe0f", "\u2764\ufe0f"},
           {"\u2764\ufe0e", "\u2764"},
           {"\U0001F600\ufe0f", "\U0001F600"},
           {"\u732b\ufe0f", "\u732b"},
           {"a" + wales.substr(4), "a"},
           {"\u306f\U000E0100", "\u306f"},
           {"a\ufe00", "a"},
           {"\u306f\ufe01", "\u306f"},
           {"\u96f6\ufe0e", "\u96f6"},
           {"\u96f6\ufe00\ufe01", "\u96f6\ufe00"},
           {"\u845b\U000E0100\U000E0101", "\u845b\U000E0100"}}) {
    INFO(text);
    CHECK(read(text) == without);
  }
}

TEST_CASE("separators that normalisation would delete are read as spaces") {
  for (const char* c : {"\v", "\x1c", "\x1d", "\x1e", "\x1f"}) {
    CHECK(read("a" + std::string(c) + "man\u00ad") == "a man");
    CHECK(read(c) == " ");
  }
}

TEST_CASE("what was taken out of a text is found again") {
  std::string store;
  std::vector<Removed> removed;
  CHECK(as_read("\u2066ca\u00adt\u2069 \u200bdog", store, &removed) == "cat dog");
  std::vector<TextRange> ranges{{0, 1}, {1, 3}, {3, 4}, {4, 7}};
  place_as_given(ranges, removed);
  const std::vector<TextRange> given{{3, 4}, {4, 8}, {11, 12}, {15, 18}};
  REQUIRE(ranges.size() == given.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    CHECK((ranges[i].begin == given[i].begin && ranges[i].end == given[i].end));
}

}  // namespace tt
