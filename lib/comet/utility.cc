#include "comet/utility.h"

#include <algorithm>

#include "base/error.h"
#include "comet/embeddings.h"

namespace tt {
namespace {

constexpr std::size_t kSegments = 64;  // that the feed-forward network scores together

class CometTexts final : public rerank::TextScorer {
 public:
  CometTexts(const CometFile& comet, std::string_view source,
             std::span<const std::string_view> texts)
      : comet_(comet), workers_(comet.backend(), comet.model().params(), 1), embeddings_(comet) {
    for (const std::string_view text : texts) numbers_.push_back(number(text));
    source_ = number(source);
    ThreadPool pool(1);
    embeddings_.encode(pool, workers_);
  }

  void refer_to(std::span<const std::uint32_t> references,
                std::span<const double> weights) override {
    std::vector<double> sums(static_cast<std::size_t>(comet_.settings().encoder.d_model), 0.0);
    for (std::size_t i = 0; i < references.size(); ++i) {
      const auto embedding = embeddings_[numbers_[references[i]]];
      for (std::size_t c = 0; c < sums.size(); ++c)
        sums[c] += weights[i] * static_cast<double>(embedding[c]);
    }
    reference_.assign(sums.begin(), sums.end());
  }

  std::vector<double> score(std::span<const std::uint32_t> hypotheses) override {
    std::vector<double> scores;
    while (!hypotheses.empty()) {
      const auto some = hypotheses.first(std::min(hypotheses.size(), kSegments));
      std::vector<float> features;
      for (const std::uint32_t h : some)
        comet_.model().add_features(embeddings_[source_], embeddings_[numbers_[h]], reference_,
                                    features);
      const std::vector<float> found = comet_.score(workers_[0].tape, features);
      scores.insert(scores.end(), found.begin(), found.end());
      hypotheses = hypotheses.subspan(some.size());
    }
    return scores;
  }

 private:
  // The end of a line, which texts of JSON may have, is a space to the tokenizer.
  std::int32_t number(std::string_view text) {
    std::string line(text);
    std::ranges::replace(line, '\n', ' ');
    return embeddings_.number(std::move(line));
  }

  const CometFile& comet_;
  Workers workers_;
  CometEmbeddings embeddings_;
  std::vector<std::int32_t> numbers_;  // of the texts
  std::int32_t source_ = 0;
  std::vector<float> reference_;  // its embedding
};

class CometUtility final : public rerank::Utility {
 public:
  CometUtility(const CometChoice& choice, const rerank::Expectation& expectation)
      : Utility(expectation), backend_(open_backend(choice.device)),
        comet_(choice.model, *backend_, choice.int8 ? WeightForm::int8 : WeightForm::float32) {
    const CometInput input = comet_.settings().input;
    if (input == CometInput::source)
      throw Error(choice.model, ": scores without references, and a utility compares with them");
    if (input == CometInput::joint)
      throw Error(choice.model,
                  ": reads a translation and its reference together, so that each pair would be "
                  "encoded; a utility needs a model that reads them one by one");
  }
  std::string name() const override { return kCometName; }

 protected:
  std::unique_ptr<rerank::TextScorer> read(std::string_view source,
                                           std::span<const std::string_view> texts) const override {
    return std::make_unique<CometTexts>(comet_, source, texts);
  }

 private:
  std::unique_ptr<Backend> backend_;
  CometFile comet_;
};

}  // namespace

std::unique_ptr<rerank::Utility> make_comet_utility(const CometChoice& choice,
                                                    const rerank::Expectation& expectation) {
  return std::make_unique<CometUtility>(choice, expectation);
}

}  // namespace tt
