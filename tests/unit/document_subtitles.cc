// Subtitles whose sentences go on in the next cue.
#include "tests/checked_document.h"

namespace tt::document {
namespace {

struct Cue {
  const char *from, *to, *text;
};
std::string srt(const std::vector<Cue>& cues) {
  std::string film;
  int number = 0;
  for (const Cue& cue : cues)
    film += std::to_string(++number) + "\n00:00:" + cue.from + " --> 00:00:" + cue.to + "\n" +
            cue.text + "\n\n";
  return film;
}
const Settings kJoin{.join = "en"};

}  // namespace

TEST_CASE("a sentence over several cues is one text, and its translation parted among them") {
  const std::vector<Cue> cues{{"01,000", "02,500", "When Mr."},
                              {"02,600", "04,000", "Smith came home,\nhe saw"},
                              {"04,100", "05,000", "the dog. "},
                              {"05,100", "06,000", "It barked."}};
  CHECK(extracted("srt", srt(cues), kJoin).lines ==
        Lines{"When Mr. Smith came home, he saw the dog.", "It barked."});
  CHECK(extracted("srt", srt(cues)).lines.size() == 4);
  const Merged german = merged(
      "srt", srt(cues), {"Als Herr Smith nach Hause kam, sah er den Hund.", "Er bellte."}, kJoin);
  CHECK(german.text == srt({{"01,000", "02,500", "Als Herr"},
                            {"02,600", "04,000", "Smith nach\nHause kam,"},
                            {"04,100", "05,000", "sah er den Hund. "},
                            {"05,100", "06,000", "Er bellte."}}));
  CHECK(german.problems.empty());
  CHECK(merged("srt", srt(cues), extracted("srt", srt(cues), kJoin).lines, kJoin).text ==
        srt(cues));
}

TEST_CASE("a pause, another speaker or a cue without words ends a sentence") {
  CHECK(
      extracted("srt", srt({{"01,000", "02,000", "When he"}, {"04,000", "05,000", "came"}}), kJoin)
          .lines == Lines{"When he", "came"});
  CHECK(extracted("srt", srt({{"01,000", "02,000", "When he"}, {"02,100", "03,000", "- came"}}),
                  kJoin)
            .lines == Lines{"When he", "came"});
  CHECK(extracted("srt",
                  srt({{"01,000", "02,000", "When he"},
                       {"02,100", "03,000", "..."},
                       {"03,100", "04,000", "came"}}),
                  kJoin)
            .lines == Lines{"When he", "came"});
  // Times that go back are of no use.
  CHECK(
      extracted("srt", srt({{"05,000", "06,000", "When he"}, {"02,100", "03,000", "came"}}), kJoin)
          .lines == Lines{"When he", "came"});
}

TEST_CASE("a number in a cue by itself is a part of the sentence, or stays") {
  const std::vector<Cue> cues{{"01,000", "02,000", "A shirt with the number"},
                              {"02,100", "03,000", "93."},
                              {"05,100", "06,000", "1984"},
                              {"08,100", "09,000", "A dog"}};
  CHECK(extracted("srt", srt(cues), kJoin).lines == Lines{"A shirt with the number 93.", "A dog"});
  CHECK(merged("srt", srt(cues), {"Ein Hemd mit der Nummer 93.", "Ein Hund"}, kJoin).text ==
        srt({{"01,000", "02,000", "Ein Hemd mit der Nummer"},
             {"02,100", "03,000", "93."},
             {"05,100", "06,000", "1984"},
             {"08,100", "09,000", "Ein Hund"}}));
}

TEST_CASE("no part is empty, inside of a tag or of an element, if it can be") {
  const std::vector<Cue> two{{"01,000", "02,000", "<i>one two</i>"},
                             {"02,100", "03,000", "<i>three</i>"}};
  const auto with = [&](const char* translation) {
    return merged("srt", srt(two), {translation}, kJoin);
  };
  CHECK(with("<i>eins</i> <i>zwei und drei</i>").text ==
        srt({{"01,000", "02,000", "<i>eins</i>"}, {"02,100", "03,000", "<i>zwei und drei</i>"}}));
  const Merged one = with("<i>eins</i><i></i>");
  CHECK(one.text.find("<i>one two</i>") != std::string::npos);
  REQUIRE(one.problems.size() == 1);
  CHECK(one.problems[0].find("has fewer words than its text has cues") != std::string::npos);
  // Without spaces at any character, rather behind a comma.
  CHECK(merged("srt", srt({{"01,000", "02,000", "When he came,"}, {"02,100", "03,000", "I saw."}}),
               {"\u5f7c\u304c\u6765\u305f\u6642\u3001\u79c1\u306f\u898b\u305f\u3002"}, kJoin)
            .text == srt({{"01,000", "02,000", "\u5f7c\u304c\u6765\u305f\u6642\u3001"},
                          {"02,100", "03,000", "\u79c1\u306f\u898b\u305f\u3002"}}));
}

TEST_CASE("WebVTT: sentences over cues, with their tags") {
  const std::string film =
      "WEBVTT\n\n00:01.000 --> 00:02.000\nThe <b>dog</b>\n\n00:02.100 --> 00:03.000\nbarks &amp; "
      "runs.\n";
  CHECK(extracted("vtt", film, kJoin).lines == Lines{"The <b>dog</b> barks &amp; runs."});
  CHECK(merged("vtt", film, {"Der <b>Hund</b> bellt &amp; rennt."}, kJoin).text ==
        "WEBVTT\n\n00:01.000 --> 00:02.000\nDer <b>Hund</b>\n\n00:02.100 --> 00:03.000\nbellt "
        "&amp; rennt.\n");
}

TEST_CASE("long lines and fast reading are reported, and stay") {
  const std::string film = srt({{"01,000", "02,000", "A dog."}});
  Settings limits;
  limits.line_length = 10, limits.reading_speed = 12;
  const Merged result = merged("srt", film, {"Ein ganz kleiner Hund."}, limits);
  CHECK(result.text.find("Ein ganz kleiner Hund.") != std::string::npos);
  REQUIRE(result.problems.size() == 2);
  CHECK(result.problems[0].find("has a line of 22 characters") != std::string::npos);
  CHECK(result.problems[1].find("is to be read at 22 characters a second") != std::string::npos);
  CHECK(merged("srt", film, {"Ein Hund."}, limits).problems.empty());
}

}  // namespace tt::document
