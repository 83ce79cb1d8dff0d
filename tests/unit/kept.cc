// Stretches of a source that are kept, and the check that a translation has them.
#include "text/kept.h"

#include <string>

#include "decode/missing_kept.h"
#include "tests/catch.h"

namespace tt {
namespace {

using Strings = std::vector<std::string>;

Strings kept(std::string text, const Keep& keep) {
  Strings all;
  for (const TextRange& r : find_kept(text, keep))
    all.push_back(text.substr(r.begin, r.end - r.begin));
  return all;
}

Keep only(bool Keep::*kind) {
  Keep keep;
  keep.*kind = true;
  return keep;
}

struct Case {
  const char* text;
  Strings kept;
};

void check(std::initializer_list<Case> cases, const Keep& keep) {
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK(kept(c.text, keep) == c.kept);
  }
}

}  // namespace

TEST_CASE("numbers are kept whole, with sign, groups, and the letters that make them a name") {
  check(
      {
          {"3.14, 10:30 and 1,000; 5.", {"3.14", "10:30", "1,000", "5"}},
          {"2023-11-28 28.11.2023 28/11/23 1.2.3 192.168.0.1",
           {"2023-11-28", "28.11.2023", "28/11/23", "1.2.3", "192.168.0.1"}},
          // Groups of three, by the spaces and apostrophes that people use.
          {"1 234 567 cars", {"1 234 567"}},
          {"1\u00A0234\u00A0567 cars", {"1\u00A0234\u00A0567"}},
          {"1\u202F234\u202F567,89 \u20ac", {"1\u202F234\u202F567,89"}},
          {"12\u2009345", {"12\u2009345"}},
          {"1'234'567.50 and 1\u2019234", {"1'234'567.50", "1\u2019234"}},
          {"1\u066C234\u066B5", {"1\u066C234\u066B5"}},
          {"-1 234 567", {"-1 234 567"}},
          {"2023 500 people", {"2023", "500"}},
          {"5 10 15", {"5", "10", "15"}},
          {"1 2345", {"1", "2345"}},
          {"1 234 5678", {"1 234", "5678"}},
          {"1 234\u00A0567", {"1 234", "567"}},
          {"1.5 234", {"1.5", "234"}},
          {"'123' 'tis 5'", {"123", "5"}},
          // Signs.
          {"-5 (+3) 3-4 -x 7- - 6", {"-5", "+3", "3-4", "7", "6"}},
          {"\u22125 (\u22123) 5\u22123 x=\u22121 a\u22122",
           {"\u22125", "\u22123", "5\u22123", "\u22121", "\u22122"}},
          {"\u201e-5\u201c \u00ab-5\u00bb \"-5\" [-5 =-5 -5,-6",
           {"-5", "-5", "-5", "-5", "-5", "-5", "-6"}},
          {"-$5 \u2212\u20ac1.50 $5 5% \u20ac-5", {"-$5", "\u2212\u20ac1.50", "5", "5", "-5"}},
          {"F-16, COVID-19 and 5--6", {"16", "19", "5", "6"}},
          {"\u5f8c\u308d\u306b-5", {"5"}},
          {"\u200E-5 \u2066-7\u2069", {"-5", "-7"}},
          // A decimal point that no digit stands before.
          {".5 (.25) -.5 \u2212.5 $.5 -$.5 x=.5 \u066B\u0665 \uff0e\uff15",
           {".5", ".25", "-.5", "\u2212.5", ".5", "-$.5", ".5", "\u066B\u0665", "\uff0e\uff15"}},
          {"no.5 ...5 ,5 a,,5 v.5 .NET .5.3 5. .x", {"5", "5", "5", "5", "5", ".5.3", "5"}},
          // Letters.
          {"at 10:30pm", {"10:30"}},
          {"5km 3rd 1990s 2x 5\u00b0C", {"5", "3", "1990", "2", "5"}},
          {"B2 x2 H1N1 MP3 v1.2.3 A4 G7", {"B2", "x2", "H1N1", "MP3", "v1.2.3", "A4", "G7"}},
          {"1080p60 2x4 5G2", {"1080p60", "2x4", "5G2"}},
          {"H\u2082O m\u00b2 km\u00b2 word\u00b2", {"H\u2082O", "m\u00b2", "km\u00b2"}},
          {"\u0411\u0040 \u0422-34 \u04102", {"34", "\u04102"}},
          {"﹣5 ⁻5 ±5 ∓5 ‑5 –5 ⁻⁵ x±5 ±$5",
           {"﹣5", "⁻5", "±5", "∓5", "‑5", "–5", "⁻⁵", "±5", "±$5"}},
          {"1990–1995 10±0.5 555‑1234 5﹣3", {"1990", "1995", "10±0.5", "555‑1234", "5﹣3"}},
          // Exponents.
          {"1e-5 1.5E+10 1e5 2e−3 １ｅ－５", {"1e-5", "1.5E+10", "1e5", "2e−3", "１ｅ－５"}},
          {"10⁻⁵ 1×10⁻⁵ 10^-5 2^10 m⁻² 5e-x 3e-",
           {"10⁻⁵", "1×10⁻⁵", "10^-5", "2^10", "m⁻²", "5", "3"}},
          {"Ca²⁺ 日⁻¹", {"Ca²⁺", "⁻¹"}},
          {"no digits", {}},
          // Fractions, raised digits, Roman numerals, key caps.
          {"1\u00bd cups, \u00bd cup", {"1\u00bd", "\u00bd"}},
          {"10\u2075 \u2163 \u2460", {"10\u2075", "\u2163", "\u2460"}},
          {"press 5\uFE0F\u20E3", {"5\uFE0F\u20E3"}},
          {"1\u20442 3\u00b714", {"1\u20442", "3\u00b714"}},
          // Other scripts.
          {"\u0661\u0662 \u0663\u066B\u0661\u0664", {"\u0661\u0662", "\u0663\u066B\u0661\u0664"}},
          {"\u06f1\u06f2\u200c\u0633\u0627\u0644\u0647", {"\u06f1\u06f2"}},
          {"\u0967\u0968\u0935\u0940\u0902", {"\u0967\u0968"}},
          {"\u0e1b\u0e35\u0e52\u0e55\u0e56\u0e56", {"\u0e52\u0e55\u0e56\u0e56"}},
          {"\u09e7\u09e8 \u0be7\u0be8 \u1041\u1042 \u17e1\u17e2 \U0001D7CF",
           {"\u09e7\u09e8", "\u0be7\u0be8", "\u1041\u1042", "\u17e1\u17e2", "\U0001D7CF"}},
          {"\uff11\uff12\uff13\u5186 \uff13\uff0e\uff15 \uff15\uff0c\uff16",
           {"\uff11\uff12\uff13", "\uff13\uff0e\uff15", "\uff15\uff0c\uff16"}},
          {"\u7b2c5\u56de 5\uff0c6 2023\u5e7411\u670828\u65e5",
           {"5", "5", "6", "2023", "11", "28"}},
          {"\uc81c5\ud68c 10\uc6d4", {"5", "10"}},
          {"\u4e8c\u3007\u4e8c\u4e09", {}},
      },
      only(&Keep::numbers));
}

