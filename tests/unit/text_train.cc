// Training subword models: effects of the options, and error messages for wrong ones.
#include <algorithm>

#include "tests/unit/text_fixture.h"
#include "text/round_trip.h"
#include "text/train_subword.h"

namespace tt {
namespace {

SubwordOptions options(const std::string& type = "bpe") {
  SubwordOptions options;
  options.type = type;
  options.vocab_size = 100;
  return options;
}

std::string error_with(const SubwordOptions& options) {
  static const auto lines = made_up_lines(300, 1);
  return error_of([&] { train_on(lines, options); });
}

std::vector<std::string> pieces_of(const Subword& model) {
  std::vector<std::string> pieces;
  for (int i = 0; i < model.size(); ++i) pieces.push_back(model.piece(i));
  return pieces;
}

TEST_CASE("the same text and options make the same model") {
  for (const char* type : {"bpe", "unigram"})
    CHECK(train_on(made_up_lines(500, 1), options(type)).bytes() ==
          train_on(made_up_lines(500, 1), options(type)).bytes());
}

TEST_CASE("several files are one text") {
  const Scratch scratch;
  const auto lines = made_up_lines(400, 1);
  const auto a = scratch.file("a", as_text({lines.begin(), lines.begin() + 150})),
             empty = scratch.file("empty", ""),
             b = scratch.file("b", as_text({lines.begin() + 150, lines.end()}));
  set_quiet(true);
  CHECK(train_subword({a, empty, b}, options()).bytes() == train_on(lines, options()).bytes());
}

TEST_CASE("a sample of the lines depends on the seed") {
  auto sampled = options();
  sampled.lines = 60;
  sampled.vocab_size = 80;
  const auto lines = made_up_lines(600, 1);
  const auto first = pieces_of(train_on(lines, sampled));
  CHECK(pieces_of(train_on(lines, sampled)) == first);
  sampled.seed = 2;
  CHECK(pieces_of(train_on(lines, sampled)) != first);
}

TEST_CASE("normalisation is as requested") {
  const auto lines = made_up_lines(300, 1);
  const auto encoded = [&](const std::string& normalisation) {
    auto with = options();
    with.normalisation = normalisation;
    std::vector<std::int32_t> ids;
    const Subword model = train_on(lines, with);
    model.encode("KA ｋa", ids);
    return model.decode(ids);
  };
  CHECK(encoded("nmt_nfkc_cf") == "ka ka");
  CHECK(encoded("nfkc_cf") == "ka ka");
  CHECK(encoded("nmt_nfkc").find(" ka") != std::string::npos);
  CHECK(encoded("nfkc").find("ka", 2) != std::string::npos);
  CHECK(encoded("identity").find(" ka") == std::string::npos);
}

TEST_CASE("the rules of our own change nothing that a reader sees") {
  auto lines = made_up_lines(300, 1);
  const char* const same[] = {"，。：；？！（）「」《》",
                              "Ｋａ １２",
                              "½ ² ™ … ﬁ ㎏",
                              "می‌خواهم",
                              "a\u3000b",
                              "\u00e9 \uac01",
                              "क्‍ष"};
  for (const char* line : same)
    for (int i = 0; i < 20; ++i) lines.push_back(line);
  auto with = options();
  with.vocab_size = 130, with.coverage = 1;
  const Subword model = train_on(lines, with);
  const auto back = [&](const std::string& line) {
    std::vector<std::int32_t> ids;
    model.encode(line, ids);
    return model.decode(ids);
  };
  for (const char* line : same) CHECK(back(line) == line);
  CHECK(back("e\u0301 \u1100\u1161\u11a8") == "\u00e9 \uac01");
  CHECK(back("\uac00\u11a8") == "\uac01");
  CHECK(back("ka\u00a0ro\u2009mi\tt\u0007en") == "ka ro mi ten");
  CHECK(model.bytes().find("/proc/") == std::string::npos);
  with.normalisation = "nmt_nfkc";
  CHECK(train_on(lines, with).bytes().size() > 0);
}

TEST_CASE("it is said what does not come back from its pieces") {
  auto lines = made_up_lines(300, 1);
  for (int i = 0; i < 100; ++i) lines.push_back("ka， ro，");
  lines.push_back("ka Ω");
  auto with = options();
  with.normalisation = "nmt_nfkc";
  const Subword model = train_on(lines, with);
  const RoundTrip trip = try_round_trip(model, lines);
  CHECK(trip.lines == 401);
  CHECK(trip.changed == 100);
  REQUIRE(trip.normalised.size() == 1);
  CHECK(trip.normalised[0] == std::pair<std::string, std::size_t>("，", 100));
  CHECK(text_of(trip, "nmt_nfkc")
            .starts_with("24.9 % of 401 lines do not come back from their pieces as they were, "
                         "since normalisation changes "
                         "， (100 lines); "));
  CHECK(text_of(try_round_trip(model, {"ka  ro ", " mi", "ka\u00ADro"}), "nmt_nfkc") ==
        "all of 3 lines come back from their pieces as they were");
  const RoundTrip unknown = try_round_trip(model, {"ka ☃ro☃"});
  CHECK(unknown.unknown == 1);
  CHECK(unknown.without_piece == RoundTrip::Characters{{"☃", 1}});
}

TEST_CASE("user symbols are never split, and bytes spell unknown characters") {
  auto with = options();
  with.user_symbols = {"<2de>", "a,b", "\"q\""};
  with.byte_fallback = true;
  with.vocab_size = 400;
  const Subword model = train_on(made_up_lines(800, 1), with);
  CHECK(model.piece(3) == "<2de>");
  CHECK(model.piece(4) == "a,b");
  CHECK(model.piece(5) == "\"q\"");
  std::vector<std::string> pieces;
  model.encode("ka<2de>a,b\"q\"€", pieces);
  for (const char* piece : {"<2de>", "a,b", "\"q\"", "<0xE2>", "<0x82>", "<0xAC>"})
    CHECK(std::find(pieces.begin(), pieces.end(), piece) != pieces.end());
}

TEST_CASE("lines that are too long are skipped") {
  auto with = options();
  with.longest_line = 20;
  auto lines = made_up_lines(600, 1);
  std::vector<std::string> kept;
  for (const auto& line : lines)
    if (line.size() <= 20) kept.push_back(line);
  CHECK(pieces_of(train_on(lines, with)) == pieces_of(train_on(kept, with)));
}

TEST_CASE("every error says what to do") {
  auto wrong = options();
  wrong.vocab_size = 100000;
  CHECK(error_with(wrong).find("the text is too small for 100000 pieces; choose vocab_size ") == 0);
  wrong.type = "unigram";
  CHECK(error_with(wrong).find("the text is too small for 100000 pieces; choose vocab_size ") == 0);
  wrong.vocab_size = 5;
  CHECK(error_with(wrong).find(
            "5 pieces are too few: the characters of the text and the special pieces alone are ") ==
        0);
  wrong = options(), wrong.vocab_size = 0;
  CHECK(error_with(wrong) == "a vocabulary of 0 pieces; it must be positive");
  wrong = options("word");
  CHECK(error_with(wrong) == "the type is word; it must be bpe or unigram");
  wrong = options(), wrong.coverage = 0.5;
  CHECK(error_with(wrong) == "coverage is 0.5; it must be 0.98 to 1");
  wrong = options(), wrong.normalisation = "nfd";
  CHECK(error_with(wrong) == "there is no normalisation nfd");
  wrong = options(), wrong.lines = -1;
  CHECK(error_with(wrong) == "a sample of -1 lines; give a positive number, or 0 for all");
  for (const std::string reserved : {"<s>", "</s>", "<unk>", "\u2581", "<0x0A>"}) {
    wrong = options(), wrong.user_symbols = {reserved};
    CHECK(error_with(wrong) == "the user symbol " + reserved + " is reserved; choose another name");
  }
  wrong = options(), wrong.user_symbols = {"@", "@"};
  CHECK(error_with(wrong) == "the user symbol @ is given twice");
  wrong.user_symbols = {""};
  CHECK(error_with(wrong) == "a user symbol is empty");
  wrong.user_symbols = {"a\nb"};
  CHECK(error_with(wrong) == "the user symbol a\\nb contains a line break");
  wrong.user_symbols = {"\xFF"};
  CHECK(error_with(wrong) == "the user symbol \\xFF is not UTF-8");
}

TEST_CASE("text that cannot be used is named") {
  const Scratch scratch;
  CHECK(error_of([&] { train_subword({scratch.file("e", "")}, options()); }) ==
        "there is no text to train on");
  CHECK(error_of([&] { train_subword({scratch.file("e", "\n\n")}, options()); }) ==
        "there is no text to train on");
  const auto good = scratch.file("good", as_text(made_up_lines(200, 1)));
  CHECK(error_of([&] {
          train_subword({good, "/nowhere/x"}, options());
        }).find("/nowhere/x: cannot be read") == 0);
  const auto damaged = scratch.file("damaged", "ka\nro\xC3\n");
  const std::string why =
      ":2: not UTF-8: byte 3 of the line; convert the file with iconv, or remove the line";
  CHECK(error_of([&] { train_subword({good, damaged}, options()); }) == damaged + why);
}

}  // namespace
}  // namespace tt
