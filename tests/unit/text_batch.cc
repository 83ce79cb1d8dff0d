// Batches: every sentence once, limits kept, shards balanced, and a reproducible order.
#include <algorithm>
#include <set>

#include "tests/unit/text_fixture.h"
#include "text/batch.h"

namespace tt {
namespace {

using Ids = std::vector<std::int32_t>;

// Sentence i has made-up lengths, and its first token is its number.
ParallelCorpus corpus_of(std::int64_t pairs, std::uint32_t longest) {
  ParallelCorpus corpus(made_up_model("bpe"), made_up_model("bpe"));
  for (std::int64_t i = 0; i < pairs; ++i) {
    Random random(11, static_cast<std::uint64_t>(i));
    Ids source(1 + random.below(longest), 5), target(1 + random.below(longest), 6);
    source.front() = target.front() = static_cast<std::int32_t>(i);
    source.push_back(2), target.push_back(2);
    corpus.pairs().append(source, target);
  }
  return corpus;
}

std::vector<std::int64_t> numbers_of(const Epoch& epoch) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t u = 0; u < epoch.batches(); ++u)
    for (const auto& shard : epoch.shards(u))
      numbers.insert(numbers.end(), shard.sentences.begin(), shard.sentences.end());
  return numbers;
}

TEST_CASE("a batch is packed rows, with the target shifted by <s>") {
  ParallelCorpus corpus(made_up_model("bpe"), made_up_model("bpe"));
  corpus.pairs().append(Ids{10, 11, 2}, Ids{20, 2});
  corpus.pairs().append(Ids{12, 2}, Ids{21, 22, 23, 2});
  const std::vector<std::int64_t> order = {1, 0, 1};
  const Batch batch = make_batch(corpus, order, 1);
  CHECK(batch.source.tokens == Ids{12, 2, 10, 11, 2, 12, 2});
  CHECK(batch.source.offsets == Ids{0, 2, 5, 7});
  CHECK(batch.target_in.tokens == Ids{1, 21, 22, 23, 1, 20, 1, 21, 22, 23});
  CHECK(batch.target_out.tokens == Ids{21, 22, 23, 2, 20, 2, 21, 22, 23, 2});
  CHECK(batch.target_in.offsets == Ids{0, 4, 6, 10});
  CHECK(batch.target_out.offsets == batch.target_in.offsets);
  CHECK(batch.sentences == order);
  CHECK(batch.size() == 3);
  CHECK(make_batch(corpus, {}, 1).target_in.offsets == Ids{0});
}

TEST_CASE("a batch taken twice has each sentence once more, behind all of them") {
  Batch batch;
  const std::vector<std::vector<std::int32_t>> sources = {{3, 4, 2}, {2}, {5, 2}},
                                               targets = {{7, 2}, {8, 9, 2}, {2}};
  for (std::size_t n = 0; n <= sources.size(); ++n) {
    const Batch both = twice(batch);
    CHECK((both.twice && both.size() == 2 * batch.size()));
    for (const auto part : {&Batch::source, &Batch::target_in, &Batch::target_out}) {
      const Sequences &once = batch.*part, &found = both.*part;
      REQUIRE(found.offsets.size() == 2 * n + 1);
      CHECK(found.rows() == 2 * once.rows());
      for (std::size_t b = 0; b <= n; ++b) {
        CHECK(found.offsets[b] == once.offsets[b]);
        CHECK(found.offsets[n + b] == once.rows() + once.offsets[b]);
      }
      for (std::size_t i = 0; i < found.tokens.size(); ++i)
        CHECK(found.tokens[i] == once.tokens[i % once.tokens.size()]);
    }
    if (n == sources.size()) break;
    append(batch.source, sources[n]);
    append(batch.target_out, targets[n]);
    batch.target_in = shifted(batch.target_out, 1);
    batch.sentences.push_back(static_cast<std::int64_t>(n));
  }
}

