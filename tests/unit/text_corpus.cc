// Reading parallel text: stored and skipped pairs, and every error in a corpus.
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/unit/text_fixture.h"
#include "text/corpus.h"

namespace tt {
namespace {

using Ids = std::vector<std::int32_t>;

const Subword& bpe() { return made_up_model("bpe"); }
const Subword& unigram() { return made_up_model("unigram"); }

ParallelCorpus read(const std::string& source, const std::string& target,
                    std::int64_t max_length = 256, int threads = 2) {
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
void check_pair(const ParallelCorpus& corpus, std::int64_t i, const std::string& source,
                const std::string& target) {
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
      check_pair(corpus, i, source[static_cast<std::size_t>(i)],
                 target[static_cast<std::size_t>(i)]);
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
    for (std::size_t i = 0; i < 50; ++i)
      check_pair(corpus, static_cast<std::int64_t>(i), source[i], target[i]);
  }
}

TEST_CASE("pairs with an empty or a too long side are skipped and counted") {
  const Scratch scratch;
  // With </s>: "k" is 2 pieces or more, and ten words are 11 or more.
  const std::string ten = "ka ro mi ka ro mi ka ro mi ka";
  const auto corpus = read(scratch.file("a", "ka\n\nka\nro\n" + ten + "\nmi\n \n"),
                           scratch.file("b", "ro\nka\n\nka\nmi\n" + ten + "\nka\n"), 10);
  REQUIRE(corpus.size() == 2);
  CHECK(
      corpus.pairs().remarks.at(0).ends_with(": skipped 5 of 7 pairs: 2 longer than 10 pieces "
                                             "(first: line 5), 3 with an empty side (first: "
                                             "line 2)"));
  check_pair(corpus, 0, "ka", "ro");
  check_pair(corpus, 1, "ro", "ka");
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
  const std::vector<std::string> source = {"ka", "", longer, "cr\r"},
                                 target = {"", "ro", "mi", std::string("nul\0", 4)};
  const CorpusPart part{scratch.file("a", as_text(source)), scratch.file("b", as_text(target))};
  const auto set = read_development(std::span(&part, 1), bpe(), unigram(), {10, 2});
  CHECK(set.source == source);
  CHECK(set.reference == target);
  REQUIRE(set.corpus.size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    check_pair(set.corpus, static_cast<std::int64_t>(i), source[i], target[i]);
  CHECK(set.corpus.source_length(1) == 1);
  // Both have a character that no piece has.
  const auto print = [&](const std::string& reference) {
    const CorpusPart part{scratch.file("a", "ka\n"), scratch.file("b", reference + "\n")};
    return read_development(std::span(&part, 1), bpe(), unigram(), {10, 2}).fingerprint();
  };
  CHECK(print("ka \u9b31") == print("ka \u9b31"));
  CHECK(print("ka \u9b31") != print("ka \u9f8d"));
}

TEST_CASE("a store holds what a vocabulary of any size needs") {
  for (const int vocabulary : {65536, 65537, 300000}) {
    const Scratch scratch;
    PairStore memory(vocabulary, 300), file(vocabulary, 300);
    const std::string path = scratch.path("store");
    file.write_to(path);
    for (PairStore* const store : {&memory, &file}) {
      store->append(Ids{0, vocabulary - 1, 65535}, Ids{299});
      store->begin_stretch(0.5);
      for (int i = 0; i < 200; ++i)
        store->append(Ids(static_cast<std::size_t>(i % 5 + 1), i), Ids{1, i});
    }
    file.seal("made of numbers");
    auto read = PairStore::open(path, "made of numbers", vocabulary, 300);
    REQUIRE(read);
    for (const PairStore* const store : {&memory, &file, &*read}) {
      CHECK(store->size() == 201);
      CHECK(store->source_tokens() == 3 + 200 * 3);
      CHECK(store->target_tokens() == 1 + 200 * 2);
      CHECK(store->fingerprint() == memory.fingerprint());
      REQUIRE(store->stretches().size() == 1);
      CHECK(store->stretches()[0].begin == 1);
      CHECK(store->stretches()[0].weight == 0.5);
      Ids ids = {9};
      store->append_source(ids, 0), store->append_target(ids, 0), store->append_source(ids, 98),
          store->append_target(ids, 200);
      CHECK(ids == Ids{9,                              // which was there
                       0, vocabulary - 1, 65535, 299,  // the first pair
                       97, 97, 97,                     // source 98
                       1, 199});                       // target 200
    }
    CHECK_FALSE(PairStore::open(path, "made of letters", vocabulary, 300));
    CHECK_FALSE(PairStore::open(path, "made of numbers", vocabulary, 301));
    CHECK_FALSE(PairStore::open(scratch.path("none"), "made of numbers", vocabulary, 300));
  }
}

TEST_CASE("damage of a store is found, though it holds pieces") {
  for (const int vocabulary : {1 << 16, 1 << 20}) {
    const Scratch scratch;
    const std::string path = scratch.path("store");
    PairStore store(vocabulary, vocabulary);
    store.write_to(path);
    const Ids source = {5, 1023, 7}, target = {40000};
    store.begin_stretch(0.5);
    const TokenLink links[] = {{0, 2}};
    for (int pair = 0; pair < 2; ++pair) store.append(source, target, links);
    store.seal("");
    const std::string good = read_file(path);
    const std::size_t width = vocabulary > 1 << 16 ? 4 : 2,
                      pair = 6 * width + 8;  // with 2 numbers of a link, and 2 checksums
    const auto all_read = [&](const std::string& bytes) {
      const auto read = PairStore::open(scratch.file("store", bytes), "", vocabulary, vocabulary);
      REQUIRE(read);
      Ids ids;
      for (int i = 0; i < 2; ++i) read->append_source(ids, i), read->append_target(ids, i);
    };
    CHECK_NOTHROW(all_read(good));
    const auto flipped = [&](std::size_t at, std::size_t bit) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
      return bytes;
    };
    const std::size_t tokens_end = 16 + 2 * pair;
    for (std::size_t bit = 0; bit < 8 * 2 * pair; ++bit)
      CHECK_THROWS_AS(all_read(flipped(16 + bit / 8, bit % 8)), Error);
    // The bytes behind the tokens are damaged, or those of another corpus, whose vocabulary or note
    // is of another size.
    for (std::size_t bit = 0; bit < 8 * (good.size() - tokens_end); ++bit) {
      const std::string file = scratch.file("store", flipped(tokens_end + bit / 8, bit % 8));
      const auto opened = [&] {
        return PairStore::open(file, "", vocabulary, vocabulary).has_value();
      };
      bool taken = false;
      try {
        taken = opened();
      } catch (const Error&) {
      }
      CHECK_FALSE(taken);
    }
    // These sentences in another place.
    std::string bytes = good;
    bytes.replace(16, pair, good, 16 + pair, pair);
    CHECK_THROWS_AS(all_read(bytes), Error);
    // A store of an earlier version is made again.
    bytes = good;
    bytes[14] = '1';
    CHECK_FALSE(PairStore::open(scratch.file("store", bytes), "", vocabulary, vocabulary));
  }
}

TEST_CASE("a stored corpus is read again only if nothing has changed") {
  const Scratch scratch;
  const auto a = scratch.file("a", "ka\nro\nmi\n"), b = scratch.file("b", "ro\nka\nka\n"),
             store = scratch.path("store");
  const std::vector<CorpusPart> once = {{a, b, 1}}, twice = {{a, b, 1}, {b, a, 0.5}};
  const auto read = [&](const std::vector<CorpusPart>& parts) {
    return read_parts(parts, bpe(), unigram(), {10, 2}, store);
  };
  const auto inode = [&] {
    struct stat info;
    REQUIRE(::stat(store.c_str(), &info) == 0);
    return info.st_ino;
  };
  const ParallelCorpus memory = read_parts(twice, bpe(), unigram(), {10, 2});
  const ParallelCorpus made = read(twice);
  const auto first = inode();
  const ParallelCorpus again = read(twice);
  CHECK(inode() == first);
  for (const ParallelCorpus* corpus : {&made, &again}) {
    REQUIRE(corpus->size() == 6);
    CHECK(corpus->fingerprint() == memory.fingerprint());
    check_pair(*corpus, 2, "mi", "ka");
    check_pair(*corpus, 4, "ka", "ro");
  }
  CHECK(read(once).size() == 3);
  CHECK(inode() != first);
  check_pair(again, 4, "ka", "ro");  // what it has opened is still there
  // A store that cannot be completed leaves the one that is there.
  CHECK_THROWS_AS(read_parts(once, bpe(), unigram(), {1, 1}, store), Error);
  CHECK(read(once).size() == 3);
}

TEST_CASE("a damaged store is an error that names it") {
  const Scratch scratch;
  const auto a = scratch.file("a", "ka\nro\nmi\n"), store = scratch.path("store");
  const std::vector<CorpusPart> parts = {{a, a, 1}};
  const auto error = [&](const std::string& bytes) -> std::string {
    scratch.file("store", bytes);
    try {
      const ParallelCorpus corpus = read_parts(parts, bpe(), bpe(), {10, 1}, store);
      std::vector<std::int32_t> ids;
      for (std::int64_t i = 0; i < corpus.size(); ++i)
        corpus.append_source(ids, i), corpus.append_target(ids, i);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  read_parts(parts, bpe(), bpe(), {10, 1}, store);
  const std::string whole = read_file(store);
  CHECK(error(whole) == "");
  CHECK(error("my notes\n") ==
        store + ": not the store of a corpus; give the store another name, or remove the file");
  CHECK(read_file(store) == "my notes\n");
  CHECK(error("") != "");
  for (std::size_t size = 16; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(error(whole.substr(0, size)).find(store + ": damaged: ") == 0);
  }
  // No byte that changes is followed by a crash.
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0xFF);
    error(changed);
  }
  CHECK_THROWS_AS(read_parts(std::vector<CorpusPart>{{"-", "", 1}}, bpe(), bpe(), {10, 1}, store),
                  Error);
  CHECK_THROWS_AS(
      read_parts(std::vector<CorpusPart>{{"/dev/null", a, 1}}, bpe(), bpe(), {10, 1}, store),
      Error);
}

TEST_CASE("every error names the file, the line and the remedy") {
  const Scratch scratch;
  const auto a = scratch.file("a", "ka\nro\nmi\n"), b = scratch.file("b", "ka\nro"),
             empty = scratch.file("empty", "");
  CHECK(error_in(a, b) ==
        a + " has 3 lines, but " + b +
            " has 2; line N of one must be the translation of line N of the other");
  CHECK(error_in(b, a) ==
        b + " has 2 lines, but " + a +
            " has 3; line N of one must be the translation of line N of the other");
  CHECK(error_in(empty, a) ==
        empty + " has 0 lines, but " + a +
            " has 3; line N of one must be the translation of line N of the other");
  CHECK(error_in(empty, empty) == empty + ", " + empty + ": the corpus is empty");
  CHECK(error_in(empty, "") == empty + ": the corpus is empty");
  CHECK(error_in("/nowhere/x", a).find("/nowhere/x: cannot be read") == 0);
  CHECK(error_in(a, "/nowhere/x").find("/nowhere/x: cannot be read") == 0);
  CHECK(error_in("-", "-").find("stdin cannot be both sides") == 0);
  const auto damaged = scratch.file("damaged", "ka\nro \xFFmi\nka\n");
  const std::string byte_4 =
      damaged +
      ":2: not UTF-8: byte 4 of the line; convert the file with iconv, or remove the line";
  CHECK(error_in(damaged, a) == byte_4);
  CHECK(error_in(a, damaged) == byte_4);
  const auto no_tab = scratch.file("no_tab", "a\tb\nno tab\n"),
             tabs = scratch.file("tabs", "a\tb\tc\n");
  CHECK(error_in(no_tab, "") ==
        no_tab + ":2: 0 tabs in the line; expected exactly one, between source and target");
  CHECK(error_in(tabs, "") ==
        tabs + ":1: 2 tabs in the line; expected exactly one, between source and target");
  const auto blank = scratch.file("blank", "\n\n\n");
  CHECK(error_in(blank, a) ==
        blank + ", " + a +
            ": no pairs are left: skipped 3 of 3 pairs: 3 with an empty side (first: line 1)");
}

// Of states of runs, which go on only with the same text, and of the notes of stores.
TEST_CASE("all that is said of a part of a corpus is written and read back") {
  const CorpusPart part{"a.de", "a.en", 2.5, {"de", "en"}, {}, "a.links"};
  std::vector<CorpusPart> others(6, part);
  others[0].source = "b", others[1].target = "b", others[2].weight = 2;
  others[3].languages.from = "fr", others[4].languages.to = "fr", others[5].links = "";
  for (const CorpusPart& other : others) {
    const nlohmann::json written = other;
    CHECK(written != nlohmann::json(part));
    CHECK(nlohmann::json(written.get<CorpusPart>()) == written);
    CHECK(as_text(other) != as_text(part));
  }
  CHECK(as_text(part) == "de en a.de a.en 2.5 a.links");
  const CorpusPart earlier = nlohmann::json{"a.de", "a.en"}.get<CorpusPart>();
  CHECK((earlier.target == "a.en" && earlier.weight == 1 && earlier.links.empty()));
}

}  // namespace
}  // namespace tt
