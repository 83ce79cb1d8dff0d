// Text to text: pieces, beam search, text again, for a batch of lines on one thread; and models read from their files.
//
// Every line gets one translation. A line without text is translated by a line without text. A line of more pieces than the limit is
// cut into parts of at most that many, which are translated one by one and joined; it is counted as degraded.
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
  std::shared_ptr<const TensorFile> file;  // where the parameters lie, if they were left there
  std::unique_ptr<Model> model;
  Subword source, target;
};

// Reads a model for inference; nothing is allocated before the file was checked. Where the backend has the host's memory the parameters
// stay in the file, which is mapped, and shared with others that have it open. Throws Error if the file is no model, is
// damaged, or its tensors do not match its configuration.
LoadedModel load_model(const std::string& path, const Backend& backend);

struct TranslateOptions {
  SearchOptions search;
  std::int64_t batch_tokens = 4096;  // source tokens searched together
  std::int64_t longest = 1024;       // pieces of a line; longer ones are cut
};

struct Translation {
  std::string text;
  std::vector<std::int32_t> source, target;  // pieces with </s>; empty where the line is
  double score = 0;                          // log-probability over the length penalty, summed over parts
  bool cut = false;
};

class Translator {
 public:
  Translator(const Model& model, const Subword& source, const Subword& target, const TranslateOptions& options);

  // Translates lines, in batches of similar length, on the calling thread and its tape. The result for a line depends on that line only.
  // Throws Error if the model's probabilities are not finite.
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