TEST_CASE("every sentence is in an epoch exactly once, within the limits") {
  const auto corpus = corpus_of(2000, 30);
  for (const std::int64_t tokens : {31, 200, 1000, 1000000})
    for (const int shards : {1, 3, 4, 16}) {
      const Epoch epoch(corpus, {tokens, shards, 1}, 0);
      auto numbers = numbers_of(epoch);
      REQUIRE(numbers.size() == 2000);
      std::sort(numbers.begin(), numbers.end());
      CHECK(std::unique(numbers.begin(), numbers.end()) == numbers.end());
      for (std::int64_t u = 0; u < epoch.batches(); ++u) {
        std::int64_t source = 0, target = 0;
        const auto parts = epoch.shards(u);
        REQUIRE(parts.size() == static_cast<std::size_t>(shards));
        for (const auto& shard : parts) {
          source += shard.source.rows(), target += shard.target_in.rows();
          REQUIRE(shard.target_in.rows() == shard.target_out.rows());
          REQUIRE(shard.source.offsets.size() == shard.sentences.size() + 1);
          for (std::size_t b = 0; b < shard.sentences.size(); ++b)
            REQUIRE(shard.source.tokens[static_cast<std::size_t>(shard.source.offsets[b])] ==
                    shard.sentences[b]);
        }
        REQUIRE(source > 0);
        REQUIRE(source <= tokens);
        REQUIRE(target <= tokens);
      }
    }
}

TEST_CASE("updates are full: no two neighbours in length would fit into one") {
  const auto corpus = corpus_of(2000, 30);
  const Epoch epoch(corpus, {500, 1, 1}, 0);
  std::int64_t target = 0;
  for (std::int64_t i = 0; i < corpus.size(); ++i) target += corpus.target_length(i);
  CHECK(epoch.batches() < 2 * target / 500);
}

TEST_CASE("a sentence longer than the limit is an update of its own") {
  ParallelCorpus corpus(made_up_model("bpe"), made_up_model("bpe"));
  const Ids shorter = {7, 2}, longer(50, 7);
  corpus.pairs().append(shorter, shorter);
  corpus.pairs().append(longer, shorter);
  corpus.pairs().append(shorter, longer);
  corpus.pairs().append(shorter, shorter);
  const Epoch epoch(corpus, {10, 2, 1}, 0);
  REQUIRE(epoch.batches() == 3);
  std::multiset<std::int64_t> sizes;
  for (std::int64_t u = 0; u < 3; ++u) {
    std::int64_t size = 0;
    for (const auto& shard : epoch.shards(u)) size += shard.size();
    sizes.insert(size);
  }
  CHECK(sizes == std::multiset<std::int64_t>{1, 1, 2});
}

TEST_CASE("sentences of an update have similar lengths") {
  const auto corpus = corpus_of(3000, 30);
  const Epoch epoch(corpus, {500, 1, 1}, 0);
  for (std::int64_t u = 0; u < epoch.batches(); ++u) {
    const auto sentences = epoch.shards(u).front().sentences;
    for (std::size_t b = 1; b < sentences.size(); ++b) {
      const auto length = [&](std::size_t k) {
        return std::pair(corpus.target_length(sentences[k]), corpus.source_length(sentences[k]));
      };
      REQUIRE(length(b - 1) <= length(b));
      REQUIRE(length(b).first - length(b - 1).first <= 1);
    }
  }
}

TEST_CASE("shards are as equal as their sentences allow") {
  const auto corpus = corpus_of(3000, 30);
  const Epoch epoch(corpus, {1000, 4, 1}, 0);
  for (std::int64_t u = 0; u < epoch.batches(); ++u) {
    std::int64_t least = 1 << 30, most = 0, longest = 0, count = 0;
    for (const auto& shard : epoch.shards(u)) {
      const auto rows = shard.source.rows() + shard.target_in.rows();
      least = std::min(least, rows), most = std::max(most, rows), count += shard.size();
      for (const auto i : shard.sentences)
        longest = std::max(longest, corpus.source_length(i) + corpus.target_length(i));
    }
    if (count >= 4) REQUIRE(most - least <= 2 * longest);
  }
}

