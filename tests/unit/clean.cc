// The rules of tt-clean, each with what it drops and with neighbours that it keeps; the key of a
// line; and what remembers pairs in bounded memory.
#include <string>

#include "base/error.h"
#include "clean/cleaner.h"
#include "clean/hash_set.h"
#include "clean/pair_rules.h"
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
      {times(200, "哈 嘻 "), times(1001, "e f "), "length repetition letters-apart"},
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
      {"10,000 yen", "１００００円", ""},
      {"10,000 yen", "１０，０００円", ""},
      {"1,000,000,000,000 yen", "１，０００，０００，０００，０００円", ""},
      {"ten thousand yen", "一〇〇〇〇円", ""},
      {"10000 yen", "١٠٠٠٠ ين", ""},
      {"10000 yen", "१०००० येन", ""},
      {"10000 yen", "๑๐๐๐๐ เยน", ""},
      {"wwww", "ｗｗｗｗｗ、すごい", ""},
      {"AAAA batteries", "ＡＡＡＡ電池", ""},
      {"Aaah!", "あーーーーーー！", ""},
      {"Aaah!", "ｱｰｰｰｰｰｰ!", ""},
      {"Every single one", "人々々々々々", ""},
      {"Heeeey!!", "ねぇぇぇぇっっっっ", ""},
      {"version 1.1.1.1", "版１・１・１・１", ""},
      {"Well...", "さあ・・・・・・", ""},
      {"ha ha ha ha", "はははは", "repetition"},
      {"Barbarians", "ﾊﾞﾊﾞﾊﾞﾊﾞ", "repetition"},
      {"yes, yes", "１０ １０ １０ １０", "repetition"},
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
      {"2.3 million of them", "230万人", ""},
      {"2.3 million of them", "240万人", "numbers"},
      {"30 percent", "百分之三十", ""},
      {"35 percent", "百分之三十", "numbers"},
      {"in 2024", "二〇二四年", ""},
      {"thirty", "３０", ""},
      {"in his fifties", "５０代", ""},
      {"11,000 shops", "１万１０００店", ""},
      {"175 million", "1億7500万", ""},
      {"20,000 patients", "20 тысяч больных", ""},
      {"fünfundzwanzig Euro", "25 euros", ""},
      {"fünfundzwanzig Euro", "26 euros", "numbers"},
      {"hundert Kilometer", "100 km", ""},
      {"seventeen", "70 Leute", "numbers"},
      {"3 p.m.", "um 15 Uhr", ""},
      {"at 3:30 pm", "15:30", ""},
      {"at 3 am", "15 Uhr", "numbers"},
      {"the 1960s", "die 60er", ""},
      {"COVID-19", "コロナ", ""},
      {"the year -19", "das Jahr", "numbers"},
      {"%s of %d", "%d von %s", "placeholders"},
      {"open %s",
       "%d \xC3\xB6"
       "ffnen",
       "placeholders"},
      {"%s of %s", "%2$s von %1$s", ""},
      {"%1$s of %2$s", "%s von %s", ""},
      {"%d", "%1$d", ""},
      {"%d of %s", "%2$s von %1$d", ""},
      {"%d of %s", "%1$s von %2$d", "placeholders"},
      {"%s of %s", "%1$s von %1$s", "placeholders"},
      {"%s of %s", "%2$s von %3$s", "placeholders"},
      {"%s of %s", "%1$s", "placeholders"},
      {"%s of %s", "%1:s von %0:s", ""},
      {"%@ of %@", "%2$@ von %1$@", ""},
      {"%*d of %s", "%3$s von %2$*1$d", ""},
      {"%m: %s", "%1$s: %m", ""},
      {"%i files, %5.2f MB", "%d Dateien, %-6.1f MB", ""},
      {"%s of %s: %s in 2012", "%3$s: %2$s von %1$s in 2012", ""},
      {"%ld files", "%d Dateien", "placeholders"},
      {"%(n)5d files", "%(n)i Dateien", ""},
      {"%(n)d files", "%(m)d Dateien", "placeholders"},
      {"{} of {}", "{1} von {0}", ""},
      {"{:.2f} of {}", "{1} von {0:.2f}", ""},
      {"{} of {}", "{1} von {2}", "placeholders"},
      {"{0}: %s of %d", "{0}: %2$d von %1$s", ""},
      {"%1 of %2", "%2 von %1", ""},
      {"%1 of %2", "%1 von %1", "placeholders"},
      {"hello {name}", "hallo {Name}", "placeholders"},
      {"hello ${x}", "hallo", "placeholders"},
      {"hello $x$", "hallo $x$", ""},
      {"hello $x$", "hallo $x", "placeholders"},
      {"hello %name%", "hallo %name", "placeholders"},
      {"a line\\n", "eine Zeile", ""},
      {"5 % of it", "f\xC3\xBCnf % davon", ""},
      {"100% sure", "zu 100 % sicher", ""},
      {"the old house", "D a s  a l t e  H a u s", "letters-apart"},
      {"letters A B C D E F", "Buchstaben A B C D E F", ""},
      {"a b c d", "x y z", ""},
      {"a man walks over the road", "EinMannGehtÜberDieStraße.", "words-glued"},
      {"YouTube and LibreOffice", "Filme und Texte", ""},
      {"the OpenStreetMap", "die OpenStreetMap", ""},
      {"CreditCardNumber", "НомерКредитнойКарточки", ""},
      {"see http://a.org/aBcDeFgH", "siehe http://a.org/aBcDeFgH", ""},
      {"a dog and a cat that sleep", "eine " + times(41, "a"), "words-glued"},
      {"Moscow", "М\\u006fсква", "escapes"},
      {"Moscow", "Мoсква", "mixed-scripts"},
      {"Moscow", "Mосква", "mixed-scripts"},
      {"an Athens bus", "Αthens", "mixed-scripts"},
      {"DataX, 5 μm", "ДанныеX, 5 мкм", ""},
      {"an SMS", "SMSка, IT-отдел", ""},
      {"a dog", "ein H\\u0075nd", "escapes"},
      {"the end\\u2026", "das Ende\\u2026", ""},
      {"C:\\users", "C:\\users\\x", ""},
      {"see http://a.org/b", "siehe http://a.org/c", "addresses"},
      {"see http://a.org/b", "siehe http://a.org/b/.", ""},
      {"write to me@a.org", "schreib mir", "addresses"},
      {"www.a.org", "hier", "addresses"},
      {"a <b>dog</b>", "ein <b>Hund", "markup"},
      {"a <b class=\"x\">dog</b>", "ein <b class=\"y\">Hund</b>", ""},
      {"a<BR>dog", "ein<br>Hund", ""},
      {"a <Strong>dog</STRONG>", "ein <strong>Hund</strong>", ""},
      {"a dog<BR/>", "ein Hund<br />", ""},
      {"a <B>dog</B>", "ein <i>Hund</i>", "markup"},
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
  CHECK(dropped_by("Linux", "システム Linux", "en,ja") == "");
  CHECK(dropped_by("Python 3 on Linux", "Linux上のPython 3", "en,ja") == "");
  CHECK(dropped_by("a dog of mine", "システム Hundchen", "en,ja") == "script");
  CHECK(dropped_by("the dog sleeps here", "the dog sleeps now", "en,ja") == "script");
  CHECK(dropped_by("the system Linux", "オペレーティングシステム Linux の", "en,ja") == "");
  CHECK(dropped_by("犬と猫", "개와 고양이", "ja,ko") == "");
  CHECK(dropped_by("12.5 %", "12,5 %", "en,ru") == "");  // no letters are of no script
  CHECK(dropped_by("%s of %s", "%2$s の %1$s", "en,ja") == "");
  CHECK(dropped_by("<b class=\"x\">cat</b> < dog", "<b>猫</b> < 犬", "en,ja") == "");
  CHECK(dropped_by("<b>cat</b>", "<b>dog 猫</b>", "en,ja") == "script");
  CHECK(dropped_by("a dog", "狗", "en,cmn") == "");
  CHECK(dropped_by("a dog", "gou", "en,cmn") == "script");
  CHECK(dropped_by("a dog", "pas", "en,sh") == "");
  CHECK(dropped_by("a dog", "کتا", "en,pnb") == "");
  CHECK(dropped_by("a dog", "כלב", "en,yi") == "");
  CHECK_THROWS_AS(dropped_by("a", "b", "xq,de"), Error);
}

