// BPE-dropout of batches: the same text in different pieces in every update.
#include "tests/unit/text_fixture.h"
#include "text/subword_dropout.h"

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

std::vector<Ids> sentences(const Side& side) {
  std::vector<Ids> all;
  for (std::size_t b = 0; b + 1 < side.offsets.size(); ++b)
    all.emplace_back(side.tokens.begin() + side.offsets[b],
                     side.tokens.begin() + side.offsets[b + 1]);
  return all;
}

TEST_CASE("BPE-dropout of a batch keeps the text and changes the pieces, anew in every update") {
  const Subword& model = made_up_model("bpe");
  const Made made(model);
  const SubwordDropout dropout(model, model, 0.3f, 7, 1000);
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

TEST_CASE("BPE-dropout leaves what it cannot cut, and nothing changes without it") {
  const Subword& model = made_up_model("bpe");
  Made made(model);
  Batch batch = made.batch;
  SubwordDropout(model, model, 0, 7, 1000).apply(batch, 1);
  CHECK(batch.source.tokens == made.batch.source.tokens);
  // At most as many pieces as allowed, and a sentence whose text is not known whole.
  batch = made.batch;
  const auto longest = [](const Side& side) {
    std::size_t most = 0;
    for (const auto& s : sentences(side)) most = std::max(most, s.size());
    return most;
  };
  const std::size_t most = longest(made.batch.source);
  SubwordDropout(model, model, 0.9f, 7, static_cast<std::int64_t>(most)).apply(batch, 1);
  CHECK(longest(batch.source) == most);
  made.batch.source.tokens[1] = model.unk();
  batch = made.batch;
  SubwordDropout(model, model, 0.9f, 7, 1000).apply(batch, 1);
  CHECK(sentences(batch.source)[0] == sentences(made.batch.source)[0]);
  CHECK(sentences(batch.source)[1] != sentences(made.batch.source)[1]);

  CHECK_THROWS_WITH(SubwordDropout(made_up_model("unigram"), model, 0.1f, 1, 100),
                    Contains("subword_dropout is for subword models of type bpe"));
}

}  // namespace
}  // namespace tt
