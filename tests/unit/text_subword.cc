// Subword models: which files are accepted, and text to pieces and back.
#include <sentencepiece_trainer.h>

#include <algorithm>

#include "tests/unit/text_fixture.h"
#include "text/subword.h"
#include "text/unread.h"

namespace tt {
namespace {

using Ids = std::vector<std::int32_t>;

// Difficult lines, without LF.
std::vector<std::string> odd_lines() {
  return {"",
          " ",
          "   two   spaces  ",
          std::string("nul\0nul", 7),
          "cr\r",
          "tab\tx",
          "\u2028\u2029\u0085",
          "\uFEFFbom",
          "a \u0301b \u0345c",
          "wide\u3000space \u00A0 x",
          "ﬁ ﷺ ㍿ Å",
          "▁▁ ▁x",
          "<s> </s> <unk> <0x41>",
          "ka\xFFro \xED\xA0\x80 x",
          "한국 \u3099 が",
          "x " + std::string(70, 'k')};
}

TEST_CASE("a trained model numbers its special pieces 0, 1, 2") {
  for (const char* type : {"bpe", "unigram"}) {
    const Subword& model = made_up_model(type);
    CHECK(model.size() == 120);
    CHECK(std::vector<int>{model.unk(), model.bos(), model.eos()} == std::vector<int>{0, 1, 2});
    CHECK(model.piece(1) == "<s>");
    CHECK(model.kind() ==
          (std::string(type) == "bpe" ? Subword::Kind::bpe : Subword::Kind::unigram));
  }
}

TEST_CASE("text comes back from its pieces") {
  for (const char* type : {"bpe", "unigram"}) {
    const Subword& model = made_up_model(type);
    std::size_t pieces = 0, bytes = 0;
    for (const auto& line : made_up_lines(200, 2)) {
      Ids ids;
      model.encode(line, ids);
      CHECK(model.decode(ids) == line);
      pieces += ids.size(), bytes += line.size();
      std::string joined;
      for (const int id : ids) joined += model.piece(id);
      std::string spaced = "▁" + line;
      for (auto at = spaced.find(' '); at != std::string::npos; at = spaced.find(' '))
        spaced.replace(at, 1, "▁");
      CHECK(joined == spaced);
    }
    CHECK(2 * pieces < bytes);
  }
}

TEST_CASE("a model's bytes make the same model, and it writes them unchanged") {
  const Subword& model = made_up_model("bpe");
  const Scratch scratch;
  const Subword again = Subword::parse(model.bytes(), "copy"),
                loaded = Subword::load(scratch.file("m", model.bytes()));
  CHECK(again.bytes() == model.bytes());
  for (const auto& line : made_up_lines(20, 3)) {
    Ids a, b, c;
    model.encode(line, a), again.encode(line, b), loaded.encode(line, c);
    CHECK(a == b);
    CHECK(a == c);
  }
}

TEST_CASE("a long line of unknown characters is encoded as a short one, in parts") {
  std::string unknown, mixed;
  for (int i = 0; i < 5000; ++i) {
    const char32_t c = static_cast<char32_t>(0x4E00 + i * 7 % 3001);
    for (const int shift : {12, 6, 0})
      unknown += static_cast<char>(shift == 12 ? 0xE0 | c >> 12 : 0x80 | (c >> shift & 0x3F));
    mixed += unknown.substr(unknown.size() - 3);
    if (i % 3 == 0) mixed += "\u0301\u3099";  // which normalisation may join to what stands before
    if (i % 1000 == 999) mixed += made_up_lines(1, static_cast<unsigned>(i))[0] + "e\u0301";
  }
  for (const char* type : {"bpe", "unigram"}) {
    const Subword& model = made_up_model(type);
    sentencepiece::SentencePieceProcessor library;
    REQUIRE(library.LoadFromSerializedProto(model.bytes()).ok());
    for (const std::string& line :
         {unknown, "\u00E9 " + unknown + " and " + unknown, mixed, std::string(9000, 'k')}) {
      Ids ids;
      std::vector<std::string> pieces, expected_pieces;
      std::vector<int> expected;
      REQUIRE(library.Encode(line, &expected).ok());
      REQUIRE(library.Encode(line, &expected_pieces).ok());
      model.encode(line, ids);
      model.encode(line, pieces);
      CHECK(std::equal(ids.begin(), ids.end(), expected.begin(), expected.end()));
      CHECK(pieces == expected_pieces);
    }
  }
}

TEST_CASE("the encoder that remembers words gives what the model gives") {
  auto lines = odd_lines();
  for (const auto& line : made_up_lines(300, 4)) lines.push_back(line);
  for (const char* type : {"bpe", "unigram"}) {
    const Subword& model = made_up_model(type);
    SubwordEncoder encoder(model);
    for (int round = 0; round < 2; ++round)
      for (const auto& line : lines) {
        Ids expected, ids = {7};
        model.encode(line, expected);
        encoder.append(line, ids);
        expected.insert(expected.begin(), 7);
        CHECK(ids == expected);
        std::vector<std::string> pieces;
        model.encode(line, pieces);
        std::string joined, text;
        for (const auto& piece : pieces) joined += (joined.empty() ? "" : " ") + piece;
        encoder.append(line, text);
        CHECK(text == joined);
      }
  }
}

// Only models from elsewhere are like this: custom rules may combine a space and the following
// character into one.
TEST_CASE("the encoder does not cut where a rule of normalisation joins") {
  const Scratch scratch;
  std::string bytes;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      {{"input", scratch.file("text", as_text(made_up_lines(800, 1)))},
       {"model_type", "bpe"},
       {"vocab_size", "100"},
       {"normalization_rule_tsv", scratch.file("rules", "20 6B\t78\n")},
       {"minloglevel", "9"}},
      nullptr, &bytes);
  REQUIRE(status.ok());
  const Subword model = Subword::parse(bytes, "rules");
  SubwordEncoder encoder(model);
  for (const std::string line : {"mi ka", "mi ro ka ro"}) {
    Ids expected, ids;
    model.encode(line, expected);
    encoder.append(line, ids);
    CHECK(ids == expected);
    CHECK(model.decode(ids).find('x') != std::string::npos);
  }
}

TEST_CASE("invisible characters make no difference to pieces, and none to their places") {
  for (const char* type : {"bpe", "unigram"}) {
    const Subword& model = made_up_model(type);
    SubwordEncoder encoder(model);
    Random random(1, 1);
    Ids plain, ids, cached, sampled;
    model.encode("kaßemi ro", plain);
    const std::string odd = "\u2066ka\u00ADßemi\u2069 \u200B\u200Cro\uFEFF";
    model.encode(odd, ids);
    CHECK(ids == plain);
    encoder.append(odd, cached);
    CHECK(cached == plain);
    model.sample(odd, type == std::string("bpe") ? 0.0f : 1000.0f, random, sampled);
    CHECK(sampled == plain);
    // Each piece has what it spells, and what nobody sees beside it.
    const auto ranges = model.encoded_ranges(odd);
    REQUIRE(ranges.size() == plain.size());
    std::string spelt;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      CHECK(ranges[i].begin >= (i ? ranges[i - 1].end : 0));
      spelt += odd.substr(ranges[i].begin, ranges[i].end - ranges[i].begin);
    }
    CHECK(spelt.starts_with("ka"));
    CHECK(spelt.ends_with("ro"));
    for (const char* nothing : {"\u00AD", "\u2066", "\u200D\uFE0F", "\u2060 \u2060"}) {
      model.encode(nothing, ids);
      CHECK(ids.empty());
    }
  }
}

