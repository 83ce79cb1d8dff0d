// Guided alignment: links on their way from a file to the head that learns them.
#include <filesystem>

#include "decode/align.h"
#include "tests/unit/text_fixture.h"
#include "tests/unit/train_fixture.h"
#include "text/corpus.h"
#include "text/links.h"
#include "text/subword_regularization.h"
#include "text/upper_case.h"

namespace tt {
namespace {

using Links = std::vector<TokenLink>;

const Subword& bpe() { return made_up_model("bpe"); }

// The words that the linked pieces of pair i stand for, as a file has them.
std::string word_links(const ParallelCorpus& corpus, std::int64_t i, const Subword& subword) {
  std::vector<std::int32_t> source, target;
  corpus.append_source(source, i), corpus.append_target(target, i);
  const auto words = [&](std::vector<std::int32_t>& ids) {
    ids.pop_back();
    return words_behind(subword.decoded_ranges(ids), words_of(subword.decode(ids)));
  };
  std::string text;
  for (const TokenLink& link : between_words(corpus.pairs().links(i), words(source), words(target)))
    text +=
        (text.empty() ? "" : " ") + std::to_string(link.source) + "-" + std::to_string(link.target);
  return text;
}

std::string links_of_batch(const Batch& batch, std::size_t b, const Subword& subword) {
  const auto words = [&](const Sequences& side) {
    const std::vector<std::int32_t> ids(side.tokens.begin() + side.offsets[b],
                                        side.tokens.begin() + side.offsets[b + 1] - 1);
    return words_behind(subword.decoded_ranges(ids), words_of(subword.decode(ids)));
  };
  std::string text;
  for (const TokenLink& link :
       between_words(links_of(batch, b), words(batch.source), words(batch.target_out)))
    text +=
        (text.empty() ? "" : " ") + std::to_string(link.source) + "-" + std::to_string(link.target);
  return text;
}

TEST_CASE("a word that a model does not read has no piece") {
  for (const std::string& line : made_up_lines(20, 9)) {
    const auto words = words_of(line);
    const std::string more = "\x01 " + line + " \x01 " + line.substr(0, words[0].end);
    const auto ranges = words_behind(bpe().encoded_ranges(line), words),
               moved = words_behind(bpe().encoded_ranges(more), words_of(more));
    for (std::size_t i = 0; i < ranges.size(); ++i)
      CHECK((moved[i].begin == ranges[i].begin + 1 && moved[i].end == ranges[i].end + 1));
    for (const WordRange& r : moved)
      CHECK_FALSE((r.begin <= words.size() + 1 && words.size() + 1 < r.end));
  }
}

TEST_CASE("links are read as aligners write them, and what is none is named") {
  std::string bad;
  CHECK(read_links("0-0 2-1  1-1\t0-0\r", 3, 2, bad) == Links{{0, 0}, {1, 1}, {1, 2}});
  CHECK(bad.empty());
  CHECK(read_links("", 3, 2, bad).empty());
  CHECK(bad.empty());
  for (const std::string text : {"3-0", "0-2", "0", "-", "0-", "-0", "0-0-0", "a-b", "0--1", "+0-0",
                                 "0?0", "99999999999999999999-0", "0-0:0.5", "0 - 0"}) {
    INFO(text);
    CHECK(read_links("1-1 " + text + " 2-0", 3, 2, bad) == Links{{0, 2}, {1, 1}});
    CHECK(bad == text.substr(0, text.find(' ')));
  }
}

TEST_CASE("pieces are linked as their words are") {
  // Pieces of words 0 | 0 | 1 and 2 | none | 3, and of words 0 | 1 | 1.
  const std::vector<WordRange> source = {{0, 1}, {0, 1}, {1, 3}, {3, 3}, {3, 4}},
                               target = {{0, 1}, {1, 2}, {1, 2}};
  const Links words = {{0, 0}, {1, 2}, {1, 3}};
  const Links pieces = {{0, 0}, {0, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 4}};
  CHECK(between_pieces(words, source, target) == pieces);
  CHECK(between_words(pieces, source, target) == Links{{0, 0}, {1, 1}, {1, 2}, {1, 3}});
  CHECK(between_pieces(Links{{7, 0}, {0, 9}}, source, target).empty());
}

TEST_CASE("links stay with their pairs, in memory and in a store, for any number of threads") {
  const Scratch scratch;
  set_quiet(true);
  std::vector<std::string> lines = made_up_lines(2500, 4), links;
  lines[3] = "", lines[1700] = std::string(500, 'k');  // skipped
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t n = words_of(lines[i]).size(), m = words_of(lines[i / 2]).size();
    links.push_back(i % 5 == 4 || n == 0 || m == 0
                        ? ""
                        : std::to_string(i % n) + "-" + std::to_string(i / 3 % m));
  }
  std::vector<std::string> targets;
  for (std::size_t i = 0; i < lines.size(); ++i) targets.push_back(lines[i / 2]);
  const std::vector<CorpusPart> parts = {{scratch.file("a", as_text(lines)),
                                          scratch.file("b", as_text(targets)),
                                          1,
                                          {},
                                          {},
                                          scratch.file("links", as_text(links))}};
  const ParallelCorpus one = read_parts(parts, bpe(), bpe(), {100, 1}),
                       many = read_parts(parts, bpe(), bpe(), {100, 3}),
                       stored = read_parts(parts, bpe(), bpe(), {100, 2}, scratch.path("store")),
                       again = read_parts(parts, bpe(), bpe(), {100, 2}, scratch.path("store"));
  for (const ParallelCorpus* corpus : {&many, &stored, &again}) {
    CHECK(corpus->fingerprint() == one.fingerprint());
    REQUIRE(corpus->size() == one.size());
    for (std::int64_t i = 0; i < one.size(); ++i)
      REQUIRE(corpus->pairs().links(i) == one.pairs().links(i));
  }
  std::int64_t pair = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || targets[i].empty() || lines[i].size() > 400 || targets[i].size() > 400)
      continue;
    INFO(i);
    REQUIRE(word_links(one, pair, bpe()) == links[i]);
    ++pair;
  }
  CHECK(pair == one.size());
  // Other links are another corpus, of which a store is made again.
  links[0] = "0-0";
  links[1] = "";
  scratch.file("links", as_text(links));
  const ParallelCorpus other = read_parts(parts, bpe(), bpe(), {100, 1}, scratch.path("store"));
  CHECK(other.fingerprint() != one.fingerprint());
  // And of a corpus of two parts the second may have none.
  std::vector<CorpusPart> two = parts;
  two.push_back({parts[0].source, parts[0].target, 1});
  const ParallelCorpus mixed = read_parts(two, bpe(), bpe(), {100, 2});
  CHECK(mixed.size() == 2 * one.size());
  CHECK(mixed.pairs().links(1) == other.pairs().links(1));
  CHECK(mixed.pairs().links(one.size() + 1).empty());
  // The batches of an epoch have them.
  const Epoch epoch(other, {500, 3, 1}, 0);
  for (std::int64_t u = 0; u < epoch.batches(); ++u)
    for (const Batch& shard : epoch.shards(u))
      for (std::size_t b = 0; b < shard.sentences.size(); ++b) {
        REQUIRE(links_of(shard, b) == other.pairs().links(shard.sentences[b]));
        const Batch both = twice(shard);
        REQUIRE(links_of(both, b) == links_of(shard, b));
        REQUIRE(links_of(both, b + shard.sentences.size()) == links_of(shard, b));
      }
}