TEST_CASE("URLs end before punctuation and text of scripts without spaces") {
  check(
      {
          {"see https://a.b/c?d=1, or (www.x.org).", {"https://a.b/c?d=1", "www.x.org"}},
          {"http:// www. http://.", {}},
          {"(see www.x.org/A_(b)), www.x.org)), www.x.org/a)b",
           {"www.x.org/A_(b)", "www.x.org", "www.x.org/a)b"}},
          {"(http://x.jp/a\uff09\u3002", {"http://x.jp/a"}},
          {"http://x.jp/a\u3001http://x.jp/b\u300d\u3068", {"http://x.jp/a", "http://x.jp/b"}},
          {"http://x.jp/a\u3002 \uff08http://x.cn/b\uff09\uff0chttp://x.cn/c\uff1b",
           {"http://x.jp/a", "http://x.cn/b", "http://x.cn/c"}},
          {"http://x.jp/a\uff01http://x.jp/b\uff1f\u300ahttp://x.jp/c\u300b",
           {"http://x.jp/a", "http://x.jp/b", "http://x.jp/c"}},
          {"\u201ehttp://x.de/a\u201c \u00abhttp://x.fr/b\u00bb http://x.ir/c\u060c",
           {"http://x.de/a", "http://x.fr/b", "http://x.ir/c"}},
          {"http://x.jp/a\u3092\u898b\u308b\u3002", {"http://x.jp/a"}},
          {"\u3088http://x.jp/\u3092\u898b\u308b", {"http://x.jp/"}},
          {"https://ja.wikipedia.org/wiki/\u65e5\u672c\u8a9e\u3002",
           {"https://ja.wikipedia.org/wiki/\u65e5\u672c\u8a9e"}},
          {"https://de.wikipedia.org/wiki/K\u00f6ln,", {"https://de.wikipedia.org/wiki/K\u00f6ln"}},
          {"http://x.org/a\u3000b http://x.org/a\u00a0b", {"http://x.org/a", "http://x.org/a"}},
          {"\u2066http://x.org/a\u2069 http://x.org/b\u200b", {"http://x.org/a", "http://x.org/b"}},
          {"xhttp://x.org", {}},
          // Hosts of any script, and no particle behind them.
          {"http://例え.jp/パス と http://例え.テスト http://münchen.de/x",
           {"http://例え.jp/パス", "http://例え.テスト", "http://münchen.de/x"}},
          {"http://例え.jp/パス。(www.例え.jp)", {"http://例え.jp/パス", "www.例え.jp"}},
          {"http://jr東日本.jp/a。www.x.jpとwww.y.jpの",
           {"http://jr東日本.jp/a", "www.x.jp", "www.y.jp"}},
          {"http://x.jpを見る http://localhostを http://から始まる",
           {"http://x.jp", "http://localhost"}},
          {"http://пример.рф/путь, http://مثال.إختبار/x http://उदाहरण.भारत",
           {"http://пример.рф/путь", "http://مثال.إختبار/x", "http://उदाहरण.भारत"}},
          // White space around a URL says where it ends; without, letters may be text behind it.
          {"https://ja.wikipedia.org/wiki/JR東日本", {"https://ja.wikipedia.org/wiki/JR東日本"}},
          {"a https://ja.wikipedia.org/wiki/JRの歴史, b",
           {"https://ja.wikipedia.org/wiki/JRの歴史"}},
          {"(http://x.jp/a東). \"http://x.jp/a東\" <http://x.jp/a東>",
           {"http://x.jp/a東", "http://x.jp/a東", "http://x.jp/a東"}},
          {"http://x.jp/a東。 は http://x.jp/a東）。 はhttp://x.jp/a東 ",
           {"http://x.jp/a", "http://x.jp/a", "http://x.jp/a"}},
          // Signs inside of names.
          {"http://x.org/A–B http://x.org/a– http://x.jp/ジョン・レノン。",
           {"http://x.org/A–B", "http://x.org/a", "http://x.jp/ジョン・レノン"}},
          {"http://x.jp/a・http://x.jp/b http://x.org/m²",
           {"http://x.jp/a", "http://x.jp/b", "http://x.org/m²"}},
      },
      only(&Keep::urls));
}

