// Vocabularies of other programs, and the SentencePiece models that they become.
#include <algorithm>

#include "base/error.h"
#include "exchange/vocabulary.h"
#include "tests/unit/text_fixture.h"
#include "text/languages.h"
#include "text/model_proto.h"
#include "text/subword.h"

namespace tt {
namespace {

std::vector<std::string> pieces_of(const Subword& subword, const std::string& line) {
  std::vector<std::int32_t> ids;
  subword.encode(line, ids);
  std::vector<std::string> pieces;
  for (const std::int32_t id : ids) pieces.push_back(subword.piece(id));
  return pieces;
}

}  // namespace

TEST_CASE("a SentencePiece model in another order cuts text as before") {
  const Subword& original = made_up_model(GENERATE("bpe", "unigram"));
  const std::string line = made_up_lines(1, 3)[0];
  Vocabulary vocabulary = vocabulary_of(original.bytes(), "own");
  CHECK(number_pieces(original.bytes(), vocabulary, SubwordSide::source, "own") ==
        original.bytes());
  std::reverse(vocabulary.pieces.begin(), vocabulary.pieces.end());
  vocabulary.pieces.insert(vocabulary.pieces.begin(), ">>deu<<");
  vocabulary.pieces.push_back("\u2581nowhere");
  const std::string bytes =
      number_pieces(original.bytes(), vocabulary, SubwordSide::source, "reversed");
  const Subword reversed = Subword::parse(bytes, "reversed");
  CHECK(reversed.size() == original.size() + 2);
  CHECK(reversed.piece(reversed.eos()) == "</s>");
  for (const std::string& text : made_up_lines(20, 5))
    CHECK(pieces_of(reversed, text) == pieces_of(original, text));
  // The token of a language begins a line, and is one piece.
  std::vector<std::int32_t> with, without;
  reversed.encode(">>deu<< " + line, with);
  reversed.encode(line, without);
  CHECK(with.front() == 0);
  with.erase(with.begin());
  CHECK(with == without);
  // And back: the same vocabulary, and the same model.
  const Vocabulary again = vocabulary_of(bytes, "reversed");
  CHECK(again.pieces == vocabulary.pieces);
  CHECK(number_pieces(bytes, again, SubwordSide::source, "reversed") == bytes);
}

TEST_CASE("pieces that a vocabulary has not still cut text, and are unknown") {
  const Subword& original = made_up_model(GENERATE("bpe", "unigram"));
  const std::string line = made_up_lines(1, 3)[0];
  std::vector<std::int32_t> ids, found;
  original.encode(line, ids);
  Vocabulary vocabulary = vocabulary_of(original.bytes(), "own");
  const std::string left_out = original.piece(ids[0]);
  std::erase(vocabulary.pieces, left_out);
  const Subword smaller = Subword::parse(
      number_pieces(original.bytes(), vocabulary, SubwordSide::source, "smaller"), "smaller");
  CHECK(smaller.size() == original.size() - 1);
  smaller.encode(line, found);
  REQUIRE(found.size() == ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    CHECK(smaller.piece(found[i]) == (ids[i] == ids[0] ? "<unk>" : original.piece(ids[i])));
}

TEST_CASE("a SentencePiece model that shares few pieces with a vocabulary is doubted") {
  const Subword& original = made_up_model("bpe");
  Vocabulary vocabulary = vocabulary_of(original.bytes(), "own");
  vocabulary.pieces.resize(112);  // of 120, the first of which are special
  std::vector<std::string> notes;
  number_pieces(original.bytes(), vocabulary, SubwordSide::source, "m.spm", &notes);
  CHECK(notes == std::vector<std::string>{"m.spm: of its 117 pieces the model's vocabulary has 109 "
                                          "(93 %); make sure that it is the model's"});
  notes.clear();
  vocabulary = vocabulary_of(original.bytes(), "own");
  vocabulary.pieces.pop_back();
  number_pieces(original.bytes(), vocabulary, SubwordSide::source, "m.spm", &notes);
  CHECK(notes.empty());
}

TEST_CASE("a target writes the pieces of the source as they are, and silent ones never") {
  const Subword& original = made_up_model(GENERATE("bpe", "unigram"));
  const std::string line = made_up_lines(1, 3)[0];
  Vocabulary vocabulary = vocabulary_of(original.bytes(), "own");
  vocabulary.pieces.insert(vocabulary.pieces.end(), {"\u2581fremd", "<pad>"});
  vocabulary.silent = {"<pad>"};
  vocabulary.start = "<pad>";
  const Subword target =
      Subword::parse(number_pieces(original.bytes(), vocabulary, SubwordSide::target, "t"), "t");
  CHECK(target.decode(std::vector<std::int32_t>{target.size() - 2}) == "fremd");
  CHECK(target.bos() == target.size() - 1);
  CHECK(target.silent() ==
        std::vector<std::int32_t>{original.bos(),
                                  target.bos()});  // <s>, which is no start any more, and the start
}

TEST_CASE("without a SentencePiece model words are pieces") {
  Vocabulary vocabulary;
  vocabulary.pieces = {"</s>", "<unk>", "hau@@", "s", ""};
  const std::string bytes = number_pieces("", vocabulary, SubwordSide::source, "words");
  const Subword words = Subword::parse(bytes, "words");
  CHECK(words.size() == 5);
  std::vector<std::int32_t> ids;
  words.encode("hau@@ s  haus", ids);
  CHECK(ids == std::vector<std::int32_t>{2, 3, 1});
  CHECK(words.decode(ids = {2, 3}) == "hau@@ s");
  CHECK(words.bos() == words.eos());
  CHECK(number_pieces(bytes, vocabulary_of(bytes, "words"), SubwordSide::source, "words") == bytes);
}

// Text that spm_encode cut are words like others, and each that is unknown is one: SentencePiece
// would cut them again, and join neighbours that are unknown.
TEST_CASE("words between spaces may have any characters, and are unknown one by one") {
  Vocabulary vocabulary;
  vocabulary.pieces = {"</s>", "<unk>", "\u2581Ein", "Ein", "\u2581", "@@"};
  const std::string bytes = number_pieces("", vocabulary, SubwordSide::source, "words");
  const Subword words = Subword::parse(bytes, "words");
  std::vector<std::int32_t> ids;
  words.encode(" \u2581Ein Ein  \u2581 x y \u2581x @@ \xff", ids);
  // ▁Ein, Ein, ▁; x, y and ▁x are unknown; @@; an invalid byte
  CHECK(ids == std::vector<std::int32_t>{2, 3, 4, 1, 1, 1, 5, 1});
  CHECK(words.decode(ids = {2, 3, 4, 1, 0, 5}) == "\u2581Ein Ein \u2581 \u2047 @@");
  std::vector<std::string> pieces;
  words.encode("\u2581Ein x", pieces);
  CHECK(pieces == std::vector<std::string>{"\u2581\u2581Ein", "\u2581x"});
  CHECK(words.decode(pieces) == "\u2581Ein x");
  CHECK(words.encoded_ranges("a \u2581Ein").at(1).begin == 2);
  CHECK_FALSE(words.drops("\u2581"));
  CHECK(words.decoded_ranges(ids = {3, 2}).at(1).end == 10);
  CHECK(number_pieces(bytes, vocabulary_of(bytes, "words"), SubwordSide::source, "words") == bytes);
  // To SentencePiece they are others.
  CHECK_THROWS_WITH(vocabulary_of(bytes, "m", true),
                    "m: has the word \"\u2581Ein\", which SentencePiece would cut into several");
}

TEST_CASE("where all pieces are characters, text is cut into characters") {
  Vocabulary vocabulary;
  vocabulary.pieces = {"<blank>", "<s>", "</s>", "\u0645", "a", "'", " ", "<unk>"};
  vocabulary.start = "<s>";
  vocabulary.silent = {"<blank>"};
  CHECK(plain_kind(vocabulary) == ModelProto::Plain::characters);
  vocabulary.plain = plain_kind(vocabulary);
  const std::string bytes = number_pieces("", vocabulary, SubwordSide::source, "characters");
  const Subword characters = Subword::parse(bytes, "characters");
  std::vector<std::int32_t> ids;
  characters.encode("a\u0645 xya'", ids);
  CHECK(ids == std::vector<std::int32_t>{4, 3, 6, 7, 7, 4, 5});
  CHECK(characters.decode(ids) == "a\u0645 \u2047\u2047a'");
  CHECK(vocabulary_of(bytes, "c").pieces == vocabulary.pieces);
  CHECK(number_pieces(bytes, vocabulary_of(bytes, "c"), SubwordSide::source, "c") == bytes);
  CHECK(vocabulary_of(bytes, "c", true).pieces[6] == "\u2581");
  vocabulary.pieces.push_back("ab");
  CHECK(plain_kind(vocabulary) == ModelProto::Plain::words);
}

TEST_CASE(
    "pieces that choose a language are found by the model's name, the piece, or a code of ISO "
    "639") {
  for (const auto& [piece, name] : {std::pair("__en__", "en"),
                                    {"__ceb__", "ceb"},
                                    {"deu_Latn", "deu_Latn"},
                                    {"en_XX", "en_XX"},
                                    {">>deu<<", "deu"},
                                    {"<2de>", "de"}})
    CHECK(language_of(piece).value_or("") == name);
  for (const char* piece : {"__name__", "a_b", "____", "__DE__", "foo_Bar", "\u2581__", "<2>", "de",
                            ">>DE<<", "_de", "de_"})
    CHECK(!language_of(piece));
  for (const auto& [text, piece] : {std::pair(">>deu<< A dog", ">>deu<<"),
                                    {"  <2de>A dog", "<2de>"},
                                    {">>deu_Latn<<", ">>deu_Latn<<"},
                                    {"A >>deu<<", ""},
                                    {">> a quote <<", ""},
                                    {"<2 dogs>", ""},
                                    {"__de__ A dog", ""},
                                    {"", ""}})
    CHECK(leading_language(text) == piece);
  for (const auto& [name, piece] : {std::pair("de", "__de__"),
                                    {"deu", "__deu__"},
                                    {"deu_Latn", "deu_Latn"},
                                    {">>deu<<", ">>deu<<"},
                                    {"<2de>", "<2de>"}})
    CHECK(language_piece(name) == piece);
  for (const char* name : {"German", "", "d", "pt-BR", "DE", "__"})
    CHECK_THROWS_WITH(language_piece(name), Contains("is no language"));
  CHECK(is_known_language("de"));
  CHECK(is_known_language(">>deu<<"));
  CHECK(!is_known_language("alice"));
  Vocabulary vocabulary;
  vocabulary.pieces = {"</s>", "<unk>", "eng_Latn", "zho_Hans", "zho_Hant", "deu_Latn", "a"};
  vocabulary.silent = {"eng_Latn", "zho_Hans", "zho_Hant", "deu_Latn"};
  const Subword subword =
      Subword::parse(number_pieces("", vocabulary, SubwordSide::target, "v"), "v");
  const LanguageTable table(subword);
  CHECK(table.all().size() == 4);
  for (const char* name :
       {"deu_Latn", "de", "deu", "de_Latn", "__de__", ">>deu<<", "<2de>", "de-AT"})
    CHECK(table.find(name) == 5);
  for (const char* name : {"zho_Hant", "zh-Hant", "zh-TW", "zh_HK"}) CHECK(table.find(name) == 4);
  CHECK(table.find("zh-CN") == 3);
  CHECK_THROWS_WITH(table.find("zh"),
                    "has several languages for \"zh\": zho_Hans, zho_Hant; name one of them");
  CHECK_THROWS_WITH(
      table.find("fr"),
      "has no language \"fr\"; it has 4, such as eng_Latn, zho_Hans, zho_Hant, deu_Latn");
  std::vector<std::int32_t> ids;
  subword.encode("a deu_Latn", ids);  // in text they are words
  CHECK(ids == std::vector<std::int32_t>{6, 1});
  CHECK(subword.decode(ids = {5, 6}) == "a");
}

TEST_CASE("vocabularies as YAML and JSON") {
  const std::vector<std::string> pieces = {"</s>", "<unk>", "\u2581a", ":", "\"", "it's", "\\"};
  CHECK(read_yaml_vocabulary(
            "</s>: 0\n<unk>: 1\n\u2581a: 2\n\":\": 3\n\"\\\"\": 4\n'it''s': 5\n\"\\\\\": 6\n",
            "v") == pieces);
  CHECK(read_yaml_vocabulary(yaml_vocabulary(pieces), "v") == pieces);
  CHECK(read_yaml_vocabulary("? long\n: 1\nb: 0", "v") == std::vector<std::string>{"b", "long"});
  CHECK(read_json_vocabulary("{\"a\": 1, \"b\": 0}", "v") == std::vector<std::string>{"b", "a"});
  CHECK(read_json_vocabulary("[\"a\", \"b\"]", "v") == std::vector<std::string>{"a", "b"});
  CHECK(error_of([] { read_yaml_vocabulary("a: 0\nb: 1x\n", "v.yml"); }) ==
        "v.yml: the piece \"b\" has no number");
  CHECK(error_of([] { read_yaml_vocabulary("a: 0\nb: 0\n", "v.yml"); }) ==
        "v.yml: the pieces \"a\" and \"b\" have the same number, 0");
  CHECK(error_of([] { read_json_vocabulary("{\"a\": 5}", "v.json"); }) ==
        "v.json: the piece \"a\" has the number 5, but there are 1 pieces");
  CHECK(error_of([] { read_json_vocabulary("7", "v.json"); }) ==
        "v.json: must be a list of pieces, or pieces with their numbers");
  Vocabulary twice;
  twice.path = "v.yml";
  twice.pieces = {"</s>", "<unk>", "a", "a"};
  CHECK(error_of([&] { number_pieces("", twice, SubwordSide::source, "v"); }) ==
        "v.yml: the vocabulary has the piece \"a\" twice");
  twice.pieces = {"</s>", "a"};
  CHECK(error_of([&] { number_pieces("", twice, SubwordSide::source, "v"); }) ==
        "v.yml: the vocabulary lacks \"<unk>\", which stands for what is unknown");
}

}  // namespace tt
