// Words, terms, and what a line of input asks for.
#include "lines/glossary.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/output.h"
#include "base/report.h"
#include "decode/align.h"
#include "decode/terms.h"
#include "lines/reply.h"
#include "tests/catch.h"

namespace tt {
namespace {

std::vector<std::string> texts(std::string_view text, const std::vector<TextRange>& ranges) {
  std::vector<std::string> all;
  for (const TextRange& r : ranges) all.emplace_back(text.substr(r.begin, r.end - r.begin));
  return all;
}

using Strings = std::vector<std::string>;

Glossary glossary_of(const std::string& text, bool ignores_case = false) {
  const std::string path = "/tmp/tt-glossary-" + std::to_string(::getpid()) + ".tsv";
  Output file(path);
  file.write(text);
  file.close();
  set_quiet(true);
  const Glossary glossary(path, ignores_case);
  std::remove(path.c_str());
  return glossary;
}

// Each term that is found, as the glossary has it, and the stretch that it was found as.
Strings found(const Glossary& glossary, const std::string& text) {
  Strings all;
  for (const Requirement& w : glossary.find(text, {}))
    all.push_back(w.source + "=" + text.substr(w.place.begin, w.place.end - w.place.begin));
  return all;
}

}  // namespace

TEST_CASE("words are what stands between spaces, and characters that need none") {
  const auto words = [](std::string_view text) { return texts(text, words_of(text)); };
  CHECK(words("").empty());
  CHECK(words(" \t  ").empty());
  CHECK(words("the  dog. ") == Strings{"the", "dog."});
  CHECK(words("犬 x食べ。y") == Strings{"犬", "x", "食", "べ", "。", "y"});
  CHECK(words("a\u3000b\u00a0c") == Strings{"a", "b", "c"});
  CHECK(words("über-\xff") == Strings{"über-\xff"});
}

TEST_CASE(
    "a glossary finds its terms as words, the longest first, and leaves out lines that are none") {
  const Glossary glossary = glossary_of(
      "dog\tHund\nhot dog\tHot Dog\tWürstchen\ndog\tKöter\nno tab\n\t\n\n犬\tdog\nx\t \n");
  CHECK(glossary.left_out() == 3);
  const auto sources = [&](std::string_view text, const std::vector<TextRange>& taken = {}) {
    Strings all;
    for (const Requirement& w : glossary.find(text, taken)) all.push_back(w.source);
    return all;
  };
  CHECK(sources("A dog, a hot dog and hot dogs; dogma (dog)") == Strings{"dog", "hot dog", "dog"});
  CHECK(sources("私の犬です") == Strings{"犬"});
  CHECK(sources("a hot\u00AD d\u2060og, \u2066dog\u2069") == Strings{"hot dog", "dog"});
  const auto places = [&](std::string_view text) {
    std::vector<TextRange> all;
    for (const Requirement& w : glossary.find(text, {})) all.push_back(w.place);
    return texts(text, all);
  };
  CHECK(places("a d\u00ADog, the \u2066dog\u2069") == Strings{"d\u00ADog", "dog"});
  CHECK(sources("dog dog", {{0, 3}}) == Strings{"dog"});
  CHECK(sources("hot dog", {{4, 7}}).empty());
  CHECK(sources("").empty());
  CHECK(glossary.find("dog", {})[0].alternatives == Strings{"Hund", "Köter"});
}

TEST_CASE("a glossary has comments, and terms that look like them have a backslash before") {
  const Glossary glossary = glossary_of(
      "\ufeff# a\tb\n#\n# none\n#tag\tTag\n\\# 1\tNr. 1\n\\\\#x\tX\n\\n\tN\n#\tRaute\n##\n #\n");
  CHECK(glossary.left_out() == 2);
  CHECK(found(glossary, "a #tag # 1 \\#x \\n # a none") ==
        Strings{"#tag=#tag", "# 1=# 1", "\\#x=\\#x", "\\n=\\n", "#=#"});
}

TEST_CASE("a glossary that ignores case finds terms by the folding of Unicode") {
  const Glossary glossary = glossary_of(
      "US\tUSA\nStraße\tstreet\nİzmir\tSmyrna\nὈδός\tWeg\nfish\tFisch\ncafe\tC\nschloß "
      "s\tS\nus\tuns\n"
      "犬\tdog\n",
      true);
  CHECK(found(glossary, "us, Us uS") == Strings{"US=us", "US=Us", "US=uS"});
  CHECK(glossary.find("us", {})[0].alternatives == Strings{"USA", "uns"});
  CHECK(found(glossary, "STRASSE, STRAẞE, strasse, Straßen") ==
        Strings{"Straße=STRASSE", "Straße=STRAẞE", "Straße=strasse"});
  CHECK(found(glossary, "İZMİR i\u0307zmir IZMIR ızmır") ==
        Strings{"İzmir=İZMİR", "İzmir=i\u0307zmir", "İzmir=IZMIR", "İzmir=ızmır"});
  CHECK(found(glossary, "ὈΔΌΣ ὀδόσ") == Strings{"Ὀδός=ὈΔΌΣ", "Ὀδός=ὀδόσ"});
  CHECK(found(glossary, "ﬁsh FI\u00ADSH") == Strings{"fish=ﬁsh", "fish=FI\u00ADSH"});
  CHECK(found(glossary, "Café CAFE\u0301 CAFE").size() == 1);  // the mark is part of the letter
  CHECK(found(glossary, "SCHLOSS S Schloß s schlosss").size() == 2);
  CHECK(found(glossary, "私の犬です") == Strings{"犬=犬"});
  CHECK(found(glossary, "\xff us") == Strings{"US=us"});
  CHECK(found(glossary_of("US\tUSA\n"), "us, Us US") == Strings{"US=US"});
}

TEST_CASE("a term does not begin or end inside a word") {
  using Words = Terms::Phrase;
  const WordPieces words{{0, 0, 1, 1, 0},
                         {0, 1, 1, 0, 1},
                         std::string(5, 0),
                         std::string(5, 0)};  // 2 and 3 go on with a word, which 0 and 3 end
  const Terms one({{{1}}}, &words), two({{{1}, {1, 2}}, {{2, 4}}}, &words);
  CHECK(one.progress(Words{1}).met == 1);
  CHECK(one.progress(Words{1, 2}).met == 0);
  CHECK(one.progress(Words{1, 2, 1, 4}).met == 1);
  CHECK(two.progress(Words{1, 2}).met == 1);     // the longer alternative
  CHECK(two.progress(Words{1, 2, 3}).met == 0);  // which 3 makes another word
  CHECK(two.progress(Words{1, 4, 2, 4}).met == 1);
  CHECK(two.progress(Words{1, 0, 2, 4}).met == 2);
  // Terms that are found token by token are those that are found at once.
  for (int code = 0; code < 5 * 5 * 5 * 5 * 5; ++code) {
    Words tokens;
    Terms::Progress step = two.progress({});
    for (int rest = code, n = 0; n < 5; ++n, rest /= 5) {
      tokens.push_back(rest % 5);
      step = two.progress(step, tokens);
      const Terms::Progress all = two.progress(tokens);
      REQUIRE(step.met == all.met);
      REQUIRE(step.pieces == all.pieces);
      REQUIRE(step.ends == all.ends);
      REQUIRE(step.next == all.next);
    }
  }
}

TEST_CASE("pieces of another number or address are glued to one that is kept") {
  const WordPieces words{std::vector<char>(6), std::vector<char>(6), std::string("-9h.(\0", 6),
                         std::string("-9h.(\0", 6)};
  CHECK(words.glued(1, 0));   // 9-
  CHECK(!words.glued(0, 1));  // -9, as in F-16
  CHECK(words.glued(3, 1));   // .9
  CHECK(words.glued(0, 2));   // -h
  for (const std::int32_t piece : {0, 1, 2})
    CHECK((!words.glued(4, piece) && !words.glued(5, piece)));
}

TEST_CASE("alignments are written as links and as weights") {
  const SoftAlignment soft{{0.9f, 0.1f, 0}, {0, 0, 0}, {0.25f, 0.25f, 0.5f}};
  CHECK(hard_alignment(soft) == "0-0 2-2");
  CHECK(soft_alignment(soft) == "0.9,0.1,0 0,0,0 0.25,0.25,0.5");
  CHECK(hard_alignment({}).empty());
  CHECK(soft_alignment({{}, {}}) == " ");
}

}  // namespace tt
