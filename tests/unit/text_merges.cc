// The codes of subword-nmt cut words as that program cuts them.
#include "exchange/vocabulary.h"
#include "tests/unit/text_fixture.h"
#include "text/merges.h"

namespace tt {
namespace {

const std::string kMerges =
    "a a\naa a</w>\nb c\na bc\nbc d</w>\na b\nü ü\nc </w>\nd </w>\nbc d\nbcd </w>\n";

std::string cut(const Merges& merges, std::string line) {
  std::string text;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string word = line.substr(begin, end - begin);
    std::size_t at = 0;
    for (const std::size_t size : merges.cut(word)) {
      text += word.substr(at, size) + (at + size < word.size() ? "@@ " : " ");
      at += size;
    }
    begin = end + 1;
  }
  text.pop_back();
  return text;
}

// Pieces that a corpus may have had.
Vocabulary vocabulary() {
  Vocabulary vocabulary;
  vocabulary.pieces = {"<unk>", "<s>", "</s>", "aa@@", "aa", "b", "abc", "abc@@", "d", "ü@@"};
  vocabulary.start = "<s>";
  return vocabulary;
}

}  // namespace

// printf '#version: 0.2\n...' >codes; subword-nmt apply-bpe -c codes (version 0.3.8)
TEST_CASE("merges are applied as subword-nmt applies them") {
  const std::string text = "aaaa aaa aaaaa abcd abc xbcd ab üüüb c d aabaabcd";
  const Merges new_ones("#version: 0.2\n" + kMerges, "codes"),
      old_ones("#version: 0.1\r\n" + kMerges, "codes");
  CHECK(cut(new_ones, text) ==
        "aa@@ a@@ a aaa aa@@ aaa abc@@ d ab@@ c x@@ bcd a@@ b üü@@ ü@@ b c d aa@@ b@@ aa@@ bcd");
  CHECK(cut(old_ones, text) ==
        "aa@@ aa aa@@ a aa@@ aa@@ a abc@@ d abc x@@ bcd ab üü@@ ü@@ b c d aa@@ b@@ aa@@ bcd");
  CHECK(new_ones.cut(std::string(100000, 'a')).size() == 50001);
}

TEST_CASE("what is no list of merges is refused with the number of its line") {
  const auto problem = [](const std::string& bytes) {
    return error_of([&] { Merges(bytes, "codes"); });
  };
  CHECK(problem("#version: 0.3\n") ==
        "codes: merges of version \"0.3\" cannot be read; those of 0.1 and 0.2 can");
  for (const char* line : {"a", "a ", " a", "a b c", "", "a \xff"})
    CHECK_THAT(problem("#version: 0.2\na b\n" + std::string(line) + "\nb c\n"),
               Catch::Contains("codes:3: ") && Catch::Contains("is no merge"));
  CHECK(problem("#version: 0.2\na b\n\n").empty());
}

TEST_CASE("a subword model keeps the merges that cut words") {
  const std::string codes = "#version: 0.2\n" + kMerges;
  const Subword subword =
      Subword::parse(number_pieces(codes, vocabulary(), SubwordSide::target, "codes"), "model");
  std::vector<std::int32_t> ids;
  subword.encode("aab  abcd xb", ids);
  CHECK(ids == std::vector<std::int32_t>{3, 5, 7, 8, 0, 5});
  std::vector<std::string> pieces;
  subword.encode("aaaa abcd", pieces);
  CHECK(subword.decode(pieces) == "aaaa abcd");
  CHECK(subword.decode(ids) == "aab abcd \u2047 b");
  CHECK(subword.decode(std::vector<std::int32_t>{4, 3}) == "aa aa");
  std::string spelt;
  const std::string text = subword.decode(std::vector<std::int32_t>{3, 4, 7, 8, 3});
  for (const TextRange& r : subword.decoded_ranges(std::vector<std::int32_t>{3, 4, 7, 8, 3}))
    spelt += text.substr(r.begin, r.end - r.begin) + "|";
  CHECK(spelt == "aa|aa| abc|d| aa|");
  // And back: the pieces of a vocabulary.
  CHECK(vocabulary_of(subword.bytes(), "model").pieces == vocabulary().pieces);
}

}  // namespace tt
