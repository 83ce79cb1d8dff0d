// Tokenizers that need files: SentencePiece models, and MeCab's dictionaries.
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "metrics/mecab_dictionary.h"
#include "metrics/mecab_search.h"
#include "metrics/tokenizer.h"
#include "tests/catch.h"
#include "tests/unit/text_fixture.h"

namespace tt::metrics {

namespace {

std::string join(const Tokenizer& tokenizer, const std::string& text) {
  std::string buffer, result;
  std::vector<std::string_view> tokens;
  tokenizer.split(text, buffer, tokens);
  for (const std::string_view token : tokens) (result += result.empty() ? "" : " ") += token;
  return result;
}

}  // namespace

TEST_CASE("the pieces of a SentencePiece model are tokens", "[metrics]") {
  const Scratch scratch;
  const Subword& subword = made_up_model("bpe");
  const std::string path = scratch.file("model", subword.bytes());
  const auto spm = make_tokenizer("spm", {path, ""});
  for (const std::string& line : made_up_lines(50, 3)) {
    std::vector<std::string> pieces;
    subword.encode(line + " ~", pieces);  // "~" is unknown
    std::string expected;
    for (const auto& piece : pieces) (expected += expected.empty() ? "" : " ") += piece;
    CHECK(join(*spm, line + " ~") == expected);
  }
  CHECK(join(*spm, "").empty());
  // A run of unknown characters is one piece, however long.
  CHECK(join(*spm, "karo " + std::string(100000, '~')) ==
        join(*spm, "karo ~") + std::string(99999, '~'));
  // A name says which model it is; without one the file does.
  CHECK(make_tokenizer("flores200", {path, ""})->signature() == "flores200");
  CHECK(spm->signature().size() == 12);
  const std::string other = scratch.file("other", made_up_model("unigram").bytes());
  CHECK(make_tokenizer("spm", {other, ""})->signature() != spm->signature());
  CHECK(make_tokenizer("spm", {other, ""})->signature() ==
        make_tokenizer("spm", {other, ""})->signature());

  // The folder in which sacreBLEU keeps its downloads.
  const char* before = std::getenv("SACREBLEU");
  const std::string kept = before ? before : "";
  ::setenv("SACREBLEU", scratch.path("cache").c_str(), 1);
  CHECK_THROWS_WITH(make_tokenizer("flores101"),
                    Contains("cache/models/sacrebleu_tokenizer_spm.model") && Contains("https://"));
  NewFolders(scratch.path("cache/models")).keep();
  scratch.file("cache/models/sacrebleu_tokenizer_spm.model", subword.bytes());
  CHECK(make_tokenizer("spm")->signature() == "flores101");
  CHECK(join(*make_tokenizer("flores101"), "karo") == join(*spm, "karo"));
  if (before) ::setenv("SACREBLEU", kept.c_str(), 1);
  else ::unsetenv("SACREBLEU");

  CHECK_THROWS_WITH(make_tokenizer("spm", {scratch.path("none"), ""}), Contains("none"));
  CHECK_THROWS_AS(make_tokenizer("spm", {scratch.file("text", "no model\n"), ""}), Error);
}

TEST_CASE("languages have their tokenizers", "[metrics]") {
  CHECK(tokenizer_for(target_language("en-zh")) == "zh");
  CHECK(tokenizer_for(target_language("de-ja")) == "ja-mecab");
  CHECK(tokenizer_for(target_language("en-ko")) == "ko-mecab");
  CHECK(tokenizer_for(target_language("zh-en")) == "13a");
  CHECK(tokenizer_for(target_language("en-zh_TW")) == "13a");  // as sacreBLEU has it
  for (const char* wrong : {"", "zh", "en-", "-zh", "en-zh-de", "EN-ZH", "en zh", "-t"}) {
    INFO(wrong);
    CHECK_THROWS_AS(target_language(wrong), Error);
  }
}

#ifdef TT_MECAB

namespace {

// A dictionary of four words, in which "이" costs more after a space; "" if MeCab's compiler is not
// installed.
std::string small_dictionary(const Scratch& scratch, const std::string& dicrc) {
  scratch.file("lex.csv", "화학,0,0,10,NN\n이외,0,0,25,NN\n이,0,0,10,JKS\n외,0,0,10,NN\n");
  scratch.file("matrix.def", "1 1\n0 0 0\n");
  scratch.file("pos-id.def", "JKS 120\nNN 150\n");
  scratch.file("char.def", "DEFAULT 1 0 0\nSPACE 0 1 0\n0x0020 SPACE\n");
  scratch.file("unk.def", "DEFAULT,0,0,100,UNK\nSPACE,0,0,100,SP\n");
  scratch.file("dicrc",
               "cost-factor = 800\nbos-feature = BOS/EOS\nconfig-charset = UTF-8\n" + dicrc);
  std::string folder = scratch.path(".");
  const std::string command = "/usr/lib/mecab/mecab-dict-index -d " + folder + " -o " + folder +
                              " -f utf-8 -t utf-8 >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) {
    WARN("skipped: there is no /usr/lib/mecab/mecab-dict-index (mecab-utils)");
    return "";
  }
  return folder;
}

}  // namespace

