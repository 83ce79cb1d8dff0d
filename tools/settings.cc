#include "tools/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "model/checkpoint.h"
#include "train/transfer.h"

namespace tt {
namespace {

const char* group_name(FieldGroup group) {
  return group == FieldGroup::model      ? "Model"
         : group == FieldGroup::training ? "Training"
                                         : "Search in validation, and defaults of the model";
}

// "--d-model"
std::string flag_of(const Field& field) {
  std::string text = "--" + std::string(field.name);
  std::ranges::replace(text, '_', '-');
  return text;
}

}  // namespace

// The meaning of a preset depends on the types of the model and its norm, which may be set in the
// file.
Config Settings::config() const {
  const std::string text = file.empty() ? "{}" : read_file(file);  // once: it may be a pipe
  auto [config, named] = over(before ? *before : tt::preset(preset), text);
  if (!before && (config.type != Config().type || config.norm_type != Config().norm_type))
    config = over(tt::preset(preset, config.type, config.norm_type), text).first;
  if (!from.empty()) {
    const Field& type = *find_field("type");
    const std::string theirs = get_field(stored_config(open_model(from)), type),
                      mine = get_field(config, type);
    if (mine != theirs)
      throw Error(from, ": is of type ", theirs, ", and no ", mine, " can begin with it; omit ",
                  given("type") ? flag_of(type) : "the type in " + file);
  }
  const std::string type = get_field(config, "type");
  for (const Field* field : named)
    if (!applies(*field, config))
      throw Error(file, ": ", field->name, " does not apply to type ", type, "; omit it");
  for (const auto& [field, value] : flags)
    if (!applies(*field, config))
      throw Error(flag_of(*field), " does not apply to type ", type, "; omit it");
  // Not in check_config(): a model that was trained so is none the worse.
  if (config.type == ModelType::lstm && config.attention == AttentionKind::none &&
      config.attention_dropout > 0)
    throw Error(
        file.empty() ? "settings" : file,
        ": attention_dropout needs attention, but attention is \"none\"; change one of them");
  Config without = config;  // pieces are those of the subword models, which are not read yet
  without.source_vocab = without.target_vocab = 0;
  check_config(without, file.empty() ? "settings" : file);
  return config;
}

bool Settings::given(std::string_view name) const {
  return std::ranges::any_of(flags, [&](const auto& flag) { return flag.first->name == name; });
}

std::pair<Config, std::vector<const Field*>> Settings::over(Config config,
                                                            const std::string& json) const {
  // Architecture and search come from the model that it begins with; the training does not.
  if (!from.empty()) {
    const Config theirs = stored_config(open_model(from));
    for (const Field& field : fields())
      if (field.group != FieldGroup::training)
        set_field(config, field, get_field(theirs, field), from);
    set_fine_tuning(config);
  }
  auto named = read_json(config, json, file);
  for (const auto& [field, text] : flags) set_field(config, *field, text, flag_of(*field));
  const auto said = [&](std::string_view name) {
    return given(name) ||
           std::ranges::any_of(named, [&](const Field* field) { return field->name == name; });
  };
  // It has one schedule, which need not be said, and an average that suits some thousand updates.
  if (config.optimizer == Optimizer::schedule_free) {
    if (!said("schedule")) config.schedule = Schedule::constant;
    if (!said("average_power")) config.average_power = 2;
  }
  return {std::move(config), std::move(named)};
}

std::vector<Group> setting_groups(Settings& settings) {
  std::vector<Group> groups;
  const Config base;
  for (const Field& field : fields()) {
    if (std::string(field.name).ends_with("_vocab")) continue;  // set by the subword models
    const auto read = [&settings, &field](const std::string& text) {
      // For a field without text means true; of an option it is what a shell makes of a variable
      // that is not set.
      if (field.is_switch() && text.empty()) return std::string("must be true or false, not \"\"");
      std::string found = problem(field, text);
      if (found.empty()) settings.flags.emplace_back(&field, text);
      return found;
    };
    const std::string kind = field.kind();
    Value value{.name = field.is_switch()        ? "BOOLEAN"
                        : !field.choices.empty() ? "NAME"
                        : kind == "NUMBER"       ? "X"
                        : kind == "TEXT"         ? kind
                                                 : "N",
                .read = read,
                .choices = field.choices};
    if (field.is_switch()) value.least = 0, value.choices = {"true", "false"};
    else value.initial = get_field(base, field);
    const std::string title = group_name(field.group);
    if (groups.empty() || groups.back().title != title) groups.push_back({title, {}});
    groups.back().options.push_back({flag_of(field), value, field.help});
  }
  return groups;
}

Option memory_option(std::optional<std::size_t>& bytes) {
  const auto read = [&bytes](const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string unit(end, text.data() + text.size());
    const std::size_t power = std::string("KMGT").find(unit);
    if (error != std::errc() || unit.size() != 1 || power == std::string::npos ||
        !(number > 0 && number < 1e6))
      return "must be a number and K, M, G or T, not " + in_quotes(text);
    bytes = static_cast<std::size_t>(std::ldexp(number, static_cast<int>(10 * (power + 1))));
    return std::string();
  };
  return {"--memory",
          {"SIZE", read},
          "choose the largest --tokens for which so much memory is enough, as 4G",
          excludes("--tokens")};
}

}  // namespace tt