TEST_CASE("links that are none are reported, and those of no pair are an error") {
  const Scratch scratch;
  set_quiet(true);
  const auto a = scratch.file("a", "ka ro\nro\nmi ka\nka\nka\n"),
             b = scratch.file("b", "ka\nka\nka ro\nka\nka\n");
  const auto read = [&](const std::string& links) {
    return read_parts(std::vector<CorpusPart>{{a, b, 1, {}, {}, scratch.file("links", links)}},
                      bpe(), bpe(), {10, 1});
  };
  const ParallelCorpus corpus = read("0-0 1-1\n\n2-0 1-1 x\n0-0\n0-0\n");
  REQUIRE(corpus.pairs().remarks.size() == 1);
  CHECK(corpus.pairs().remarks[0] ==
        scratch.path("links") +
            ": 2 of 5 lines have links that are none, or of words that the pair has not (first: "
            "line 1: \"1-1\"); they are left out");
  CHECK(word_links(corpus, 0, bpe()) == "0-0");
  CHECK(word_links(corpus, 1, bpe()) == "");
  CHECK(word_links(corpus, 2, bpe()) == "1-1");
  CHECK(error_of([&] { read("0-0\n0-0\n"); }) == scratch.path("links") + ": has 2 lines, but " + a +
                                                     ", " + b +
                                                     " more; line N must have the links of pair N");
  CHECK(error_of([&] { read("0-0\n0-0\n0-0\n0-0\n0-0\n0-0\n"); }) ==
        scratch.path("links") + ":6: " + a + ", " + b +
            " has no such pair, but 5; line N must have the links of pair N");
  CHECK(error_of([&] { read("\n\n7-7\n\n\n"); }) ==
        scratch.path("links") +
            ": has no link of the pairs that are trained on, as 0-0, a word of the source and one "
            "of the target; 1 of 5 lines have links that are none, or of words that the pair has "
            "not (first: line 3: \"7-7\")");
  // Of the lines with links most are bad; most lines have none.
  CHECK(error_of([&] {
          read("0-0 1-1\n\n2-0 1-1 x\n0-0\n\n");
        }).starts_with(scratch.path("links") + ": 2 of 5 lines have links that are none"));
  const ParallelCorpus few = read("0-0\n\n\n\n0-0\n");
  REQUIRE(few.pairs().remarks.size() == 1);
  CHECK(few.pairs().remarks[0].starts_with(scratch.path("links") +
                                           ": 3 of 5 lines have no links (first: line 2)"));
}

