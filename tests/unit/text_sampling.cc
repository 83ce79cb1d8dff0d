// Random segmentations: BPE-dropout against BPE and against its extremes, unigram sampling against
// enumeration.
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/unit/text_fixture.h"
#include "text/sampling.h"

namespace tt {
namespace {

using Pieces = std::vector<std::string_view>;

PieceTable table(const std::map<std::string_view, float>& scores, const Pieces& symbols = {}) {
  PieceTable table;
  for (const auto& [piece, score] : scores) {
    table.scores[piece] = score;
    table.longest = std::max(table.longest, piece.size());
  }
  table.symbols = symbols;
  table.unknown = -20;
  return table;
}

std::string joined(const Pieces& pieces) {
  std::string text;
  for (const auto piece : pieces) text += std::string(text.empty() ? "" : " ") + std::string(piece);
  return text;
}

TEST_CASE("without dropout the merges are those of SentencePiece") {
  const Subword& model = made_up_model("bpe");
  auto lines = made_up_lines(300, 6);
  lines.insert(lines.end(), {"", "€€ka", "ka \xFF x", "<s>", std::string(3000, 'k')});
  for (const auto& line : lines) {
    Random random(1);
    std::vector<std::string> expected, pieces;
    std::vector<std::int32_t> expected_ids, ids;
    model.encode(line, expected), model.encode(line, expected_ids);
    model.sample(line, 0, random, pieces), model.sample(line, 0, random, ids);
    CHECK(pieces == expected);
    CHECK(ids == expected_ids);
  }
}

TEST_CASE("with byte fallback and user symbols, too") {
  SubwordOptions options;
  options.vocab_size = 400;
  options.byte_fallback = true;
  options.user_symbols = {"<x>", "<x>ka", "@@"};
  const Subword model = train_on(made_up_lines(1500, 1), options);
  for (const std::string line : {"ka<x>karo", "ka@@@ro", "€ka€ €", "@@ <x> @@"}) {
    Random random(1);
    std::vector<std::int32_t> expected, ids;
    model.encode(line, expected);
    model.sample(line, 0, random, ids);
    CHECK(ids == expected);
    model.sample(line, 0.7f, random, ids);
    CHECK(model.decode(ids) == line);
  }
}

TEST_CASE("with dropout 1 no merge is made") {
  Random random(1);
  Pieces pieces;
  sample_merges("abüc", table({{"ab", -1}, {"abü", -2}}), 1, random, pieces);
  CHECK(joined(pieces) == "a b ü c");
}

// A single possible merge is made with probability 1 - p. Of two that exclude each other, the
// better one is made with probability 1 - p, the other with p (1 - p), and neither with p squared.
TEST_CASE("merges are dropped with the given probability") {
  const int draws = 20000;
  const auto two = table({{"ab", -1}, {"bc", -2}});
  std::map<std::string, int> seen;
  for (int i = 0; i < draws; ++i) {
    Random random(3, static_cast<std::uint64_t>(i));
    Pieces pieces;
    sample_merges("abc", two, 0.3f, random, pieces);
    ++seen[joined(pieces)];
  }
  CHECK(seen["ab c"] == Approx(0.7 * draws).margin(250));
  CHECK(seen["a bc"] == Approx(0.21 * draws).margin(250));
  CHECK(seen["a b c"] == Approx(0.09 * draws).margin(250));
}

// Algorithm 1 draws anew after every merge, so merges dropped before have another chance.
TEST_CASE("a dropped merge is possible again after the next one") {
  const int draws = 20000;
  const auto merges = table({{"ab", -1}, {"cd", -2}});
  std::map<std::string, int> seen;
  for (int i = 0; i < draws; ++i) {
    Random random(4, static_cast<std::uint64_t>(i));
    Pieces pieces;
    sample_merges("abcd", merges, 0.5f, random, pieces);
    ++seen[joined(pieces)];
  }
  CHECK(seen["a b c d"] == Approx(draws / 4.0).margin(300));  // both left out
  CHECK(seen["ab c d"] == Approx(draws / 4.0).margin(300));   // 1/2 ab, then 1/2 no cd
  CHECK(seen["a b cd"] == Approx(draws / 8.0).margin(300));   // 1/4 cd first, then 1/2 no ab
  CHECK(seen["ab cd"] == Approx(draws * 3 / 8.0).margin(300));
}

TEST_CASE("unigram sampling follows the probabilities of all segmentations") {
  const auto pieces_of = table({{"a", -1}, {"b", -1.5}, {"ab", -2}, {"ba", -1}, {"aba", -2.5}});
  const float strength = 0.7f;
  // aba: a b a, ab a, a ba, aba
  const std::map<std::string, double> scores = {
      {"a b a", -3.5}, {"ab a", -3}, {"a ba", -2}, {"aba", -2.5}};
  double sum = 0;
  for (const auto& [text, score] : scores) sum += std::exp(0.7 * score);
  const int draws = 20000;
  std::map<std::string, int> seen;
  for (int i = 0; i < draws; ++i) {
    Random random(5, static_cast<std::uint64_t>(i));
    Pieces pieces;
    sample_lattice("aba", pieces_of, strength, random, pieces);
    ++seen[joined(pieces)];
  }
  CHECK(seen.size() == scores.size());
  for (const auto& [text, score] : scores)
    CHECK(seen[text] == Approx(draws * std::exp(0.7 * score) / sum).margin(300));
}

TEST_CASE("unknown characters and symbols have one segmentation") {
  const auto with_symbol = table(
      {{"a", -1}, {"<a", -1}, {"a>", -1}, {"a<a>", -1}, {"<a>ü", -1}, {"a<a>ü", -1}, {"<a>", 0}},
      {"<a>"});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    Pieces lattice, merges;
    sample_lattice("a<a>ü", with_symbol, 0.5f, random, lattice);
    sample_merges("a<a>ü", with_symbol, 0.5f, random, merges);
    CHECK(joined(lattice) == "a <a> ü");
    CHECK(joined(merges) == "a <a> ü");
  }
}

TEST_CASE("a strong unigram sample is the best segmentation, and any sample is the text") {
  const Subword& model = made_up_model("unigram");
  for (const auto& line : made_up_lines(50, 7)) {
    Random random(1);
    std::vector<std::int32_t> best, ids;
    model.encode(line, best);
    model.sample(line, 200, random, ids);
    const auto score = [&](const auto& sequence) {
      double sum = 0;
      for (const int id : sequence) sum += static_cast<double>(model.score(id));
      return sum;
    };
    CHECK(score(ids) == Approx(score(best)).margin(0.1));
    model.sample(line, 0, random, ids);
    CHECK(model.decode(ids) == line);
    CHECK(ids.size() > best.size());
  }
}

}  // namespace
}  // namespace tt
