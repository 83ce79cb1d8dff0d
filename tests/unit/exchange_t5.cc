// Subword models of T5: of bytes, of tokenizer.json, and such as begin a translation with <unk>.
#include <nlohmann/json.hpp>

#include "decode/translator.h"
#include "exchange/t5.h"
#include "exchange/unigram_json.h"
#include "exchange/vocabulary.h"
#include "model/language_pieces.h"
#include "tests/unit/text_fixture.h"

namespace tt {

using nlohmann::json;

TEST_CASE("the pieces of ByT5 are bytes") {
  const int extra = GENERATE(0, 125);
  const Subword subword = Subword::parse(byte_subword(3 + 256 + extra), "test");
  CHECK(subword.size() == 3 + 256 + extra);
  CHECK(subword.bos() == 0);
  CHECK(subword.eos() == 1);
  CHECK(subword.unk() == 2);
  CHECK(subword.silent().size() == static_cast<std::size_t>(1 + extra));
  for (const std::string text : {"a", " Grüße,  Welt ", "\u2581日本\t<unk><extra 300>", "</s>"}) {
    std::vector<std::int32_t> ids;
    subword.encode(text, ids);
    REQUIRE(ids.size() == text.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      CHECK(ids[i] == 3 + static_cast<unsigned char>(text[i]));
    CHECK(subword.decode(ids) == text);
  }
}

TEST_CASE("a sentence may begin with <unk>, as those of MADLAD-400 do") {
  const std::string bytes = made_up_model("unigram").bytes();
  Vocabulary vocabulary = vocabulary_of(bytes, "test");
  vocabulary.start = vocabulary.unk;
  const std::string other = number_pieces(bytes, vocabulary, SubwordSide::source, "test");
  CHECK(Subword::parse(bytes, "test").bos() == 1);
  CHECK(Subword::parse(other, "test").bos() == 0);
  CHECK(vocabulary_of(other, "test").start == vocabulary.unk);
  CHECK(number_pieces(other, vocabulary, SubwordSide::source, "test") == other);
}

TEST_CASE("a piece that chooses the language stands before a source as text has it") {
  const std::string bytes = made_up_model("unigram").bytes();
  ModelProto proto = read_model_proto(bytes, "test");
  for (const char* language : {"<2de>", "<2fr>"})
    proto.pieces.push_back({language, 0, PieceType::user_defined});
  const Subword subword = Subword::parse(
      with_pieces(bytes, proto.pieces, {}, static_cast<int>(proto.pieces.size())), "test");
  Config config;
  config.encoder_layers = config.decoder_layers = 1;
  config.source_vocab = config.target_vocab = subword.size();
  config.target_language = TargetLanguage::source;
  const auto model = make_model(config);
  const LanguageReader reader(config, subword, subword, "test");
  const LanguagePieces around = reader.pieces("", "de");
  CHECK(reader.most() == around.before.size());
  std::vector<std::int32_t> expected;
  subword.encode("<2de> karo", expected);
  REQUIRE(expected.size() > 2);
  CHECK(subword.piece(expected[0]) == kSpacePiece);
  CHECK(subword.piece(expected[1]) == "<2de>");
  expected.push_back(subword.eos());
  for (const char* line : {"karo", "<2de> karo"}) {
    std::vector<std::int32_t> pieces;
    subword.encode(line, pieces);
    Member{model.get(), &subword}.end(pieces, around);
    CHECK(pieces == expected);
  }
}

TEST_CASE("tokenizer.json of a unigram model becomes a SentencePiece model") {
  const Scratch scratch;
  const Subword& subword = made_up_model("unigram");
  json pieces = json::array();
  for (int i = 0; i < subword.size(); ++i) pieces.push_back({subword.piece(i), subword.score(i)});
  const json spaces{{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", "\u2581"}};
  json tokenizer{
      {"normalizer", {{"type", "Sequence"}, {"normalizers", {spaces}}}},
      {"pre_tokenizer", {{"type", "Metaspace"}, {"prepend_scheme", "always"}}},
      {"added_tokens",
       {{{"content", "<s>"}, {"special", true}}, {{"content", "</s>"}, {"special", true}}}},
      {"model", {{"type", "Unigram"}, {"unk_id", subword.unk()}, {"vocab", pieces}}}};
  const auto read = [&] {
    return read_unigram_json(scratch.file("tokenizer.json", tokenizer.dump()));
  };
  const Subword back = Subword::parse(read(), "test");
  REQUIRE(back.size() == subword.size());
  for (const std::string& line : made_up_lines(100, 5)) {
    std::vector<std::int32_t> expected, found;
    subword.encode(line, expected);
    back.encode("  " + line + "  Q", found);
    REQUIRE(found.size() > expected.size());
    CHECK(std::equal(expected.begin(), expected.end(), found.begin()));
    CHECK(found.back() == subword.unk());
  }
  std::vector<std::int32_t> ids;
  tokenizer["pre_tokenizer"]["prepend_scheme"] = "never";
  Subword::parse(read(), "test").encode("ka", ids);
  CHECK(subword.piece(ids[0]).find(kSpacePiece) == std::string::npos);
  const auto refused = [&](const char* key, const json& value) {
    const json before = std::exchange(tokenizer[key], value);
    const std::string message = error_of(read);
    tokenizer[key] = before;
    return message.find(key) != message.npos ? "" : message + "(none)";
  };
  CHECK(refused("normalizer", {{"type", "Lowercase"}}) == "");
  CHECK(refused("normalizer", {{"type", "Precompiled"}}) == "");
  CHECK(refused("pre_tokenizer", {{"type", "ByteLevel"}}) == "");
  CHECK(refused("model", {{"type", "BPE"}, {"vocab", json::object()}}) == "");
  CHECK(refused("model", {{"unk_id", 500}, {"vocab", pieces}}) == "");
  CHECK(refused("model", {{"unk_id", 0}, {"vocab", {{"a", "b"}}}}) == "");
  tokenizer["normalizer"] = {{"type", "Precompiled"}, {"precompiled_charsmap", "AAAA"}};
  CHECK(error_of(read) != "");
}

}  // namespace tt