// Both sides of each pair are the same line, whose words are linked in reverse.
struct Reversed {
  std::vector<std::string> links;
  Batch batch;

  Reversed() {
    const std::vector<std::string> lines = made_up_lines(60, 5);
    ParallelCorpus corpus(bpe(), bpe());
    std::vector<std::int64_t> all;
    for (const std::string& line : lines) {
      std::vector<std::int32_t> ids;
      bpe().encode(line, ids);
      ids.push_back(bpe().eos());
      const auto words = words_of(line);
      const auto n = static_cast<std::int32_t>(words.size());
      Links links_of_words;
      std::string text;
      for (std::int32_t w = n - 1; w >= 0; --w) links_of_words.push_back({w, n - 1 - w});
      for (std::int32_t w = 0; w < n; ++w)
        text += (w ? " " : "") + std::to_string(n - 1 - w) + "-" + std::to_string(w);
      const auto ranges = words_behind(bpe().encoded_ranges(line), words);
      corpus.pairs().append(ids, ids, between_pieces(links_of_words, ranges, ranges));
      links.push_back(text);
      all.push_back(static_cast<std::int64_t>(all.size()));
    }
    batch = make_batch(corpus, all, bpe().bos());
  }
};

TEST_CASE("BPE-dropout and capitals leave words linked as they were") {
  const Reversed made;
  for (std::size_t b = 0; b < made.links.size(); ++b)
    REQUIRE(links_of_batch(made.batch, b, bpe()) == made.links[b]);
  Batch cut = made.batch;
  SubwordRegularization(bpe(), bpe(), {0.4f, 0}, 7, 1000).apply(cut, 1);
  CHECK(cut.source.tokens != made.batch.source.tokens);
  for (std::size_t b = 0; b < made.links.size(); ++b)
    CHECK(links_of_batch(cut, b, bpe()) == made.links[b]);
}

TEST_CASE("some pairs are read in capitals on both sides, others each time") {
  SubwordOptions options;
  options.vocab_size = 60;
  std::vector<std::string> text = made_up_lines(300, 1), capitals;
  for (std::string line : text) {
    for (char& c : line) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    capitals.push_back(line + " ÜSSÈ");
  }
  text.insert(text.end(), capitals.begin(), capitals.end());
  const Subword subword = train_on(text, options);
  ParallelCorpus corpus(subword, subword);
  std::vector<std::int64_t> all;
  const std::vector<std::string> lines = made_up_lines(200, 9);
  for (const std::string& line : lines) {
    std::vector<std::int32_t> ids;
    subword.encode(line, ids);
    ids.push_back(subword.eos());
    const auto ranges = words_behind(subword.encoded_ranges(line), words_of(line));
    corpus.pairs().append(ids, ids, between_pieces(Links{{0, 0}}, ranges, ranges));
    all.push_back(static_cast<std::int64_t>(all.size()));
  }
  const Batch before = make_batch(corpus, all, subword.bos());
  const UpperCase tenth(subword, subword, 0.1, 7, 1000);
  Batch first = before, again = before, later = before, none = before, some = before;
  tenth.apply(first, 1), tenth.apply(again, 1), tenth.apply(later, 2);
  CHECK(first.source.tokens == again.source.tokens);
  CHECK(first.source.tokens != later.source.tokens);
  CHECK(first.source.tokens == first.target_out.tokens);
  int in_capitals = 0;
  for (std::size_t b = 0; b < lines.size(); ++b) {
    const std::vector<std::int32_t> ids(first.source.tokens.begin() + first.source.offsets[b],
                                        first.source.tokens.begin() + first.source.offsets[b + 1]);
    const std::string line = subword.decode(ids);
    if (line == lines[b]) continue;
    ++in_capitals;
    CHECK(line.find_first_of("abcdefghijklmno") == line.npos);
    CHECK(links_of_batch(first, b, subword) == "0-0");
  }
  CHECK(in_capitals >= 10);
  CHECK(in_capitals <= 30);
  UpperCase(subword, subword, 0, 7, 1000).apply(none, 1);
  CHECK(none.source.tokens == before.source.tokens);
  UpperCase(subword, subword, 1, 7, 2).apply(some, 1);  // longer than allowed
  CHECK(some.source.tokens == before.source.tokens);
  // To a model without capitals they would be unknown.
  CHECK(error_of([&] { UpperCase(bpe(), subword, 0.1, 7, 10); }) != "");
  CHECK(error_of([&] { UpperCase(subword, bpe(), 0.1, 7, 10); }) != "");
  CHECK(error_of([&] { UpperCase(bpe(), subword, 0, 7, 10); }).empty());
}