TEST_CASE("what a model does not read as it is is found where it stands") {
  const auto stretches = [](const std::string& line, const std::vector<TextRange>& ranges) {
    std::vector<std::string> all;
    for (const TextRange& r : ranges) all.push_back(line.substr(r.begin, r.end - r.begin));
    return all;
  };
  using Strings = std::vector<std::string>;
  const auto unknown = [&](const Subword& model, const std::string& line) {
    return stretches(line, unread(model, line).unknown);
  };
  const auto dropped = [&](const Subword& model, const std::string& line) {
    return stretches(line, unread(model, line).dropped);
  };
  SubwordOptions options;
  options.vocab_size = 120;
  options.normalisation = "nmt_nfkc";
  const Subword nfkc = train_on(made_up_lines(1500, 1), options);
  options.byte_fallback = true, options.vocab_size = 380;
  const Subword bytes = train_on(made_up_lines(1500, 1), options);
  for (const Subword* model : {&made_up_model("bpe"), &made_up_model("unigram"), &nfkc}) {
    CHECK(unknown(*model, "ka ro ten, ").size() == 1);
    CHECK(unknown(*model, "ka ro\t ten \u00A0\r").empty());
    CHECK(unknown(*model, "kaΩroΩ😀 ☃") == Strings{"Ω", "Ω", "😀", "☃"});
    CHECK(unknown(*model, "\u00ADΩ\u2060ka\u00ADΩ") == Strings{"Ω", "Ω"});
    CHECK(dropped(*model, "ka\u0001ro \u007F\u009F ▁") ==
          Strings{"\u0001", "\u007F", "\u009F", "▁"});
    CHECK(unknown(*model, "e\u0300").empty());  // composed
    CHECK(unknown(*model, "\u00AD\u200B").empty());
  }
  CHECK(unknown(nfkc, "ｋａ").empty());  // normalised
  CHECK(unknown(made_up_model("bpe"), "ｋａ") == Strings{"ｋ", "ａ"});
  CHECK(dropped(nfkc, "\uFFFD") == Strings{"\uFFFD"});
  CHECK(unknown(bytes, "Ω😀☃").empty());
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "Ωβ";
  CHECK(unknown(made_up_model("bpe"), many).size() == 40000);
}

TEST_CASE("damaged text is read as U+FFFD") {
  Ids damaged, repaired;
  made_up_model("bpe").encode("ka\xFFro", damaged);
  made_up_model("bpe").encode("ka\uFFFDro", repaired);
  CHECK(damaged == repaired);
  CHECK(damaged.size() > 1);
}

