// A COMET model of a file, with its tokenizer and the backend that computes it.
#pragma once

#include <memory>
#include <string>

#include "comet/comet_model.h"
#include "comet/tokenizer.h"
#include "model/weight_form.h"
#include "text/subword.h"

namespace tt {

// Any number of threads may use it, each with a tape of its own.
class CometFile {
 public:
  // Reads the file, whose matrices are used in the form `form`. The backend must outlive it. Throws
  // Error if the file is no such model, or is damaged.
  CometFile(const std::string& path, const Backend& backend, WeightForm form);

  const std::string& path() const { return file_.path(); }
  const TensorFile& file() const { return file_; }
  const CometSettings& settings() const { return model_->settings(); }
  const CometModel& model() const { return *model_; }
  // The scores of segments, as CometModel::score() gives them. Throws Error if one is not finite.
  std::vector<float> score(Tape& tape, std::span<const float> features) const;
  const CometTokenizer& tokenizer() const { return tokenizer_; }
  const Backend& backend() const { return backend_; }

 private:
  TensorFile file_;
  Subword subword_;
  std::unique_ptr<CometModel> model_;
  CometTokenizer tokenizer_;
  const Backend& backend_;
};

}  // namespace tt
