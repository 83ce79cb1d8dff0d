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
#include <vector>

#include "base/thread_pool.h"
#include "comet/embeddings.h"

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

  // Reads a model's file as CometFile does. `with_reference`: whether segments have references; a
  // model that can do without then joins them or not.
  CometScorer(const std::string& path, const Backend& backend, WeightForm form,
              bool with_reference);

  const CometSettings& settings() const { return comet_.settings(); }
  const TensorFile& file() const { return comet_.file(); }
  bool reads_source() const;
  bool reads_reference() const;

  // The score of each segment. Throws Error if one is not finite. Requires texts without LF, and
  // one call at a time, always with pools of as many threads.
  std::vector<double> score(std::span<const CometSegment> segments, ThreadPool& pool);

 private:
  void add_numbers(const CometSegment& segment, std::vector<std::int32_t>& numbers);
  void add_features(std::span<const std::int32_t> texts, std::vector<float>& features) const;

  CometFile comet_;
  CometEmbeddings embeddings_;
  bool with_reference_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace tt
