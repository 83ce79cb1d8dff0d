// Pieces that choose languages, on their way from settings and corpora into what a model reads.
#include <cmath>

#include "base/error.h"
#include "exchange/vocabulary.h"
#include "model/language_pieces.h"
#include "tests/unit/text_fixture.h"
#include "text/corpus.h"

namespace tt {
namespace {

using Ids = std::vector<std::int32_t>;

// 0 </s>, 1 <unk>, 2 <s>, 4 en, 5 de; the others are words.
Subword pieces() {
  Vocabulary vocabulary;
  vocabulary.pieces = {"</s>", "<unk>", "<s>", "c", "__en__", "__de__", "a", "b"};
  vocabulary.silent = {"<s>", "__en__", "__de__"};
  return Subword::parse(number_pieces("", vocabulary, SubwordSide::target, "v"), "v");
}

Ids around(const LanguagePieces& languages, Ids source) {
  languages.put_around(source);
  return source;
}

TEST_CASE("settings say where the pieces of languages stand") {
  const Subword subword = pieces();
  Config config;
  const auto of = [&](const char* from, const char* to) {
    return LanguageReader(config, subword, subword, "m").pieces(from, to);
  };
  CHECK(of("en", "de") == LanguagePieces{});
  config.source_language = SourceLanguage::before, config.target_language = TargetLanguage::first;
  CHECK(of("en", "deu") == LanguagePieces{{4}, {}, {5}});
  CHECK(of("", "__en__") == LanguagePieces{{}, {}, {4}});
  CHECK_THROWS_WITH(of("fr", "de"), "has no language \"fr\"; it has 2, such as en, de");
  config.source_bos = config.target_bos = true;
  CHECK(of("en", "de") == LanguagePieces{{2, 4}, {}, {2, 5}});
  CHECK(LanguageReader(config, subword, subword, "m").most() == 2);
  config.source_bos = config.target_bos = false;
  config.source_language = SourceLanguage::behind;
  CHECK(around(of("en", "de"), {6, 7, 0}) == Ids{6, 7, 0, 4});
  config.source_language = SourceLanguage::none, config.target_language = TargetLanguage::source;
  const LanguagePieces german = of("en", "de");
  CHECK(german.before == Ids{5});
  CHECK(german.first.empty());
  // A text may begin with it.
  CHECK(around(german, {6, 0}) == Ids{5, 6, 0});
  CHECK(around(german, {5, 6, 0}) == Ids{5, 6, 0});
  CHECK(around(german, {4, 6, 0}) == Ids{5, 4, 6, 0});
  CHECK(around(german, {3, 6, 0}) == Ids{5, 3, 6, 0});
  CHECK(around(german, {}) == Ids{5});
}

TEST_CASE("text before a source says its languages") {
  const Subword subword = pieces();
  Config config;
  config.source_prefixes = "en-de=c a;en-fr=b;de-fr=a b";
  check_config(config, "test");
  const LanguageReader reader(config, subword, subword, "m");
  CHECK(reader.reads_source());
  CHECK(reader.reads_target());
  CHECK(!reader.needs_source());
  CHECK(!reader.needs_target());
  CHECK(reader.most() == 2);
  CHECK(reader.pieces("", "") == LanguagePieces{});  // a line may have the text itself
  CHECK(reader.pieces("en", "de") == LanguagePieces{{3, 6}, {}, {}, true});
  CHECK(reader.pieces("eng", "fra") == LanguagePieces{{7}, {}, {}, true});
  CHECK(reader.pieces("", "de") == LanguagePieces{{3, 6}, {}, {}, true});
  CHECK(around(reader.pieces("en", "de"), {7, 0}) == Ids{3, 6, 7, 0});
  // A source may begin with all of it, and with the last words of it by chance.
  CHECK(around(reader.pieces("en", "de"), {3, 6, 7, 0}) == Ids{3, 6, 7, 0});
  CHECK(around(reader.pieces("en", "de"), {6, 7, 0}) == Ids{3, 6, 6, 7, 0});
  CHECK(around(reader.pieces("en", "de"), {}) == Ids{3, 6});
  CHECK_THROWS_WITH(reader.pieces("", "fr"), "does several things with fr; name both languages");
  CHECK_THROWS_WITH(reader.pieces("de", "de"), "does not translate from de to de");
  CHECK_THROWS_WITH(reader.pieces("en", "cs"),
                    "has no language \"cs\"; it has 2, such as de, fr, to translate into");
  CHECK_THROWS_WITH(reader.pieces("fr", ""),
                    "has no language \"fr\"; it has 2, such as en, de, to translate from");
  CHECK(reader.example() == "\"c a\"");
  const auto leading = [&](const char* text) {
    const auto names = reader.leading(text);
    return names ? names->from + "-" + names->to : "";
  };
  CHECK(leading(" c  a b") == "en-de");
  CHECK(leading("b a") == "en-fr");
  CHECK(leading("ba") == "");
  CHECK(leading("c") == "");
  CHECK(leading("a b") == "de-fr");
  for (const char* wrong : {"en-de", "en=c", "=c", "en-de=", "en-de= ", "en-de=c;",
                            "en-de=c;en-de=a", "English-German=c", "en-de=c\nb", ";"}) {
    INFO(wrong);
    config.source_prefixes = wrong;
    CHECK_THROWS_AS(check_config(config, "test"), Error);
  }
  // One that the model cannot read matters only where it is chosen.
  config.source_prefixes = "en-de=\u00e9;en-fr=b";
  const LanguageReader partly(config, subword, subword, "m");
  CHECK(partly.pieces("en", "fr").before == Ids{7});
  CHECK_THROWS_WITH(partly.pieces("en", "de"), Catch::Contains("does not know all characters of"));
  CHECK(partly.leading("\u00e9 a")->to.empty());
  CHECK(!partly.leading("\u00e9a"));
  config.source_prefixes = "en-de=\u00e9:";  // behind a sign a space may be missing
  CHECK(LanguageReader(config, subword, subword, "m").leading("\u00e9:a"));
}

TEST_CASE("a corpus has the pieces of its languages around each sentence, which count") {
  const Scratch scratch;
  set_quiet(true);
  const Subword subword = pieces();
  const std::string a = scratch.file("a", "a\nb a b\n"), b = scratch.file("b", "b\na b\n");
  const LanguagePieces languages{{4}, {}, {5}};
  const auto read = [&](std::int64_t longest) {
    const CorpusPart part{.source = a, .target = b, .languages = {"en", "de"}, .pieces = languages};
    return read_parts(std::span(&part, 1), subword, subword, {longest, 2});
  };
  const ParallelCorpus corpus = read(10);
  REQUIRE(corpus.size() == 2);
  Ids source, target;
  corpus.append_source(source, 1), corpus.append_target(target, 1);
  CHECK(source == Ids{4, 7, 6, 7, 0});
  CHECK(target == Ids{5, 6, 7, 0});
  CHECK(read(5).size() == 2);
  CHECK(read(4).size() == 1);
}

TEST_CASE("a temperature mixes languages by their sizes") {
  const Scratch scratch;
  set_quiet(true);
  const Subword subword = pieces();
  const auto lines = [&](const char* name, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "a\n";
    return scratch.file(name, text);
  };
  const std::string few = lines("few", 10), more = lines("more", 90), most = lines("most", 300);
  // English to German has two corpora, 90 pairs and twice 300.
  const std::vector<CorpusPart> parts{
      {.source = more, .target = more, .languages = {"en", "de"}},
      {.source = few, .target = few, .languages = {"de", "en"}},
      {.source = most, .target = most, .weight = 2, .languages = {"en", "de"}}};
  const std::string store = scratch.path("store");
  for (const double t : {2.0, 5.0}) {
    CorpusOptions options{10, 1, t};
    for (int again = 0; again < 2; ++again) {
      const ParallelCorpus corpus = read_parts(parts, subword, subword, options, store);
      const auto& stretches = corpus.stretches();
      REQUIRE(stretches.size() == 3);
      CHECK(stretches[1].begin == 90);
      const double large = 690, small = 10,
                   powers = std::pow(large, 1 / t) + std::pow(small, 1 / t);
      const auto weight = [&](double size) {
        return std::pow(size, 1 / t) / powers * (large + small) / size;
      };
      CHECK(stretches[0].weight == Approx(weight(large)));
      CHECK(stretches[1].weight == Approx(weight(small)));
      CHECK(stretches[2].weight == Approx(2 * weight(large)));
    }
  }
  CHECK(read_parts(parts, subword, subword, {10, 1}).stretches().size() == 1);
}

TEST_CASE("the parts of a development set have names and places") {
  const Scratch scratch;
  set_quiet(true);
  const Subword subword = pieces();
  const std::string a = scratch.file("a", "a\nb\n"), b = scratch.file("b", "b\na b\n");
  const std::vector<CorpusPart> parts{
      {.source = a, .target = b, .languages = {"en", "de"}, .pieces = {{}, {}, {5}}},
      {.source = b, .target = a, .languages = {"de", "en"}, .pieces = {{}, {}, {4}}},
      {.source = b, .target = a, .languages = {"de", "en"}, .pieces = {{}, {}, {4}}},
      {.source = a, .target = b}};
  const DevelopmentSet set = read_development(parts, subword, subword, {10, 1});
  REQUIRE(set.parts.size() == 4);
  CHECK(set.parts[0].name == "en-de");
  CHECK(set.parts[1].name == "de-en");
  CHECK(set.parts[2].name == "de-en of " + b + ", " + a);
  CHECK(set.parts[3].name == a + ", " + b);
  CHECK(set.corpus.size() == 8);
  for (std::int64_t i = 0; i < 8; ++i) CHECK(set.part_of(i) == static_cast<std::size_t>(i / 2));
  CHECK(set.end(1) == 4);
  CHECK(set.end(3) == 8);
  Ids target;
  set.corpus.append_target(target, 2);
  CHECK(target == Ids{4, 6, 0});
  CHECK(set.source[2] == "b");
}

}  // namespace
}  // namespace tt
