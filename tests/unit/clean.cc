// The rules of tt-clean, each with what it drops and with neighbours that it keeps; the key of a
// line; and what remembers pairs in bounded memory.
#include <string>

#include "base/error.h"
#include "clean/cleaner.h"
#include "clean/hash_set.h"
#include "clean/mojibake.h"
#include "tests/catch.h"

namespace tt::clean {
namespace {

// The names of the rules that drop a pair, by themselves, with their default thresholds.
std::string dropped_by(std::string_view source, std::string_view target,
                       const std::string& languages = "") {
  RuleContext context;
  if (!languages.empty()) context.languages = {languages.substr(0, 2), languages.substr(3)};
  std::vector<std::optional<double>> thresholds;
  for (const RuleKind& kind : rule_kinds()) thresholds.push_back(kind.initial);
  Cleaner cleaner(thresholds, context);
  std::string names;
  for (const std::size_t i : cleaner.verdicts(source, target))
    names += (names.empty() ? "" : " ") + cleaner.rules()[i].kind->name;
  if (cleaner.not_utf8().pairs > 0) names += "utf-8";
  return names;
}

std::uint64_t key(std::string_view line) {
  Side side;
  read_side(line, side);
  return side.key;
}

std::string times(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("each rule drops its kind of pairs, and keeps those that look like them", "[clean]") {
  struct Case {
    std::string source, target, rules;
  };
  const std::vector<Case> cases{
      {"A dog runs.", "Ein Hund rennt.", ""},
      {"A dog runs.\r", "Ein Hund rennt.\r", ""},
      {"", "Ein Hund", "empty"},
      {"A dog", " \xC2\xA0\xE2\x80\x8B\t\r", "empty"},
      {"A dog runs.", "a Dog  runs", "identical"},
      {"Linux", "Linux.", "identical"},
      {"...", "...", "identical"},
      {"...", "!!!", ""},
      {"a\x01 dog", "ein Hund", "stray"},
      {"a dog\x7F", "ein Hund", "stray"},
      {"a dog", "ein \xC2\x85Hund", "stray"},
      {"a dog", "ein Hund \xEE\x80\x80", "stray"},
      {"a dog", "ein Hund \xEF\xBF\xBE", "stray"},
      {"a\tdog", "ein Hund \xC2\xAD", ""},
      {"a dog \xEF\xBF\xBD", "ein Hund", "mojibake"},
      {"a bear", "ein B\xC3\x83\xC2\xA4r", "mojibake"},
      {times(201, "dog . ") + "x", times(200, "ein Hund "), "length repetition"},
      {times(4001, "a"), times(4000, "b"), "length"},
      {times(4000, "a"), times(4000, "b"), ""},
      {times(200, "哈 嘻 "), times(1001, "e f "), "length repetition"},
      {"yes", "ja, das ist aber wirklich sehr lang", "ratio"},
      {"on", "eingeschaltet", ""},
      {"犬が走る", "A dog is running", ""},
      {"ha ha ha ha", "ha ha ha", "repetition"},
      {"ha ha ha", "hi hi, hi", ""},
      {"the cat and the cat and the cat and the cat and", "die Katze und", "repetition"},
      {"哈哈哈哈", "ja, ja", "repetition"},
      {"- - - - - - -", "* * * * * * *", ""},
      {"Written by %s, %s, %s, %s, %s.", "Von %s, %s, %s, %s, %s.", ""},
      {"By %s and %s and %s and %s and %s.", "%s und %s und %s und %s und %s", ""},
      {"of {{ name }} {{ name }} {{ name }} {{ name }}", "%s、%s、%s、%s", "placeholders"},
      {"$a$ $a$ $a$ $a$ \\n \\n \\n \\n", "$a$、$a$、$a$、$a$", ""},
      {"no %s no no no no", "nein %s", "repetition"},
      {"a\\n a\\n a\\n a\\n", "ja", "repetition"},
      {"all%% all%% all%% all%%", "alle", "repetition"},
      {"in 2012", "im Jahr 2013", "numbers"},
      {"in 2012", "im selben Jahr", "numbers"},
      {"2 dogs", "zwei Hunde", ""},
      {"2 dogs", "3 Hunde", "numbers"},
      {"1,000,000.5 or 1'000", "1.000.000,5 oder 1000", ""},
      {"2,500 in 2012",
       "2\xE2\x80\xAF"
       "500 im Jahr 2012",
       ""},
      {"\xD9\xA1\xD9\xA2\xD9\xA3", "123", ""},
      {"15 of 20 and 3", "15 von 20 und 4", ""},
      {"%s of %d", "%d von %s", ""},
      {"open %s",
       "%d \xC3\xB6"
       "ffnen",
       "placeholders"},
      {"hello {name}", "hallo {Name}", "placeholders"},
      {"hello ${x}", "hallo", "placeholders"},
      {"hello $x$", "hallo $x$", ""},
      {"hello $x$", "hallo $x", "placeholders"},
      {"hello %name%", "hallo %name", "placeholders"},
      {"a line\\n", "eine Zeile", ""},
      {"5 % of it", "f\xC3\xBCnf % davon", ""},
      {"100% sure", "zu 100 % sicher", ""},
      {"see http://a.org/b", "siehe http://a.org/c", "addresses"},
      {"see http://a.org/b", "siehe http://a.org/b/.", ""},
      {"write to me@a.org", "schreib mir", "addresses"},
      {"www.a.org", "hier", "addresses"},
      {"a <b>dog</b>", "ein <b>Hund", "markup"},
      {"a <b class=\"x\">dog</b>", "ein <b class=\"y\">Hund</b>", ""},
      {"a < b and c > d", "a kleiner b und c > d", ""},
      {"dogs &amp; cats", "Hunde & Katzen", "markup"},
      {"dogs &amp; cats", "Hunde &lt; Katzen", ""},
      {"Really?", "Vraiment&nbsp;?", ""},
      {"a \xFF dog", "ein Hund", "utf-8"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.source, c.target);
    CHECK(dropped_by(c.source, c.target) == c.rules);
  }
}

TEST_CASE("a side has the scripts of its language", "[clean]") {
  CHECK(dropped_by("a dog", "собака") == "");
  CHECK(dropped_by("a dog", "собака", "en,ru") == "");
  CHECK(dropped_by("a dog", "sobaka", "en,ru") == "script");
  CHECK(dropped_by("a dog", "собака", "en,de") == "script");
  CHECK(dropped_by("Linux", "システム Linux", "en,ja") == "script");
  CHECK(dropped_by("the system Linux", "オペレーティングシステム Linux の", "en,ja") == "");
  CHECK(dropped_by("犬と猫", "개와 고양이", "ja,ko") == "");
  CHECK(dropped_by("12.5 %", "12,5 %", "en,ru") == "identical");  // no letters are of no script
  CHECK_THROWS_AS(dropped_by("a", "b", "xq,de"), Error);
}

TEST_CASE("mojibake is told from text with the same letters", "[clean]") {
  for (const char* text : {"Ã¼ber", "naÃ¯ve", "Itâ€™s", "â€œyesâ€\u009d", "StraÃŸe", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚",
                           "æ—¥æœ¬", "Â«ouiÂ»", "Å‚Ã³dÅº"})
    CHECK(is_mojibake(text));
  for (const char* text :
       {"über", "À la carte, Ângela", "NÃO", "«É»", "„SCHÖN“", "“VOCÊ”", "“PÅ”", "Århus", "1 Â 2",
        "привет", "日本語", "“OÙ…”", "né”—", "€ 5 – 6 …", "Ã", "â"})
    CHECK(!is_mojibake(text));
}

TEST_CASE("the key of a line is that of its letters and numbers", "[clean]") {
  CHECK(key("A dog, running!") == key("  a DOG running"));
  CHECK(key("Straße") == key("\xE2\x80\x8BSTRAßE..."));
  CHECK(key("ÄRGER") == key("ärger"));
  CHECK(key("a b") == key("ab"));
  CHECK(key("ab") != key("ba"));
  CHECK(key("2 dogs") != key("3 dogs"));
  CHECK(key("!") != key("?"));
  CHECK(key("𐐀") == key("𐐨"));
}

TEST_CASE("hashes are remembered while there is room", "[clean]") {
  HashSet set(std::size_t{1} << 16);
  CHECK(set.insert(0));
  CHECK(!set.insert(0));
  CHECK(set.contains(0));
  std::uint64_t added = 1;
  for (std::uint64_t i = 2; i < 5000; ++i) added += set.insert(hash(i, i)) && set.left_out() == 0;
  CHECK(set.size() == added);
  CHECK(set.size() == 3072);  // three quarters of 32 KiB, which 16 more are needed to double
  CHECK(set.left_out() == 4999 - 3072);
  CHECK(!set.insert(hash(2, 2)));
}

TEST_CASE("rules are asked in turn, and pairs are counted for the first", "[clean]") {
  std::vector<std::optional<double>> thresholds(rule_kinds().size());
  for (std::size_t i = 0; i < thresholds.size(); ++i)
    if (const auto& name = rule_kinds()[i].name; name == "identical" || name == "duplicates")
      thresholds[i] = name == "identical" ? 2 : 1;
  Cleaner cleaner(thresholds, {});
  CHECK(cleaner.verdict("a dog", "a dog") == "identical");
  CHECK(cleaner.verdict("dog", "dog") == "");  // of one word
  CHECK(cleaner.verdict("a dog", "a dog") == "identical");
  CHECK(cleaner.verdict("dog", "dog") == "duplicates");
  CHECK(cleaner.verdict("Dog", "dog") == "");
  CHECK(cleaner.verdict("\x80", "dog") == "utf-8");
  CHECK(cleaner.summary() ==
        "4 of 6 pairs: 1 utf-8 (first: line 6), 2 identical (first: line 1), 1 duplicates (first: "
        "line 4)");
}

}  // namespace tt::clean
