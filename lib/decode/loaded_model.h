// Models read from their files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/checkpoint.h"
#include "model/model.h"
#include "model/weight_form.h"
#include "text/subword.h"

namespace tt {

// A model file, opened: parameters and subword models.
struct LoadedModel {
  std::shared_ptr<const TensorFile> file;  // where the parameters lie, if they were left there
  std::unique_ptr<Model> model;
  Subword source, target;
};

// Reads a model for inference; nothing is allocated before the file has been checked. If the
// backend uses host memory, the parameters stay in the mapped file, whose memory other processes
// share. `form`: how to multiply; an 8-bit file is used as such whatever is asked for. Throws Error
// if the file is not a model, is damaged, or its tensors do not match its configuration.
LoadedModel load_model(const std::string& path, const Backend& backend,
                       WeightForm form = WeightForm::float32);
// Several that translate together. Throws Error also if their target vocabularies are not the same.
std::vector<LoadedModel> load_models(const std::vector<std::string>& paths, const Backend& backend,
                                     WeightForm form);

}  // namespace tt