TEST_CASE("a space before a particle has the cost given in the dictionary", "[metrics]") {
  const Scratch scratch;
  const std::string folder =
      small_dictionary(scratch, "left-space-penalty-factor = 100,3000, 120,6000\n");
  if (folder.empty()) return;
  const auto penalties = read_space_penalties(folder);
  CHECK(penalties == std::vector<SpacePenalty>{{100, 3000}, {120, 6000}});
  const std::unique_ptr<MeCab::Model> model(
      MeCab::Model::create(("-r /dev/null -d " + folder).c_str()));
  REQUIRE(model);
  const std::unique_ptr<MeCab::Lattice> lattice(model->createLattice());
  const auto words = [&](const std::string& text, std::span<const SpacePenalty> costs) {
    std::vector<std::string_view> found;
    append_words(*model, costs, {}, text, *lattice, found);
    std::string joined;
    for (const std::string_view word : found) (joined += joined.empty() ? "" : " ") += word;
    return joined;
  };
  CHECK(words("화학 이외", penalties) == "화학 이외");
  CHECK(words("화학이외", penalties) == "화학 이 외");  // no space, no penalty
  CHECK(words("화학 이외", {}) == "화학 이 외");        // as MeCab does by itself
  CHECK(words("화학 이 ", penalties) == "화학 이");
  CHECK(words("x이  외y", penalties) == "x 이 외 y");

  scratch.file("dicrc", "cost-factor = 800\n");
  CHECK_THROWS_WITH(read_space_penalties(folder), Contains("no left-space-penalty-factor"));
  scratch.file("dicrc", "left-space-penalty-factor = 100,x\n");
  CHECK_THROWS_WITH(read_space_penalties(folder), Contains("pairs of whole numbers"));
}

// MeCab's own words, by its own search.
TEST_CASE("words are those of MeCab", "[metrics]") {
  const Scratch scratch;
  const std::string folder = small_dictionary(scratch, "");
  if (folder.empty()) return;
  const std::unique_ptr<MeCab::Model> model(
      MeCab::Model::create(("-r /dev/null -d " + folder).c_str()));
  REQUIRE(model);
  const std::unique_ptr<MeCab::Tagger> tagger(model->createTagger());
  const std::unique_ptr<MeCab::Lattice> lattice(model->createLattice()),
      own(model->createLattice());
  const auto check = [&](const std::string& text) {
    lattice->set_sentence(text.data(), text.size());
    REQUIRE(tagger->parse(lattice.get()));
    std::string expected, found;
    for (const MeCab::Node* node = lattice->bos_node()->next; node && node->next; node = node->next)
      expected += std::string(node->surface, node->length) + "|";
    std::vector<std::string_view> words;
    append_words(*model, {}, {}, text, *own, words);
    for (const std::string_view word : words) (found += word) += "|";
    CHECK(found == expected);
  };
  const std::vector<std::string> parts = {"화학", "이외", "이", "외", " ",
                                          "  ",   "x",    "화", "、", "\t"};
  std::uint32_t random = 1;
  for (int i = 0; i < 300; ++i) {
    std::string text = "x";  // a line begins with no white space, which the tokenizers take away
    for (int n = 0; n < 30; ++n) text += parts[(random = random * 1103515245 + 12345) >> 16 & 7];
    check(text + "y");
  }
  check(std::string(3000, 'x'));
  check("x" + std::string(3000, ' ') + "y 이외");

  // Beyond MeCab: what takes it minutes, and white space of more than 64 KiB, behind which it sees
  // nothing.
  std::vector<std::string_view> words;
  const std::string run(400000, 'x'), gap = "x" + std::string(70000, ' ') + "이외";
  append_words(*model, {}, {}, run, *own, words);
  std::size_t bytes = 0;
  for (const std::string_view word : words) bytes += word.size();
  CHECK(bytes == run.size());
  words.clear();
  append_words(*model, {}, {}, gap, *own, words);
  CHECK(words.back() == "외");
}

