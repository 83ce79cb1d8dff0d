#include "decode/loaded_model.h"

#include "base/error.h"
#include "model/stored_subword.h"

namespace tt {

LoadedModel load_model(const std::string& path, const Backend& backend, WeightForm form) {
  const auto file = std::make_shared<const TensorFile>(open_model(path));
  Subword source = stored_subword(*file, SubwordSide::source),
          target = stored_subword(*file, SubwordSide::target);
  const Config config = stored_config(*file);
  check_pieces(path, config, source, target);
  auto model = make_model(config);
  model->set_name(path);
  load_frozen(model->params(), *file, backend, form);
  return {file, std::move(model), std::move(source), std::move(target)};
}

std::vector<LoadedModel> load_models(const std::vector<std::string>& paths, const Backend& backend,
                                     WeightForm form) {
  std::vector<LoadedModel> models;
  for (const std::string& path : paths) {
    models.push_back(load_model(path, backend, form));
    if (models.back().target.bytes() != models[0].target.bytes())
      throw Error(path, ": has another target vocabulary than ", paths[0],
                  "; models that translate together must share it");
  }
  return models;
}

}  // namespace tt
