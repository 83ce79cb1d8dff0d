// Where sentences end: a table of texts, with | where a sentence ends.
#include "tests/catch.h"
#include "text/sentences.h"

namespace tt {
namespace {

std::string marked(const SentenceSplitter& splitter, const std::string& text) {
  std::string found;
  for (const TextRange& r : splitter.split(text))
    found += (found.empty() ? "" : "|") + text.substr(r.begin, r.end - r.begin);
  return found;
}

struct Case {
  const char *language, *sentences;  // the text has a space in place of |, or nothing in place of ¦
};

TEST_CASE("sentences end where readers end them") {
  const Case cases[] = {
      {"en", "Dr. Smith met J. R. R. Tolkien at 5 p.m.|He left.|\"Why?\" she said."},
      {"en", "It costs 3.14 dollars, i.e. too much.|See fig. 3 on p. 12.|No.|I won't."},
      {"en", "1. First.|2. Second."},
      {"en", "He ran...|Then he stopped.|Wait... what?!|Yes!"},
      {"en", "See https://x.org/a.html?b=c.d now.|Write to a.b@c.de."},
      {"en", "A man rides.|6 people watch.|(They cheer.)|\"Go!\""},
      {"en", "a dog runs .|two men play .|what is it ?|yes"},
      {"en", "no full stop at all"},
      {"en", "WHO IS IT?|IT IS ME."},
      {"de",
       "Am 3. Oktober kam z. B. Herr Dr. Müller.|Es war 1990.|Dann ging er, bzw. Sie.|Nr. 5 lebt!"},
      {"de", "Sie ist älter als er.|Um 8 Uhr geht sie.|„Nein“, sagte er.|„Doch!“"},
      {"de", "»Ja.«|»Nein!«"},
      {"fr", "« Oui. »|« Non. »"},
      {"en", "“Yes.”|“No.”|He said ‘go’."},
      {"fr", "M. Dupont est là !|Où est Mme Durand ?|Elle arrive."},
      {"es", "¿Dónde está el Sr. García?|¡Aquí!|Vale."},
      {"ru", "А. С. Пушкин родился в 1799 г. в Москве.|Он поэт."},
      {"el", "Πού είσαι;|Είμαι εδώ."},
      {"ar", "وصل الرجل.|هل رأيته؟|نعم!"},
      {"hi", "राम घर गया।|सीता आई।"},
      {"hi", "राम घर गया।¦सीता आई।"},
      {"zh", "他来了。¦你好吗？¦“好。”"},
      {"ja", "彼は「行く。」と言った。¦それから寝た。¦「本当？」「はい。」"},
      {"ja", "やった！¦次は？¦終わり。"},
      {"th", "เขามา แล้วเขาไป"},
      {"", "One.|Two."},
      {"deu", "Am 3. Mai war es."},
  };
  for (const Case& c : cases) {
    std::string text, expected;
    for (std::string_view rest = c.sentences; !rest.empty();) {
      const bool close = rest.starts_with("¦");
      if (close || rest[0] == '|') expected += '|';
      else expected += rest[0];
      if (!close) text += rest[0] == '|' ? ' ' : rest[0];
      rest.remove_prefix(close ? 2 : 1);
    }
    CAPTURE(c.language, text);
    CHECK(marked(SentenceSplitter(c.language), text) == expected);
  }
}

TEST_CASE("sentences have no white space around them, and line breaks part them") {
  const SentenceSplitter splitter("en");
  CHECK(marked(splitter, "  One.\t Two.  ") == "One.|Two.");
  CHECK(marked(splitter, "Title\nOne. Two") == "Title|One.|Two");
  CHECK(marked(splitter, "Title\u2028then more") == "Title|then more");
  CHECK(marked(splitter, "").empty());
  CHECK(marked(splitter, " \u00a0\u3000").empty());
  CHECK(marked(splitter, "...") == "...");
  CHECK(marked(splitter, "\x1f One.\x1c \x1d Two. \x1e") == "One.|Two.");
  // A quotation that nothing closes holds no sentences together, and takes no more time.
  std::string open;
  for (int i = 0; i < 300000; ++i) open += "「猫。";
  CHECK(SentenceSplitter("ja").split(open).size() == 300000);
}

}  // namespace
}  // namespace tt