TEST_CASE("a dictionary is known by its contents", "[metrics]") {
  const Scratch scratch;
  const std::string folder = small_dictionary(scratch, "");
  if (folder.empty()) return;
  const MecabDictionary whole = read_mecab_dictionary(folder);
  CHECK(whole.entries == 4);
  CHECK(whole.charset == "utf-8");
  // A comment does not change words, a setting may.
  const std::string settings = read_file(folder + "/dicrc");
  scratch.file("dicrc", settings + "; a comment\nnode-format-x = %m\n");
  CHECK(read_mecab_dictionary(folder).checksum == whole.checksum);
  scratch.file("dicrc", settings + "max-grouping-size = 3\n");
  CHECK(read_mecab_dictionary(folder).checksum != whole.checksum);
  scratch.file("dicrc", settings);
  const auto noticed = [&] {
    try {
      return read_mecab_dictionary(folder).checksum != whole.checksum;
    } catch (const Error&) {
      return true;
    }
  };
  // Each byte counts, but those of the charset, which is looked at itself. Of the trie some are
  // tried.
  for (const char* name : {"sys.dic", "unk.dic", "matrix.bin"}) {
    const std::string bytes = read_file(folder + "/" + name);
    const std::size_t words = bytes.size() < 300 ? 0 : bytes.size() - 100;
    for (std::size_t i = 0; i < bytes.size();
         i += i < 72 || i >= words ? 1 : bytes.size() / 50 + 1) {
      if (name != std::string("matrix.bin") && i >= 40 && i < 72) continue;
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(~damaged[i]);
      scratch.file(name, damaged);
      INFO(name << ", byte " << i);
      CHECK(noticed());
    }
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{3}, bytes.size() / 2, bytes.size() - 1}) {
      scratch.file(name, bytes.substr(0, size));
      CHECK(noticed());
    }
    scratch.file(name, bytes);
  }
  CHECK(read_mecab_dictionary(folder).checksum == whole.checksum);
}

TEST_CASE("another dictionary is refused", "[metrics]") {
  const Scratch scratch;
  const std::string folder = small_dictionary(scratch, "");
  if (folder.empty()) return;
  CHECK_THROWS_WITH(make_tokenizer("ko-mecab", {"", folder}),
                    Contains("811795 entries") && Contains("4 entries"));
  CHECK_THROWS_WITH(make_tokenizer("ja-mecab", {"", folder}),
                    Contains("392126 entries") && Contains("4 entries"));
  CHECK_THROWS_WITH(make_tokenizer("ko-mecab", {"", scratch.path("none")}),
                    Contains("was not found in"));
}

// $TT_MECAB_KO_DIC: a folder with mecab-ko-dic, which Debian does not package.
TEST_CASE("ko-mecab gives MeCab-ko's words", "[.ko]") {
  const char* folder = std::getenv("TT_MECAB_KO_DIC");
  if (!folder) {
    WARN("skipped: TT_MECAB_KO_DIC names no folder with mecab-ko-dic");
    return;
  }
  const auto korean = make_tokenizer("ko-mecab", {"", folder});
  CHECK(korean->signature() == "ko-mecab-0.996/ko-0.9.2-KO");
  CHECK(join(*korean, " 아버지가 방에 들어가신다. 아버지가방에들어가신다") ==
        "아버지 가 방 에 들어가 신다 . 아버지 가 방 에 들어가 신다");
  CHECK(join(*korean, "화학 이외의 것") == "화학 이외 의 것");
  CHECK(join(*korean, "안녕\u3000하세요\u00a0나는\t학생") == "안녕 하 세요 나 는 학생");
  CHECK(join(*korean, std::string("아버지가\0방에", 19)) == "아버지 가");
  CHECK(join(*korean, " ").empty());
}

#else

TEST_CASE("ko-mecab says that MeCab is missing", "[metrics]") {
  CHECK_THROWS_WITH(make_tokenizer("ko-mecab"), Contains("without MeCab"));
}

#endif

}  // namespace tt::metrics
