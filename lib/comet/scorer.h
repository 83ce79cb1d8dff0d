// Scores of translations by a COMET model, from its file and text.
//
// A text that is read several times is encoded once, as long as its embedding is kept (up to
// kKeptBytes of them). A score depends on its segment alone, so it is the same with any number of
// threads and in any order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/thread_pool.h"
#include "comet/comet_model.h"
#include "comet/tokenizer.h"
#include "model/weight_form.h"
#include "nn/worker.h"
#include "text/subword.h"

namespace tt {

// A translation to be scored. The source or the reference is not looked at where the model does not
// read it.
struct CometSegment {
  std::string_view source, translation, reference;
};

class CometScorer {
 public:
  // Embeddings that are kept from one call to the next.
  static constexpr std::size_t kKeptBytes = std::size_t{256} << 20;

  // Reads a model's file, whose matrices are used in the form `form`. The backend must outlive it.
  // `with_reference`: whether segments have references; a model that can do without then joins them
  // or not. Throws Error if the file is no such model, or is damaged, or if it needs a reference.
  CometScorer(const std::string& path, const Backend& backend, WeightForm form,
              bool with_reference);

  const CometSettings& settings() const { return model_->settings(); }
  const TensorFile& file() const { return file_; }
  bool reads_source() const;
  bool reads_reference() const;

  // The score of each segment. Throws Error if one is not finite. Requires texts without LF, and
  // one call at a time, always with pools of as many threads.
  std::vector<double> score(std::span<const CometSegment> segments, ThreadPool& pool);

 private:
  std::int32_t number(std::string text);
  void add_numbers(const CometSegment& segment, std::vector<std::int32_t>& numbers);
  void encode(ThreadPool& pool);
  void add_features(std::span<const std::int32_t> texts, std::vector<float>& features) const;

  TensorFile file_;
  Subword subword_;
  std::unique_ptr<CometModel> model_;
  CometTokenizer tokenizer_;
  const Backend& backend_;
  bool with_reference_;
  std::unique_ptr<Workers> workers_;
  // Texts by their numbers; of those that are read together an LF stands between them.
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<const std::string*> fresh_;  // texts that have no embeddings yet: the last ones
  std::vector<float> embeddings_;          // [texts, D]
};

}  // namespace tt
