// BPE-dropout and unigram sampling of batches: the same text in different pieces in every update.
#include <cmath>
#include <map>

#include "tests/unit/text_fixture.h"
#include "tests/unit/train_fixture.h"
#include "text/subword_regularization.h"

namespace tt {
namespace {

using Ids = std::vector<std::int32_t>;

struct Made {
  std::vector<std::string> lines = made_up_lines(40, 5);
  Batch batch;

  explicit Made(const Subword& model) {
    ParallelCorpus corpus(model, model);
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Ids source, target;
      model.encode(lines[i], source);
      model.encode(lines[lines.size() - 1 - i], target);
      source.push_back(model.eos()), target.push_back(model.eos());
      corpus.pairs().append(source, target);
      all.push_back(static_cast<std::int64_t>(i));
    }
    batch = make_batch(corpus, all, model.bos());
  }
};

std::vector<Ids> sentences(const Sequences& side) {
  std::vector<Ids> all;
  for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b)
    all.emplace_back(side.tokens.begin() + side.offsets[b],
                     side.tokens.begin() + side.offsets[b + 1]);
  return all;
}

const SubwordNoise kDropout{0.3f, 0}, kAlpha{0, 0.2f};

TEST_CASE("regularising a batch keeps the text and changes the pieces, anew in every update") {
  const bool bpe = GENERATE(true, false);
  const Subword& model = made_up_model(bpe ? "bpe" : "unigram");
  const Made made(model);
  const SubwordRegularization dropout(model, model, bpe ? kDropout : kAlpha, 7, 1000);
  Batch first = made.batch, again = made.batch, later = made.batch;
  dropout.apply(first, 1);
  dropout.apply(again, 1);
  dropout.apply(later, 2);
  CHECK(first.source.tokens == again.source.tokens);
  CHECK(first.target_out.tokens == again.target_out.tokens);
  CHECK(first.source.tokens != later.source.tokens);
  CHECK(first.source.rows() > made.batch.source.rows());
  CHECK(first.sentences == made.batch.sentences);
  const auto source = sentences(first.source), target = sentences(first.target_out),
             in = sentences(first.target_in);
  const auto before_source = sentences(made.batch.source),
             before_target = sentences(made.batch.target_out);
  REQUIRE(source.size() == before_source.size());
  int changed = 0;
  for (std::size_t b = 0; b < source.size(); ++b) {
    CHECK(model.decode(source[b]) == model.decode(before_source[b]));
    CHECK(model.decode(target[b]) == model.decode(before_target[b]));
    CHECK((source[b].back() == model.eos() && target[b].back() == model.eos()));
    REQUIRE(in[b].size() == target[b].size());
    CHECK(in[b].front() == model.bos());
    CHECK(std::equal(in[b].begin() + 1, in[b].end(), target[b].begin()));
    changed += source[b] != before_source[b];
  }
  CHECK(changed > 30);
}

TEST_CASE("regularising leaves what it cannot cut, and nothing changes without it") {
  const bool bpe = GENERATE(true, false);
  const Subword& model = made_up_model(bpe ? "bpe" : "unigram");
  const SubwordNoise most_noise = bpe ? SubwordNoise{0.9f, 0} : SubwordNoise{0, 0.01f};
  Made made(model);
  Batch batch = made.batch;
  SubwordRegularization(model, model, {}, 7, 1000).apply(batch, 1);
  CHECK(batch.source.tokens == made.batch.source.tokens);
  // At most as many pieces as allowed, and a sentence whose text is not known whole.
  batch = made.batch;
  const auto longest = [](const Sequences& side) {
    std::size_t most = 0;
    for (const auto& s : sentences(side)) most = std::max(most, s.size());
    return most;
  };
  const std::size_t most = longest(made.batch.source);
  SubwordRegularization(model, model, most_noise, 7, static_cast<std::int64_t>(most))
      .apply(batch, 1);
  CHECK(longest(batch.source) == most);
  made.batch.source.tokens[1] = model.unk();
  batch = made.batch;
  SubwordRegularization(model, model, most_noise, 7, 1000).apply(batch, 1);
  CHECK(sentences(batch.source)[0] == sentences(made.batch.source)[0]);
  CHECK(sentences(batch.source)[1] != sentences(made.batch.source)[1]);
}

