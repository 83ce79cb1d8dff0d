// Capitals and titles: how they are read, and how translations have their case again.
#include "lines/letter_case.h"

#include "base/capitals.h"
#include "tests/catch.h"
#include "tests/unit/line_fixture.h"
#include "text/upper_case.h"

namespace tt {

TEST_CASE("a sentence is in capitals, a title, or as it is") {
  for (const char* text :
       {"A MAN IN A HAT.", "STOP!", "NATO", "ÜBER 5 ΜΈΤΡΑ", "ПРИВЕТ, МИР", "A-B"})
    CHECK(letter_case(text) == LetterCase::capitals);
  for (const char* text : {"A Man Riding a Horse", "The Old Man and the Sea Again",
                           "Der Hund Und Die Katze", "Ένας Άντρας Στη Θάλασσα"})
    CHECK(letter_case(text) == LetterCase::title);
  for (const char* text :
       {"A man in a hat.", "Tom saw Mary", "New York Times", "a Man Riding a Horse", "A", "I", "5",
        "", "A B", "In the USA he saw", "iPHONE", "犬が走る", "The Dog barks At Me Now"})
    CHECK(letter_case(text) == LetterCase::as_it_is);
}

TEST_CASE("small letters take the places of capitals, byte for byte") {
  CHECK(in_small_letters("A MAN, ÜBER ΜΕ", {}, false) == "a man, über με");
  CHECK(in_small_letters("\"A MAN", {}, true) == "\"A man");
  const TextRange kept[] = {{2, 6}, {9, 11}};
  CHECK(in_small_letters("A {ID} B %S C", kept, true) == "A {ID} b %S c");
  CHECK(in_small_letters("İK ẞ", {}, false).size() == std::string("İK ẞ").size());
}

TEST_CASE("a translation has the case of its source") {
  CHECK(with_case("straße ﬁn {id} über", LetterCase::capitals, "X", {}, {}) ==
        "STRASSE FIN {ID} ÜBER");
  const TextRange kept[] = {{4, 8}};
  CHECK(with_case("ein {id} hund", LetterCase::capitals, "X", {}, kept) == "EIN {id} HUND");
  CHECK(with_case("", LetterCase::capitals, "X", {}, {}).empty());
  const SoftAlignment links{{1, 0, 0}, {0, 0.2f, 0.8f}, {0, 0.9f, 0.1f}};
  CHECK(with_case("ein \"großes pferd", LetterCase::title, "a Horse Big", links, {}) ==
        "ein \"Großes Pferd");
  CHECK(with_case("ein großes pferd", LetterCase::title, "A Horse big", links, {}) ==
        "Ein großes Pferd");
  CHECK(with_case("das haus", LetterCase::title, "The House", {}, {}) == "Das haus");
  CHECK(with_case("犬が走る", LetterCase::title, "The House", {}, {}) == "犬が走る");
}

TEST_CASE("each sentence of a line is read in its own case") {
  LineOptions options;
  options.sentences = "en";
  options.letter_case = true;
  options.keep.placeholders = true;
  Line line = read_line("STOP IT. Go on. {ID} OF IT.", options);
  auto& sentences = line.text.sentences;
  REQUIRE(sentences.size() == 3);
  const bool capitals = has_capitals(made_up_model("bpe"));
  CHECK(sentences[0].request.text == (capitals ? "Stop it." : "stop it."));
  CHECK(sentences[1].request.text == "Go on.");
  CHECK(sentences[2].request.text == "{ID} of it.");
  CHECK(line.text.text == sentences[0].request.text + " Go on. {ID} of it.");
}

}  // namespace tt
