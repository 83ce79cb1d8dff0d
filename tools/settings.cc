#include "tools/settings.h"

#include "model/checkpoint.h"

namespace tt {
namespace {

const char* group_name(FieldGroup group) {
  return group == FieldGroup::model      ? "Model"
         : group == FieldGroup::training ? "Training"
                                         : "Search in validation, and defaults of the model";
}

}  // namespace

// The meaning of a preset depends on the type of the model, which may be set in the file.
Config Settings::config() const {
  Config config = over(tt::preset(preset));
  if (const ModelType type = config.type; type != Config().type) config = over(tt::preset(preset, type));
  check(config, file.empty() ? "settings" : file);
  return config;
}

Config Settings::over(Config config) const {
  // What the model is comes from that which it begins with; how it is trained does not.
  if (!from.empty()) {
    const Config before = stored_config(open_model(from));
    for (const Field& field : fields())
      if (field.group == FieldGroup::model) set_field(config, field, get_field(before, field), from);
  }
  if (!file.empty()) read_config(config, file);
  for (const auto& [field, text] : flags) set_field(config, *field, text, field->flag());
  return config;
}

void add_settings(CLI::App& app, Settings& settings) {
  const Config base;
  for (const Field& field : fields()) {
    if (std::string(field.name).ends_with("_vocab")) continue;  // set by the subword models
    const auto keep = [&settings, &field](const CLI::results_t& values) {
      settings.flags.emplace_back(&field, values.empty() ? "true" : values.back());
      return true;
    };
    CLI::Option* option = app.add_option(field.flag(), keep, field.help)->type_name(field.kind())->group(group_name(field.group));
    option->take_last()->check([&field](const std::string& text) { return problem(field, text); }, "");
    // A switch without a value means true; if CLI11 knew a default, it would take that instead.
    if (field.is_switch()) option->expected(0, 1);
    else option->default_str(get_field(base, field));
  }
}

}  // namespace tt