TEST_CASE("with fewer sentences than shards some shards are empty batches") {
  const auto corpus = corpus_of(2, 5);
  const Epoch epoch(corpus, {100, 5, 1}, 0);
  REQUIRE(epoch.batches() == 1);
  int empty = 0;
  for (const auto& shard : epoch.shards(0)) {
    CHECK(shard.source.offsets.size() == shard.sentences.size() + 1);
    empty += shard.sentences.empty();
  }
  CHECK(empty == 3);
}

TEST_CASE("the order is a function of seed and epoch") {
  const auto corpus = corpus_of(2000, 30);
  const auto order = [&](std::uint64_t seed, std::int64_t epoch) {
    return numbers_of(Epoch(corpus, {300, 4, seed}, epoch));
  };
  CHECK(order(1, 0) == order(1, 0));
  CHECK(order(1, 7) == order(1, 7));
  CHECK(order(1, 0) != order(1, 1));
  CHECK(order(1, 0) != order(2, 0));
  // Not only the updates change places: sentences find other company. Count pairs that stay
  // neighbours.
  const auto a = order(1, 0), b = order(1, 1);
  std::set<std::pair<std::int64_t, std::int64_t>> neighbours;
  for (std::size_t i = 1; i < a.size(); ++i) neighbours.insert({a[i - 1], a[i]});
  std::size_t same = 0;
  for (std::size_t i = 1; i < b.size(); ++i) same += neighbours.count({b[i - 1], b[i]});
  CHECK(same < a.size() * 7 / 10);
}

// Sentences of different lengths have a unique order by length, so only the order of the updates
// can differ here.
TEST_CASE("the order of updates differs between epochs") {
  ParallelCorpus corpus(made_up_model("bpe"), made_up_model("bpe"));
  for (std::size_t n = 1; n <= 20; ++n) corpus.pairs().append(Ids(n, 2), Ids(n, 2));
  const auto order = [&](std::int64_t epoch) {
    return numbers_of(Epoch(corpus, {1, 1, 1}, epoch));
  };
  auto sorted = order(0);
  CHECK(sorted != order(1));
  CHECK_FALSE(std::is_sorted(sorted.begin(), sorted.end()));
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted.size() == 20);
  CHECK(std::unique(sorted.begin(), sorted.end()) == sorted.end());
}

TEST_CASE("the sentences of an update do not depend on the number of shards") {
  const auto corpus = corpus_of(500, 30);
  CHECK(numbers_of(Epoch(corpus, {300, 1, 1}, 3)) == numbers_of(Epoch(corpus, {300, 8, 1}, 3)));
}

// Golden: a change of the order would silently break the guarantee that a run resumes where it
// stopped.
TEST_CASE("the order of a small corpus is known") {
  ParallelCorpus corpus(made_up_model("bpe"), made_up_model("bpe"));
  for (int i = 0; i < 8; ++i) corpus.pairs().append(Ids{7, 2}, Ids{7, 2});
  CHECK(numbers_of(Epoch(corpus, {4, 1, 1}, 0)) ==
        std::vector<std::int64_t>{6, 3, 4, 0, 7, 2, 1, 5});
}

TEST_CASE("sentences are in batches from the longest on") {
  using Batches = std::vector<std::vector<std::size_t>>;
  const std::size_t lengths[] = {3, 0, 5, 5, 1};
  CHECK(batches_by_length(lengths, 9) == Batches{{2}, {3, 0, 4}});
  CHECK(batches_by_length(lengths, 4) == Batches{{2}, {3}, {0, 4}});  // two are longer than a batch
  CHECK(batches_by_length({}, 4).empty());
}

TEST_CASE("an empty corpus has no epoch") {
  const ParallelCorpus corpus(made_up_model("bpe"), made_up_model("bpe"));
  CHECK(error_of([&] { Epoch(corpus, {}, 0); }) == "the corpus is empty");
}

}  // namespace
}  // namespace tt
