// Reading parallel text: stored and skipped pairs, and every error in a corpus.
#include <zlib.h>

#include <algorithm>

#include "tests/unit/text_fixture.h"
#include "text/corpus.h"

namespace tt {
namespace {

using Ids = std::vector<std::int32_t>;

const Subword& bpe() { return made_up_model("bpe"); }
const Subword& unigram() { return made_up_model("unigram"); }

ParallelCorpus read(const std::string& source, const std::string& target, std::int64_t max_length = 256, int threads = 2) {
  set_quiet(true);
  return read_parallel(source, target, bpe(), unigram(), {max_length, threads});
}

std::string error_in(const std::string& source, const std::string& target) {
  return error_of([&] { read(source, target); });
}

Ids encoded(const Subword& model, const std::string& line) {
  Ids ids;
  model.encode(line, ids);
  ids.push_back(model.eos());
  return ids;
}

// Checks that pair i of the corpus is these two lines.
void check_pair(const ParallelCorpus& corpus, std::int64_t i, const std::string& source, const std::string& target) {
  Ids a, b;
  corpus.append_source(a, i);
  corpus.append_target(b, i);
  CHECK(a == encoded(bpe(), source));
  CHECK(b == encoded(unigram(), target));
  CHECK(corpus.source_length(i) == static_cast<std::int64_t>(a.size()));
  CHECK(corpus.target_length(i) == static_cast<std::int64_t>(b.size()));
}

TEST_CASE("a corpus keeps every pair in order, for any number of threads") {
  const Scratch scratch;
  const auto source = made_up_lines(3456, 1), target = made_up_lines(3456, 2);
  const auto a = scratch.file("a", as_text(source)), b = scratch.file("b", as_text(target));
  for (const int threads : {1, 2, 5}) {
    const auto corpus = read(a, b, 256, threads);
    REQUIRE(corpus.size() == 3456);
    std::int64_t tokens = 0;
    for (std::int64_t i = 0; i < corpus.size(); ++i) {
      check_pair(corpus, i, source[static_cast<std::size_t>(i)], target[static_cast<std::size_t>(i)]);
      tokens += corpus.target_length(i);
    }
    CHECK(corpus.target_tokens() == tokens);
    CHECK(corpus.bos() == unigram().bos());
  }
}

TEST_CASE("lines with tabs, gzip, and a missing LF at the end are the same corpus") {
  const Scratch scratch;
  const auto source = made_up_lines(50, 1), target = made_up_lines(50, 2);
  std::string tabs;
  for (std::size_t i = 0; i < 50; ++i) tabs += (i ? "\n" : "") + source[i] + "\t" + target[i];
  const std::string packed = scratch.path("packed.gz");
  gzFile gz = gzopen(packed.c_str(), "wb");
  gzwrite(gz, tabs.data(), static_cast<unsigned>(tabs.size()));
  gzclose(gz);
  for (const auto& path : {scratch.file("tabs", tabs), packed}) {
    const auto corpus = read(path, "");
    REQUIRE(corpus.size() == 50);
    for (std::size_t i = 0; i < 50; ++i) check_pair(corpus, static_cast<std::int64_t>(i), source[i], target[i]);
  }
}

TEST_CASE("pairs with an empty or a too long side are skipped and counted") {
  const Scratch scratch;
  // With </s>: "k" is 2 pieces or more, and ten words are 11 or more.
  const std::string ten = "ka ro mi ka ro mi ka ro mi ka";
  const auto corpus =
      read(scratch.file("a", "ka\n\nka\nro\n" + ten + "\nmi\n \n"), scratch.file("b", "ro\nka\n\nka\nmi\n" + ten + "\nka\n"), 10);
  REQUIRE(corpus.size() == 2);
  check_pair(corpus, 0, "ka", "ro");
  check_pair(corpus, 1, "ro", "ka");
  CHECK(corpus.empty_pairs == 3);
  CHECK(corpus.long_pairs == 2);
}

TEST_CASE("the limit counts </s> and is inclusive") {
  const Scratch scratch;
  const auto length = static_cast<std::int64_t>(encoded(bpe(), "ka ro mi").size());
  const auto a = scratch.file("a", "ka ro mi\nka\n"), b = scratch.file("b", "ka\nka\n");
  CHECK(read(a, b, length).size() == 2);
  CHECK(read(a, b, length - 1).size() == 1);
  const auto other = static_cast<std::int64_t>(encoded(unigram(), "ka ro mi").size());
  CHECK(read(b, a, other).size() == 2);
  CHECK(read(b, a, other - 1).size() == 1);
}

TEST_CASE("a development set drops nothing and keeps its text") {
  const Scratch scratch;
  const std::string longer(3000, 'k');
  const std::vector<std::string> source = {"ka", "", longer, "cr\r"}, target = {"", "ro", "mi", std::string("nul\0", 4)};
  const auto set =
      read_development(scratch.file("a", as_text(source)), scratch.file("b", as_text(target)), bpe(), unigram(), {10, 2});
  CHECK(set.source == source);
  CHECK(set.reference == target);
  REQUIRE(set.corpus.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) check_pair(set.corpus, static_cast<std::int64_t>(i), source[i], target[i]);
  CHECK(set.corpus.source_length(1) == 1);
}

TEST_CASE("a store holds what a vocabulary of any size needs") {
  for (const int vocabulary : {65536, 65537, 300000}) {
    TokenStore store(vocabulary);
    const Ids first = {0, vocabulary - 1, 65535}, third = {vocabulary - 1};
    store.append(first), store.append(Ids{}), store.append(third);
    Ids read = {9};
    store.append_to(read, 0), store.append_to(read, 1), store.append_to(read, 2);
    CHECK(read == Ids{9, 0, vocabulary - 1, 65535, vocabulary - 1});
    CHECK(store.size() == 3);
    CHECK(store.length(1) == 0);
    CHECK(store.tokens() == 4);
  }
}

TEST_CASE("every error names the file, the line and the remedy") {
  const Scratch scratch;
  const auto a = scratch.file("a", "ka\nro\nmi\n"), b = scratch.file("b", "ka\nro"), empty = scratch.file("empty", "");
  CHECK(error_in(a, b) == a + " has 3 lines, but " + b + " has 2; line N of one must be the translation of line N of the other");
  CHECK(error_in(b, a) == b + " has 2 lines, but " + a + " has 3; line N of one must be the translation of line N of the other");
  CHECK(error_in(empty, a) ==
        empty + " has 0 lines, but " + a + " has 3; line N of one must be the translation of line N of the other");
  CHECK(error_in(empty, empty) == empty + ", " + empty + ": the corpus is empty");
  CHECK(error_in(empty, "") == empty + ": the corpus is empty");
  CHECK(error_in("/nowhere/x", a).find("/nowhere/x: cannot be read") == 0);
  CHECK(error_in(a, "/nowhere/x").find("/nowhere/x: cannot be read") == 0);
  CHECK(error_in("-", "-").find("stdin cannot be both sides") == 0);
  const auto damaged = scratch.file("damaged", "ka\nro \xFFmi\nka\n");
  const std::string byte_4 = damaged + ":2: not UTF-8: byte 4 of the line; convert the file with iconv, or remove the line";
  CHECK(error_in(damaged, a) == byte_4);
  CHECK(error_in(a, damaged) == byte_4);
  const auto no_tab = scratch.file("no_tab", "a\tb\nno tab\n"), tabs = scratch.file("tabs", "a\tb\tc\n");
  CHECK(error_in(no_tab, "") == no_tab + ":2: 0 tabs in the line; expected exactly one, between source and target");
  CHECK(error_in(tabs, "") == tabs + ":1: 2 tabs in the line; expected exactly one, between source and target");
  const auto blank = scratch.file("blank", "\n\n\n");
  CHECK(error_in(blank, a) == blank + ", " + a + ": no pairs are left: skipped 3 pairs with an empty side");
}

}  // namespace
}  // namespace tt
