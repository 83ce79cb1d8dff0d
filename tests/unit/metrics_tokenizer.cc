// Tokenizers: the cases covered by their rules, and the Unicode functions they use. Expected tokens
// are sacreBLEU's.

#include "base/error.h"
#include "metrics/compound.h"
#include "metrics/ter.h"
#include "metrics/tokenizer.h"
#include "metrics/unicode.h"
#include "tests/catch.h"

namespace tt::metrics {

namespace {

std::string join(const std::string& tokenizer, const std::string& text) {
  std::string buffer, result;
  std::vector<std::string_view> tokens;
  make_tokenizer(tokenizer)->split(text, buffer, tokens);
  for (const std::string_view token : tokens) (result += result.empty() ? "" : " ") += token;
  return result;
}

}  // namespace

TEST_CASE("13a separates punctuation, but not within numbers", "[metrics]") {
  CHECK(join("13a", "Hello, world! (1,000.5)") == "Hello , world ! ( 1,000.5 )");
  CHECK(join("13a", "don't e-mail") == "don't e-mail");
  CHECK(join("13a", "1-2 a-b 3--4") == "1 - 2 a-b 3 - -4");
  CHECK(join("13a", "&amp;lt; &quot;<skipped>x") == "< \" x");
  CHECK(join("13a", "a\u00A0b\u3000c\u2028d\u200Be") == "a b c d\u200Be");
}

TEST_CASE("13a and zh split runs of full stops by their neighbours", "[metrics]") {
  CHECK(join("13a", "a..1 b...1 1..1 1...1") == "a . .1 b . . . 1 1 . . 1 1 . . .1");
  CHECK(join("13a", ".5 5.") == ". 5 5 .");
  CHECK(join("zh", ".5") == ".5");  // zh puts no space around the line
  CHECK(join("zh", "5.") == "5.");
}

TEST_CASE("zh separates Chinese characters", "[metrics]") {
  CHECK(join("zh", "今天3点,好！ok") == "今 天 3 点 , 好 ！ ok");
  CHECK(join("zh", "ひらがな→\U00020000") ==
        "ひらがな → \U00020000");  // arrows by mistake, planes beyond not
}

TEST_CASE("intl follows Unicode's categories", "[metrics]") {
  CHECK(join("intl", "„Ja“, 3,5 €/h: ½٣.٣") == "„ Ja “ , 3,5 € / h : ½٣.٣");
  CHECK(join("intl", "a. 2021.") == "a . 2021.");  // nothing follows, so the last stays
  CHECK(join("intl", "x..1 1..1") == "x . .1 1 . . 1");
}

TEST_CASE("char and none", "[metrics]") {
  CHECK(join("char", "a 日\u3000é") == "a 日 é");
  CHECK(join("none", " a,b \u00A0c ") == "a,b c");
  CHECK_THROWS_AS(make_tokenizer("moses"), Error);
}

#ifdef TT_MECAB
TEST_CASE("ja-mecab gives the words of the IPA dictionary", "[metrics]") {
  CHECK(join("ja-mecab", " 昨日は雨が降った。 ") == "昨日 は 雨 が 降っ た 。");
  CHECK(join("ja-mecab", "令和元年の令和") ==
        "令 和 元年 の 令 和");  // an entry that sacreBLEU's dictionary has not
  CHECK(join("ja-mecab", "") == "");
  CHECK(join("ja-mecab", std::string("雨\0雪", 7)) == "雨");
}
#else
TEST_CASE("ja-mecab says that MeCab is missing", "[metrics]") {
  CHECK_THROWS_WITH(make_tokenizer("ja-mecab"), Contains("without MeCab"));
}
#endif

TEST_CASE("TER's rules", "[metrics]") {
  CHECK(ter_tokens("Jim's (Auto), 1-2 &lt;B&gt;", {.normalized = true}) ==
        "jim 's ( auto ) , 1 - 2 < b >");
  CHECK(ter_tokens("Das ist: gut! (4.2)", {.no_punct = true}) == "das ist gut 42");
  CHECK(ter_tokens("今天、ok。カタ・カナ", {.normalized = true, .asian_support = true}) ==
        "今 天 、 ok 。 カタ ・ カナ");
  CHECK(ter_tokens("今天、ok。（カ）", {.no_punct = true, .asian_support = true}) == "今天okカ");
  CHECK(ter_tokens("A B", {.case_sensitive = true}) == "A B");
}

TEST_CASE("lower case is the full mapping", "[metrics]") {
  CHECK(lower("ÄSS İ ΟΔΟΣ ΣΑΣ Σ") == "äss i\u0307 οδος σας σ");
  CHECK(lower(std::string(100, 'X') + "É") == std::string(100, 'x') + "é");
}

TEST_CASE("white space at the ends", "[metrics]") {
  CHECK(strip(" \u3000\u0085a \u200B\u00A0\x1C\r") == "a \u200B");
  CHECK(strip_end("\u2003").empty());
  CHECK(strip_end(" a\uFEFF") == " a\uFEFF");
  CHECK(strip_end("\x85") == "\x85");  // a damaged byte is no white space
}

TEST_CASE("compounds are split without overlap", "[metrics]") {
  CHECK(split_compounds("state-of-the-art") ==
        "state ##AT##-##AT## of ##AT##-##AT## the ##AT##-##AT## art");
  CHECK(split_compounds("a-b-c") == "a ##AT##-##AT## b-c");
  CHECK(split_compounds("- a -b c- é-日 x--y") ==
        "- a -b c- é ##AT##-##AT## 日 x ##AT##-##AT## -y");
}

}  // namespace tt::metrics