// Settings under which the words of the fixture's text, reversed in translation, are learnt.
Config guided_config() {
  Config config = quick_config();
  config.decoder_layers = 2;
  return config;
}

TrainingInputs guided(const Workplace& place, const std::string& run, int threads) {
  TrainingInputs in = place.inputs(run, threads);
  in.train[0].links = place.path("links");
  Output out(in.train[0].links);
  for (const std::string& line : read_lines(place.path("train.a"))) {
    const std::size_t n = words_of(line).size();
    std::string links;
    for (std::size_t w = 0; w < n; ++w)
      links += (w ? " " : "") + std::to_string(w) + "-" + std::to_string(n - 1 - w);
    out.line(links);
  }
  out.close();
  return in;
}

TEST_CASE("guided runs are the same bits on any number of threads, and when they are resumed") {
  const Workplace place;
  const Config config = guided_config();
  train(config, guided(place, "one", 1), test_backend(kCpu));
  train(config, guided(place, "three", 3), test_backend(kCpu));
  Config half = config;
  half.max_updates = 7;
  TrainingInputs in = guided(place, "half", 2);
  in.store = place.path("store");
  train(half, in, test_backend(kCpu));
  train(config, in, test_backend(kCpu));
  const std::string bytes = bytes_of(place, "one");
  CHECK(bytes == bytes_of(place, "three"));
  CHECK(bytes == bytes_of(place, "half"));
  train(config, place.inputs("without", 2), test_backend(kCpu));
  CHECK(bytes != bytes_of(place, "without"));
  const TensorFile model(place.path("one") + "/" + checkpoint_name(12));
  CHECK(stored_config(model).alignment_layer == 1);  // of two
  CHECK(stored_config(model).alignment_head == 1);
}

TEST_CASE("a guided head aligns, and is the one that is asked") {
  const Workplace place;
  Config config = guided_config();
  config.dropout = config.attention_dropout = config.subword_dropout = 0;
  config.max_updates = 400;
  config.valid_every = config.save_every = 0;
  config.rate = 0.005;
  config.guided_alignment_weight = 1;
  config.alignment_head = 2;
  TrainingInputs in = guided(place, "run", 3);
  in.log = place.path("log");
  train(config, in, test_backend(kCpu));
  CHECK(read_file(in.log).find("\"alignment_loss\":") != std::string::npos);
  const LoadedModel loaded =
      load_model(place.path("run/" + checkpoint_name(400)), test_backend(kCpu));
  const auto heads = alignment_heads(*loaded.model, {});
  REQUIRE(heads.size() == 1);
  CHECK(heads[0].layer == 1);
  CHECK(heads[0].head == 2);
  const Aligner aligner({loaded.model.get(), &loaded.source}, loaded.target, heads);
  const std::vector<std::string> sources = read_lines(place.path("dev.a")),
                                 targets = read_lines(place.path("dev.b"));
  Tape tape(test_backend(kCpu), loaded.model->params());
  int right = 0, words = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Translation t;
    t.text = targets[i];
    loaded.target.encode(t.text, t.target);
    t.target.push_back(loaded.target.eos());
    t.token_scores.assign(t.target.size(), 0);
    const LanguagePieces none;
    const Aligner::Pair pair{&sources[i], &t, true, &none};
    const SoftAlignment soft = aligner.align({&pair, 1}, tape, 1000)[0];
    for (std::size_t w = 0; w < soft.size(); ++w, ++words)
      right += std::max_element(soft[w].begin(), soft[w].end()) - soft[w].begin() ==
               static_cast<std::ptrdiff_t>(soft.size() - 1 - w);
  }
  INFO(right << " of " << words);
  CHECK(right > 0.9 * words);
}

TEST_CASE("links are refused where nothing can learn them") {
  const Workplace place;
  const auto error = [&](Config config) {
    return error_of([&] { train(config, guided(place, "run", 1), test_backend(kCpu)); });
  };
  CHECK(error(quick_config(QuickModel::lstm)).find("needs a Transformer") != std::string::npos);
  Config additive = guided_config();
  additive.scores = Scores::additive;
  CHECK(error(additive).find("needs a Transformer") != std::string::npos);
  Config beyond = guided_config();
  beyond.alignment_layer = 3;
  CHECK(error(beyond).find("no alignment_layer 3 with alignment_head 1") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(place.path("run")));
}

}  // namespace
}  // namespace tt