TEST_CASE("e-mail addresses and marked stretches are kept") {
  check(
      {
          {"ask a.b+c@d-e.org. x@y @z a@", {"a.b+c@d-e.org"}},
          {"'o'brien@e.org' isn't it's@e.org", {"o'brien@e.org", "it's@e.org"}},
          {"\u300ca@b.jp\u300d\u306ba@b.jp\u3092", {"a@b.jp", "a@b.jp"}},
          {"a@例.jp, jürgen@münchen.de. (田中@例え.テスト)",
           {"a@例.jp", "jürgen@münchen.de", "田中@例え.テスト"}},
          {"иван@почта.рф a@b.jpとc@d.jpを 連絡はa@b.jp",
           {"иван@почта.рф", "a@b.jp", "c@d.jp", "a@b.jp"}},
      },
      only(&Keep::emails));
  check(
      {
          {"a <keep>b <c> d</keep> e <keep>f", {"b <c> d"}},
          {"<keep></keep><keep> </keep>x", {}},
          {"<keep>a</keep><keep>b</keep>", {"a", "b"}},
      },
      only(&Keep::marked));
  check({{"<keep>call 12</keep> 34 http://5.6/7", {"call 12", "34", "http://5.6/7"}},
         {"http://a.b/<keep>c</keep>d5", {"http://a.b/", "c", "5"}}},
        {true, true, true, true});
  std::string text = "a <keep>b</keep>c";
  find_kept(text, only(&Keep::marked));
  CHECK(text == "a bc");
}

TEST_CASE("each decimal digit of a text is in a number that is kept") {
  const Strings parts = {"5", "12", "\u0663", "a", "Bc", "\u5e74", "\uac00", "\u0e1b", " ",
                         "-", ".",  ":",      "'", "$",  "\u2212", "\u00bd", "_",      "\u00ad"};
  std::uint32_t state = 1;
  for (int text = 0; text < 20000; ++text) {
    std::string line;
    for (int i = 0; i < 8; ++i)
      line +=
          parts[(state = state * 1664525 + 1013904223) >> 16 & 0x7FFF ? (state >> 16) % parts.size()
                                                                      : 0];
    std::string left = line;
    const auto ranges = find_kept(left, only(&Keep::numbers));
    for (auto r = ranges.rbegin(); r != ranges.rend(); ++r) left.erase(r->begin, r->end - r->begin);
    INFO(line);
    REQUIRE(left.find_first_of("0123456789") == std::string::npos);
    REQUIRE(left.find("\u0663") == std::string::npos);
  }
}