TEST_CASE("mojibake is told from text with the same letters", "[clean]") {
  for (const char* text :
       {"Ã¼ber",        "naÃ¯ve",       "Itâ€™s",        "â€œyesâ€\u009d", "StraÃŸe",
        "Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "æ—¥æœ¬",       "Â«ouiÂ»",       "Å‚Ã³dÅº",        "РџСЂРёРІРµС‚",
        "вЂ” да",       "О“ОµО№О¬",     "Ξ\u009DΞ±ΞΉΞΉ", "prdÄŤek",        "├ñhnlich",
        "п÷я─п╦п╡п╣я┌", "╨Я╤А╨╕╨▓╨╡╤В", "Ã–zgÃ¼r",       "Tiáº¿ng Viá»‡t", "ä½\u00A0å¥½ï¼\u008C",
        "\uFFFD"}) {
    INFO(text);
    CHECK(is_mojibake(text));
  }
  for (const char* text : {"über",
                           "À la carte, Ângela",
                           "NÃO",
                           "«É»",
                           "„SCHÖN“",
                           "“VOCÊ”",
                           "“PÅ”",
                           "Århus",
                           "1 Â 2",
                           "привет",
                           "日本語",
                           "“OÙ…”",
                           "né”—",
                           "€ 5 – 6 …",
                           "Ã",
                           "â",
                           "64 кБ",
                           "ХИ2.РАСП",
                           "όχι ίσο",
                           "«КНДР»",
                           "rozsahu od 3,4\u00A0×\u00A010",
                           "Тай ле",
                           "Đường phố",
                           "İstanbul’da",
                           "“IRMÃ”"}) {
    INFO(text);
    CHECK(!is_mojibake(text));
  }
}

