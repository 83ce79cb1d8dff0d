// Text to text: segmentation, beam search and detokenisation for a batch of lines on one thread; and loading of models.
//
// Every line gets one translation. A blank line gives an empty one. A line of more pieces than the limit is cut into parts of at
// most that many, which are translated separately and joined; it counts as degraded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decode/beam.h"
#include "model/checkpoint.h"
#include "model/model.h"
#include "text/subword.h"

namespace tt {

// A model file, opened: parameters and subword models.
struct LoadedModel {
  std::shared_ptr<const TensorFile> file;  // holds the parameters if they are used in place
  std::unique_ptr<Model> model;
  Subword source, target;
};

// Reads a model for inference; nothing is allocated before the file has been checked. If the backend uses host memory, the
// parameters stay in the mapped file, whose memory other processes share. `form`: how to multiply; an 8-bit
// file is used as such whatever is asked for. Throws Error if the file is not a model, is damaged, or
// its tensors do not match its configuration.
LoadedModel load_model(const std::string& path, const Backend& backend, WeightForm form = WeightForm::float32);

struct TranslateOptions {
  SearchOptions search;
  std::int64_t batch_tokens = 4096;  // source tokens searched together
  std::int64_t longest = 1024;       // pieces of a line; longer ones are cut
};

struct Translation {
  std::string text;
  std::vector<std::int32_t> source, target;  // pieces including </s>; empty for a blank line
  double score = 0;                          // log-probability over the length penalty, summed over parts
  bool cut = false;
};

class Translator {
 public:
  Translator(const Model& model, const Subword& source, const Subword& target, const TranslateOptions& options);

  // Translates lines, in batches of similar length, on the calling thread and its tape. The result for a line depends only on
  // that line. Throws Error if the model's probabilities are not finite.
  std::vector<Translation> translate(std::span<const std::string> lines, Tape& tape) const;

  const TranslateOptions& options() const { return options_; }

 private:
  struct Part;
  void translate_batch(std::span<Part*> parts, Tape& tape) const;

  const Model& model_;
  const Subword &source_, &target_;
  TranslateOptions options_;
};

}  // namespace tt
