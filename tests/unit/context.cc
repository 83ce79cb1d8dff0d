// The sentences before one: how many fit, where documents end, and what corpora and lines make of
// them.
#include "text/context.h"

#include "lines/documents.h"
#include "tests/catch.h"
#include "tests/unit/text_fixture.h"
#include "text/corpus.h"
#include "text/respell.h"

namespace tt {
namespace {

using Ids = std::vector<std::int32_t>;

const Subword& subword() {
  static const Subword made = [] {
    SubwordOptions options;
    options.type = "bpe";
    options.vocab_size = 120;
    options.separator = true;
    return train_on(made_up_lines(500, 3), options);
  }();
  return made;
}

Ids ids(const std::string& text) {
  Ids all;
  subword().encode(text, all);
  return all;
}

Ids joined(std::vector<Ids> parts) {
  Ids all;
  for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::pair<Ids, Ids> pair(const ParallelCorpus& corpus, std::int64_t i) {
  std::pair<Ids, Ids> both;
  corpus.append_source(both.first, i), corpus.append_target(both.second, i);
  return both;
}

}  // namespace

TEST_CASE("a separator is a piece that no text has; without one it is <s>") {
  CHECK(subword().piece(separator(subword())) == "<sep>");
  CHECK(std::ranges::count(ids("a <sep> b<sep>"), separator(subword())) == 0);
  CHECK(separator(made_up_model("bpe")) == made_up_model("bpe").bos());
}

TEST_CASE("as many sentences are before one as fit on both sides, the last ones") {
  const std::int32_t sep = separator(subword());
  Context context({.sentences = 2, .longest = 10}, subword(), subword());
  const auto around = [&](std::size_t source, std::size_t target) {
    LanguagePieces pieces{{50}, {51}, {52}};
    context.put_around(pieces, source, target);
    return pieces;
  };
  CHECK(around(3, 3) == LanguagePieces{{50}, {51}, {52}});
  context.add(Ids{7}, Ids{8});
  context.add(Ids{9, 10}, Ids{11});
  context.add(Ids{12}, Ids{13, 14});
  LanguagePieces both{{9, 10, sep, 12, sep, 50}, {51}, {52}};
  both.context = 5, both.history = {11, sep, 13, 14, sep};
  CHECK(around(3, 3) == both);
  CHECK(around(3, 4) == both);
  LanguagePieces one{{12, sep, 50}, {51}, {52}};
  one.context = 2, one.history = {13, 14, sep};
  CHECK(around(4, 3) == one);
  CHECK(around(3, 5) == one);
  CHECK(around(7, 1) == LanguagePieces{{50}, {51}, {52}});
  CHECK(around(1, 7) == LanguagePieces{{50}, {51}, {52}});
  context.clear();
  CHECK(around(1, 1) == LanguagePieces{{50}, {51}, {52}});
}

TEST_CASE("a corpus has pairs with their context, the same for any number of threads") {
  const Scratch scratch;
  set_quiet(true);
  const auto a = made_up_lines(4, 1), b = made_up_lines(4, 2);
  const auto text = [&](const std::vector<std::string>& lines) {
    return scratch.file("lines" + lines[0],
                        lines[0] + "\n" + lines[1] + "\n\n" + lines[2] + "\n" + lines[3] + "\n");
  };
  const std::string from = text(a), to = text(b);
  const Ids sep{separator(subword())}, end{subword().eos()};
  for (const int threads : {1, 3}) {
    CorpusOptions options{256, threads};
    options.context = {1};
    const ParallelCorpus corpus = read_parallel(from, to, subword(), subword(), options);
    REQUIRE(corpus.size() == 4);
    CHECK(
        corpus.pairs().remarks.empty());  // an empty line on both sides is no pair that is skipped
    CHECK(pair(corpus, 0) == std::pair(joined({ids(a[0]), end}), joined({ids(b[0]), end})));
    CHECK(pair(corpus, 1) == std::pair(joined({ids(a[0]), sep, ids(a[1]), end}),
                                       joined({ids(b[0]), sep, ids(b[1]), end})));
    CHECK(pair(corpus, 2) == std::pair(joined({ids(a[2]), end}), joined({ids(b[2]), end})));
    options.context.history = false;
    const ParallelCorpus sources = read_parallel(from, to, subword(), subword(), options);
    CHECK(pair(sources, 3) ==
          std::pair(joined({ids(a[2]), sep, ids(a[3]), end}), joined({ids(b[3]), end})));
    options.context_dropout = 1;
    CHECK(pair(read_parallel(from, to, subword(), subword(), options), 3) ==
          std::pair(joined({ids(a[3]), end}), joined({ids(b[3]), end})));
  }
  const CorpusOptions plain{256, 1};
  CHECK(read_parallel(from, to, subword(), subword(), plain).pairs().remarks.size() == 1);
  CorpusOptions options = plain;
  options.context = {1};
  const CorpusPart part{from, to};
  const DevelopmentSet set = read_development(std::span(&part, 1), subword(), subword(), options);
  REQUIRE(set.corpus.size() == 5);  // also of the empty line
  CHECK(pair(set.corpus, 4).first == joined({ids(a[2]), sep, ids(a[3]), end}));
  CHECK(set.pieces_of(4).context == ids(a[2]).size() + 1);
  CHECK(set.pieces_of(3).context == 0);
}

TEST_CASE("a corpus that is stored is known by its context") {
  const Scratch scratch;
  const std::string text = scratch.file("text", "ka ro\nmi ten\n");
  const CorpusPart part{text, text};
  const auto note = [&](const ContextOptions& context, double dropout) {
    CorpusOptions options{256, 1};
    options.context = context, options.context_dropout = dropout;
    return store_note(std::span(&part, 1), subword(), subword(), options);
  };
  const std::vector<std::string> notes{note({}, 0), note({1}, 0), note({2}, 0), note({1, false}, 0),
                                       note({1}, 0.5)};
  for (std::size_t i = 0; i < notes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) CHECK(notes[i] != notes[k]);
  CHECK(note({}, 0) == note({}, 0.5));
}

TEST_CASE("the text of a sentence is respelt, and not that of its context") {
  const Ids sep{separator(subword())}, end{subword().eos()}, before = ids("ka ro"), own = ids("mi");
  Batch batch;
  append(batch.source, joined({before, sep, own, end}));
  append(batch.target_out, joined({before, sep, own, end}));
  batch.target_in = shifted(batch.target_out, subword().bos());
  batch.sentences = {0};
  respell(batch, subword(), subword(), [&](std::int64_t, SpeltSentence& source, SpeltSentence&) {
    CHECK(source.pieces == own);
    CHECK(source.before == joined({before, sep}));
    source.pieces = ids("ten");
  });
  CHECK(batch.source.tokens == joined({before, sep, ids("ten"), end}));
}

}  // namespace tt