TEST_CASE("what was to be kept must stand by itself") {
  Keep keep;
  keep.urls = keep.numbers = true;
  using Indices = std::vector<std::size_t>;
  // The stretches with spaces between them are the source.
  const auto missed = [&](std::initializer_list<std::string> texts,
                          const std::string& translation) {
    std::vector<Requirement> all;
    std::string source;
    for (const std::string& text : texts) {
      all.push_back({text, {text}, true, {source.size() + 1, source.size() + 1 + text.size()}});
      source += " " + text;
    }
    return missing_kept(all, source + " ", translation, keep);
  };
  CHECK(missed({"29", "-15"}, "29-15 Hunde") == Indices{0, 1});
  CHECK(missed({"29", "-15"}, "-15, 29-mal.").empty());
  CHECK(missed({"http://a.b/c", "-5"}, "bei http://a.b/c-5.") == Indices{0, 1});
  CHECK(missed({"http://a.b/c"}, "http://a.b/c\u3092\u898b\u308b").empty());
  CHECK(missed({"-5"}, "\u6905\u5b50\u306e\u5f8c\u308d\u306b-5\u3002").empty());
  CHECK(missed({"5", "-5"}, "\u5f8c\u308d\u306b-5\u30685\u3002").empty());
  CHECK(missed({"-5"}, "ab-5.") == Indices{0});
  CHECK(missed({"5", "5"}, "5 und 5").empty());
  CHECK(missed({"5", "5"}, "5 und") == Indices{1});
  CHECK(missed({"5"}, "5Hunde") == Indices{0});
  CHECK(missed({"\u0661\u0662"}, "\u0661\u0662 Hunde").empty());
  CHECK(missed({"1 234 567"}, "es sind 1 234 567.").empty());
  CHECK(missed({"1 234 567"}, "es sind 1 567 234.") == Indices{0});
  CHECK(missed({"\u22125"}, "es sind 5.") == Indices{0});
  for (const std::string sign : {"±", "⁻", "﹣", "–", "-"}) {
    INFO(sign);
    CHECK(missed({sign + "5"}, "後ろに" + sign + "5。").empty());
    CHECK(missed({sign + "5"}, "es sind 5.") == Indices{0});
    if (sign != "±" && sign != "⁻") CHECK(missed({"5", "6"}, "5%" + sign + "6%").empty());
  }
  // Any text.
  CHECK(missed({"a b"}, "was a b c").empty());
  CHECK(missed({"a b"}, "xa b") == Indices{0});
  CHECK(missed({"ACME"}, "ACMEierstrt") == Indices{0});
  CHECK(missed({"ACME"}, "die ACME-Aktie").empty());
  CHECK(missed({"{0}"}, "{0}erstrt") == Indices{0});
  CHECK(missed({"&"}, "&quot;") == Indices{0});
  CHECK(missed({"&"}, "&#39; &amp; x&y;z") == Indices{0});
  CHECK(missed({"&", "&quot;"}, "&quot; & so").empty());
  CHECK(missed({"b"}, "<b>") == Indices{0});
  CHECK(missed({"ab", "b"}, "ab") == Indices{1});
  CHECK(missed({"x", "x"}, "x y x").empty());
  CHECK(missed({"x", "x"}, "x y") == Indices{1});
  CHECK(missed({"\u732b"}, "\u9ed2\u732b\u304c").empty());
}

TEST_CASE("what stood against a word in the source may do so in the translation") {
  const auto missed = [](const std::string& source, TextRange place,
                         const std::string& translation) {
    const std::string text = source.substr(place.begin, place.end - place.begin);
    return !missing_kept({{text, {text}, true, place}}, source, translation, {}).empty();
  };
  CHECK(!missed("<b>dog</b>", {0, 3}, "<b>Hund</b>"));
  CHECK(!missed("ACMEs", {0, 4}, "ACMEe"));
  CHECK(missed("ACME s", {0, 4}, "ACMEe"));
  CHECK(missed("ACME.", {0, 4}, "ACMEe"));
}

}  // namespace tt