TEST_CASE("noise that suits no model, or one side alone, is refused; that for each side is not") {
  const Subword &bpe = made_up_model("bpe"), &unigram = made_up_model("unigram");
  const auto make = [](const Subword& source, const Subword& target, const SubwordNoise& noise) {
    return error_of([&] { SubwordRegularization(source, target, noise, 1, 100); });
  };
  const std::string dropout =
      "subword_dropout is for subword models of type bpe, as subword_alpha is for unigram; "
      "give such models, or set it to 0";
  const std::string alpha =
      "subword_alpha is for subword models of type unigram, as subword_dropout is for bpe; "
      "give such models, or set it to 0";
  CHECK(make(unigram, unigram, kDropout) == dropout);
  CHECK(make(unigram, bpe, kDropout) == dropout);
  CHECK(make(bpe, bpe, kAlpha) == alpha);
  CHECK(make(bpe, unigram, kAlpha) == alpha);
  CHECK(make(bpe, bpe, {0.3f, 0.2f}) == alpha);
  CHECK(make(unigram, unigram, {0.3f, 0.2f}) == dropout);
  CHECK(make(unigram, bpe, {0.3f, 0.2f}).empty());
  CHECK(make(unigram, unigram, kAlpha).empty());
}

TEST_CASE("the segmentations of many updates are as frequent as the model says") {
  const Subword& model = made_up_model("unigram");
  ParallelCorpus corpus(model, model);
  Ids ids;
  model.encode("kato mi", ids);
  ids.push_back(model.eos());
  corpus.pairs().append(ids, ids);
  const Batch batch = make_batch(corpus, std::vector<std::int64_t>{0}, model.bos());
  const float alpha = 0.3f;
  const SubwordRegularization sampled(model, model, {0, alpha}, 3, 1000);
  constexpr int kUpdates = 20000;
  std::map<Ids, int> found;
  for (int update = 1; update <= kUpdates; ++update) {
    Batch again = batch;
    sampled.apply(again, update);
    ++found[{again.source.tokens.begin(), again.source.tokens.end() - 1}];
    ++found[{again.target_out.tokens.begin(), again.target_out.tokens.end() - 1}];
  }
  REQUIRE(found.size() > 5);
  const auto weight = [&](const Ids& segmentation) {
    double sum = 0;
    for (const std::int32_t id : segmentation) sum += double{alpha} * double{model.score(id)};
    return std::exp(sum);
  };
  const auto& [most, times] = *std::max_element(
      found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [segmentation, count] : found) {
    const double expected = times * weight(segmentation) / weight(most);
    CHECK(std::abs(count - expected) < 6 * std::sqrt(expected + times * 1e-3) + 6);
  }
}

TEST_CASE("training with unigram sampling ends with the same bits however it is computed") {
  const Workplace place;
  SubwordOptions options;
  options.type = "unigram";
  options.vocab_size = 45;
  const Subword subword = train_subword({place.path("train.a"), place.path("train.b")}, options);
  AtomicFile file(place.path("unigram.model"));
  file.write(subword.bytes());
  file.commit();
  Config config = quick_config();
  config.subword_dropout = 0;
  config.subword_alpha = 0.2;
  const auto train = [&](const char* name, int threads, std::int64_t updates) {
    Config part = config;
    part.max_updates = updates;
    TrainingInputs in = place.inputs(name, threads);
    in.source_subword = in.target_subword = place.path("unigram.model");
    run(part, in);
  };
  train("whole", 2, 12);
  train("parts", 1, 7);
  train("parts", 3, 12);
  const std::string whole = bytes_of(place, "whole");
  CHECK((bytes_of(place, "parts") == whole));
  config.subword_alpha = 0;
  train("best", 1, 12);
  CHECK((bytes_of(place, "best") != whole));
}

}  // namespace
}  // namespace tt