TEST_CASE("keys differ in letters, numbers, symbols and the signs of numbers alone", "[clean]") {
  const std::vector<std::vector<const char*>> lines{
      {"A dog, running!", "  a DOG running", "a-dog; (running)...", "`A dog` running"},
      {"große Straße", "GROSSE STRASSE", "\u200BgroSSe STRAẞE..."},
      {"Ärger", "ärger", "A\u0308RGER"},
      {"Arger"},
      {"é\u0323", "e\u0301\u0323", "e\u0323\u0301", "ẹ\u0301"},
      {"ﬁnd", "FIND"},
      {"οδός", "ΟΔΌΣ", "οδο\u0301σ"},
      {"ᾳ", "ΑΙ"},
      {"ガ", "カ\u3099"},
      {"カ"},
      {"한국", "\u1112\u1161\u11AB\u1100\u116E\u11A8"},
      {"하구"},
      {"𐐀", "𐐨"},
      {"а б", "АБ"},
      {"ба"},
      {"2 dogs"},
      {"3 dogs"},
      {"!"},
      {"?"},
      {"$5", "$5."},
      {"€5"},
      {"5", "(5)", "5...", "... 5", "...5"},
      {"5%", "5 %"},
      {"-5 degrees", "–5 degrees", "\u22125 degrees", "(-5) degrees"},
      {"5 degrees", "- 5 degrees"},
      {"+5 degrees"},
      {"-$5"},
      {"-.5"},
      {".5"},
      {"F-16", "F16", "f 16"},
      {"2.5 m", "2 . 5 m"},
      {"2,5 m"},
      {"25 m", "2 5 m"},
      {"1:30"},
      {"130"},
      {"1999-2001", "1999 – 2001"},
      {"19992001"},
      {"(5, 3)", "5,3"},
      {"(5, -3)"},
      {"(53)"},
      {"２．５"},
      {"２５"},
      {"C", "c"},
      {"C++"},
      {"C#"},
      {"AT&T"},
      {"2 < 3"},
      {"2 > 3"},
      {"2 3", "23"},
      {"\U0001F600"},
      {"\U0001F622"},
      {"\U0001F44D\U0001F3FB"},
      {"\U0001F44D\U0001F3FF"},
      {"\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"},
      {"\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F"},
      {"\u2764", "\u2764\uFE0F"},
      {"It's", "it\u2019s", "it`s", "it\u00B4s"},
      {"ab", "a b"},
      {"°C"},
  };
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const char* line : lines[i])
      for (std::size_t j = 0; j < lines.size(); ++j)
        for (const char* other : lines[j]) {
          CAPTURE(line, other);
          CHECK((key(line) == key(other)) == (i == j));
        }
}

TEST_CASE("exact duplicates have the same bytes but for white space at their ends", "[clean]") {
  std::vector<std::optional<double>> thresholds(rule_kinds().size());
  for (std::size_t i = 0; i < thresholds.size(); ++i)
    if (rule_kinds()[i].name == "duplicates") thresholds[i] = 1;
  Cleaner cleaner(thresholds, {});
  CHECK(cleaner.verdict("a dog", "ein Hund") == "");
  CHECK(cleaner.verdict("a dog ", "\tein Hund\r") == "duplicates");
  CHECK(cleaner.verdict("a dog\u00A0", "ein Hund") == "");
  CHECK(cleaner.verdict("a  dog", "ein Hund") == "");
  CHECK(cleaner.verdict("a dog", "ein hund") == "");
  CHECK(cleaner.verdict("a dog", "ein Hund.") == "");
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