TEST_CASE("decoding takes any number and gives one line") {
  SubwordOptions options;
  options.vocab_size = 400;
  options.byte_fallback = true;
  const Subword model = train_on(made_up_lines(1500, 1), options);
  const auto id = [&](const std::string& piece) {
    for (int i = 0; i < model.size(); ++i)
      if (model.piece(i) == piece) return i;
    FAIL("no piece " << piece);
    return -1;
  };
  CHECK(model.decode(Ids{}).empty());
  CHECK(model.decode(Ids{model.bos(), model.eos()}).empty());
  CHECK(model.decode(Ids{-1}) == model.decode(Ids{model.unk()}));
  CHECK(model.decode(Ids{model.size()}) == model.decode(Ids{model.unk()}));
  CHECK(model.decode(Ids{id("k"), id("<0x0A>"), id("k")}) == "k k");
  Ids ids;
  model.encode("ka€", ids);  // the sign is not in the text: three bytes
  CHECK(ids.size() >= 4);
  CHECK(model.decode(ids) == "ka€");
}

TEST_CASE("a text without a piece stands for itself") {
  std::vector<std::string> pieces;
  made_up_model("bpe").encode("ka €€ ro", pieces);
  CHECK(std::find(pieces.begin(), pieces.end(), "€€") != pieces.end());
  CHECK(made_up_model("bpe").decode(pieces) == "ka €€ ro");
}

TEST_CASE("what is not a model is refused by name") {
  const std::string no_model = "f: not a SentencePiece model; train one with tt-bpe";
  const auto parse = [](const std::string& bytes) {
    return error_of([&] { Subword::parse(bytes, "f"); });
  };
  CHECK(parse("") == no_model);
  CHECK(parse("Some text.\n") == no_model);
  CHECK(parse(std::string(1000, '\0')) == no_model);
  CHECK(parse(std::string(1000, '\xFF')) == no_model);
  const std::string& bytes = made_up_model("bpe").bytes();
  CHECK(parse(bytes).empty());
  CHECK(parse(bytes.substr(0, bytes.size() - 1)) == no_model);
  CHECK(parse(bytes.substr(0, bytes.size() / 2)) == no_model);
  CHECK(error_of([] { Subword::load("/nowhere/m"); }).find("/nowhere/m: cannot be read") == 0);
}

TEST_CASE("a model without <s> or </s> is refused") {
  std::string bytes = made_up_model("bpe").bytes();
  const auto at = bytes.find("\x0A\x04</s>");
  REQUIRE(at != std::string::npos);
  bytes.replace(at, 6, "\x0A\x04</t>");
  CHECK(error_of([&] { Subword::parse(bytes, "f"); }) ==
        "f: the model has no piece </s>; train one that has it");
}

// A model with one piece more than required, written byte by byte.
TEST_CASE("an invalid piece is refused with a one-line error") {
  const auto piece = [](const std::string& text, const std::string& score, char type) {
    const std::string body = "\x0A" + std::string(1, static_cast<char>(text.size())) + text +
                             "\x15" + score + "\x18" + type;
    return "\x0A" + std::string(1, static_cast<char>(body.size())) + body;
  };
  const std::string zero(4, '\0'), nan("\x00\x00\xC0\x7F", 4);
  const auto parse = [&](const std::string& text, const std::string& score, char type = 1) {
    const std::string bytes = piece("<unk>", zero, 2) + piece("<s>", zero, 3) +
                              piece("</s>", zero, 3) + piece(text, score, type) +
                              std::string("\x12\x02\x18\x01", 4);  // a unigram model
    return error_of([&] { Subword::parse(bytes, "f"); });
  };
  CHECK(parse("ka", zero).empty());
  CHECK(parse("ka", nan) == "f: not a SentencePiece model; train one with tt-bpe");
  CHECK(parse("k\xFF", zero) == "f: not a SentencePiece model; train one with tt-bpe");
  for (const std::string& error :
       {parse("", zero), parse("k\na", zero, 6)}) {  // the library throws, or says no
    CHECK(error.find("f: not a usable SentencePiece model: \"") == 0);
    CHECK(error.find('\n') == std::string::npos);
  }
}

// The rules of normalisation are a table with offsets, which may be wrong in a damaged file.
TEST_CASE("damaged models are refused or work, but never read out of bounds") {
  const std::string& bytes = made_up_model("unigram").bytes();
  int refused = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Random random(5, i);
    std::string damaged = bytes;
    if (i % 3 == 0) damaged.resize(random.below(static_cast<std::uint32_t>(damaged.size())));
    else
      for (int k = 0; k < 40; ++k)
        damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] =
            static_cast<char>(random.bits());
    const std::string error = error_of([&] {
      const Subword model = Subword::parse(damaged, "f");
      Ids ids;
      for (const auto& line : odd_lines()) model.encode(line, ids), model.decode(ids);
    });
    refused += !error.empty();
    if (!error.empty()) CHECK(error.find("f: ") == 0);
  }
  CHECK(refused >= 100);
}

}  // namespace
}  // namespace tt
