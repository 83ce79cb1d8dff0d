#include "text/batch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/random.h"

namespace tt {
namespace {

// The streams of random numbers for batches; dropout and initial values use the same seed.
constexpr std::uint32_t kSentenceStream = 0x62617463, kUpdateStream = 0x62617464,
                        kWeightStream = 0x62617465;

// Sorts stably by length(i): a counting sort.
template <class Length>
void sort_by_length(std::vector<std::uint32_t>& sentences, const Length& length) {
  std::vector<std::size_t> place;
  for (const auto i : sentences) {
    const auto n = static_cast<std::size_t>(length(i)) + 1;
    if (n >= place.size()) place.resize(n + 1);
    ++place[n];
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<std::uint32_t> sorted(sentences.size());
  for (const auto i : sentences) sorted[place[static_cast<std::size_t>(length(i))]++] = i;
  sentences.swap(sorted);
}

}  // namespace

void end_sentence(Sequences& side) {
  TT_CHECK(std::in_range<std::int32_t>(side.tokens.size()));
  side.offsets.push_back(static_cast<std::int32_t>(side.tokens.size()));
}

void append(Sequences& side, std::span<const std::int32_t> sentence) {
  side.tokens.insert(side.tokens.end(), sentence.begin(), sentence.end());
  end_sentence(side);
}

std::int64_t RowLinks::linked_rows() const {
  std::int64_t rows = 0;
  for (std::size_t t = 0; t + 1 < begins.size(); ++t) rows += begins[t] < begins[t + 1];
  return rows;
}

void append_links(Batch& batch, std::span<const TokenLink> links) {
  RowLinks& to = batch.links;
  const auto begin_of_last = [](const Sequences& side) { return *(side.offsets.end() - 2); };
  const std::int32_t source = begin_of_last(batch.source), rows = batch.target_out.offsets.back();
  if (to.begins.empty()) to.begins.push_back(0);
  auto link = links.begin();
  for (std::int32_t t = 0; static_cast<std::int32_t>(to.begins.size()) <= rows; ++t) {
    for (; link != links.end() && link->target == t; ++link)
      to.sources.push_back(source + link->source);
    TT_CHECK(std::in_range<std::int32_t>(to.sources.size()));
    to.begins.push_back(static_cast<std::int32_t>(to.sources.size()));
  }
  TT_CHECK(link == links.end());
}

std::vector<TokenLink> links_of(const Batch& batch, std::size_t b) {
  std::vector<TokenLink> links;
  const std::int32_t source = batch.source.offsets[b], target = batch.target_out.offsets[b];
  for (std::int32_t t = target; t < batch.target_out.offsets[b + 1]; ++t)
    for (auto l = static_cast<std::size_t>(batch.links.begins[static_cast<std::size_t>(t)]);
         l < static_cast<std::size_t>(batch.links.begins[static_cast<std::size_t>(t) + 1]); ++l)
      links.push_back({t - target, batch.links.sources[l] - source});
  return links;
}

std::vector<std::vector<std::size_t>> batches_by_length(std::span<const std::size_t> lengths,
                                                        std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (lengths[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return lengths[i]; });
  std::vector<std::vector<std::size_t>> batches;
  std::size_t tokens = 0;  // of the last batch
  for (const std::size_t i : order) {
    if (batches.empty() || tokens + lengths[i] > most) batches.emplace_back(), tokens = 0;
    batches.back().push_back(i);
    tokens += lengths[i];
  }
  return batches;
}

Sequences shifted(const Sequences& out, std::int32_t bos) {
  Sequences in;
  in.tokens.reserve(out.tokens.size());
  for (std::size_t b = 0; b + 1 < out.offsets.size(); ++b) {
    in.tokens.push_back(bos);
    in.tokens.insert(in.tokens.end(), out.tokens.begin() + out.offsets[b],
                     out.tokens.begin() + out.offsets[b + 1] - 1);
  }
  in.offsets = out.offsets;
  return in;
}

Batch make_batch(const ParallelCorpus& corpus, std::span<const std::int64_t> sentences,
                 std::int32_t bos, bool source_eos) {
  Batch batch;
  batch.sentences.assign(sentences.begin(), sentences.end());
  for (const auto i : sentences) {
    corpus.append_source(batch.source.tokens, i);
    if (!source_eos && corpus.source_length(i) > 1) batch.source.tokens.pop_back();
    end_sentence(batch.source);
    corpus.append_target(batch.target_out.tokens, i);
    end_sentence(batch.target_out);
    if (corpus.pairs().has_links()) append_links(batch, corpus.pairs().links(i));
  }
  batch.target_in = shifted(batch.target_out, bos);
  return batch;
}

Batch twice(const Batch& batch) {
  TT_CHECK(!batch.twice);
  Batch both = batch;
  both.twice = true;
  const auto rows = static_cast<std::int32_t>(batch.source.rows());
  for (std::size_t t = 1; t < batch.links.begins.size(); ++t)
    both.links.begins.push_back(batch.links.begins.back() + batch.links.begins[t]);
  for (const std::int32_t source : batch.links.sources) both.links.sources.push_back(source + rows);
  for (const auto part : {&Batch::source, &Batch::target_in, &Batch::target_out}) {
    const Sequences& once = batch.*part;
    for (std::size_t b = 0; b + 1 < once.offsets.size(); ++b)
      append(both.*part,
             std::span(once.tokens)
                 .subspan(static_cast<std::size_t>(once.offsets[b]),
                          static_cast<std::size_t>(once.offsets[b + 1] - once.offsets[b])));
  }
  both.sentences.insert(both.sentences.end(), batch.sentences.begin(), batch.sentences.end());
  return both;
}

Epoch::Epoch(const ParallelCorpus& corpus, const BatchOptions& options, std::int64_t epoch)
    : corpus_(corpus), shards_(options.shards), source_eos_(options.source_eos) {
  TT_CHECK(options.tokens >= 1 && options.shards >= 1 && epoch >= 0);
  if (corpus.size() == 0) throw Error("the corpus is empty");
  if (corpus.size() >= std::numeric_limits<std::uint32_t>::max())
    throw Error("a corpus may have up to 4,294,967,294 pairs");
  choose_sentences(options.seed, epoch);
  Random(options.seed, static_cast<std::uint64_t>(epoch), kSentenceStream)
      .shuffle(std::span(sentences_));
  sort_by_length(sentences_, [&](std::uint32_t i) { return corpus.source_length(i); });
  sort_by_length(sentences_, [&](std::uint32_t i) { return corpus.target_length(i); });

  std::int64_t source = 0, target = 0;
  for (std::size_t at = 0; at < sentences_.size(); ++at) {
    const std::int64_t s = corpus.source_length(sentences_[at]),
                       t = corpus.target_length(sentences_[at]);
    if (at == 0 || source + s > options.tokens || target + t > options.tokens) {
      begins_.push_back(static_cast<std::uint32_t>(at));
      source = target = 0;
    }
    source += s, target += t;
  }
  order_.resize(begins_.size());
  begins_.push_back(static_cast<std::uint32_t>(sentences_.size()));
  std::iota(order_.begin(), order_.end(), 0u);
  Random(options.seed, static_cast<std::uint64_t>(epoch), kUpdateStream).shuffle(std::span(order_));
}

// The pairs of the epoch, each as often as its weight says.
void Epoch::choose_sentences(std::uint64_t seed, std::int64_t epoch) {
  const auto& stretches = corpus_.stretches();
  if (stretches.empty()) {
    sentences_.resize(static_cast<std::size_t>(corpus_.size()));
    std::iota(sentences_.begin(), sentences_.end(), 0u);
    return;
  }
  Random random(seed, static_cast<std::uint64_t>(epoch), kWeightStream);
  std::size_t next = 0;
  double weight = 1;
  for (std::int64_t i = 0; i < corpus_.size(); ++i) {
    while (next < stretches.size() && stretches[next].begin <= i) weight = stretches[next++].weight;
    const double whole = std::floor(weight);
    const auto times = static_cast<std::size_t>(whole) +
                       (static_cast<double>(random.uniform()) < weight - whole ? 1 : 0);
    sentences_.insert(sentences_.end(), times, static_cast<std::uint32_t>(i));
    if (sentences_.size() >= std::numeric_limits<std::uint32_t>::max())
      throw Error("an epoch may have up to 4,294,967,294 pairs, each counted by its weight");
  }
  if (sentences_.empty()) sentences_.push_back(0);  // all weights are small, and chance took none
}

std::vector<Batch> Epoch::shards(std::int64_t batch) const {
  TT_CHECK(batch >= 0 && batch < batches());
  const std::size_t number = order_[static_cast<std::size_t>(batch)];
  const std::vector<std::int64_t> sentences(sentences_.begin() + begins_[number],
                                            sentences_.begin() + begins_[number + 1]);
  std::vector<std::int64_t> rows{0};  // of all sentences before each one
  for (const auto i : sentences)
    rows.push_back(rows.back() + corpus_.source_length(i) + corpus_.target_length(i));

  std::vector<Batch> shards;
  for (std::size_t begin = 0, k = 1; k <= static_cast<std::size_t>(shards_); ++k) {
    // Shard k ends where the preceding rows come closest to k / shards of the total.
    const std::int64_t ideal = rows.back() * static_cast<std::int64_t>(k);
    std::size_t end = begin;
    const auto distance = [&](std::size_t i) { return std::abs(rows[i] * shards_ - ideal); };
    while (end < sentences.size() && distance(end + 1) <= distance(end)) ++end;
    shards.push_back(make_batch(corpus_, std::span(sentences).subspan(begin, end - begin),
                                corpus_.bos(), source_eos_));
    begin = end;
  }
  return shards;
}

}  // namespace tt
