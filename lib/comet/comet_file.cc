#include "comet/comet_file.h"

#include <cmath>

#include "base/error.h"
#include "model/stored_subword.h"

namespace tt {
namespace {

TensorFile open_file(const std::string& path) {
  TensorFile file(path);
  check_kind(file, kCometKind);
  return file;
}

std::unique_ptr<CometModel> load(const TensorFile& file, const Backend& backend, WeightForm form,
                                 const Subword& subword) {
  auto model = std::make_unique<CometModel>(stored_comet_settings(file));
  check_pieces(file.path(), model->settings().encoder, subword, subword);
  load_frozen(model->params(), file, backend, form);
  return model;
}

}  // namespace

CometFile::CometFile(const std::string& path, const Backend& backend, WeightForm form)
    : file_(open_file(path)), subword_(stored_subword(file_, SubwordSide::source)),
      model_(load(file_, backend, form, subword_)), tokenizer_(subword_, settings()),
      backend_(backend) {}

std::vector<float> CometFile::score(Tape& tape, std::span<const float> features) const {
  std::vector<float> scores = model_->score(tape, features);
  for (const float score : scores)
    if (!std::isfinite(score))
      throw Error(path(), ": gives a score that is no number; the model is damaged");
  return scores;
}

}  // namespace tt
