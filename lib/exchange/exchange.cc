#include "exchange/exchange.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/split.h"
#include "exchange/vocabulary.h"
#include "model/checkpoint.h"

namespace tt {
namespace {

const ForeignFormat* const kFormats[] = {&kMarian,  &kHuggingFace, &kCTranslate2,
                                         &kFairseq, &kOpenNmt,     &kArgos};
// Settings that every format that is written can express.
const ForeignTable kUsualSettings{
    fixed("type=transformer embeddings=shared|target|none encoder_layers decoder_layers d_model "
          "d_ff heads attention_bias output_bias max_length source_vocab target_vocab")};
constexpr const char* kSearchSettings[] = {"beam", "length_penalty",
                                           "alpha"};  // that other programs have as well
// Settings that not all have: kept by a format, done by its program whatever a model says, or
// lost.
constexpr const char* kOwnSearchSettings[] = {"narrow_beam",   "stop_when_full", "forbid_unknown",
                                              "length_factor", "extra_length",   "alignment_layer",
                                              "alignment_head"};

// Settings of a model that a kind cannot express, each with the values that it can.
std::vector<std::pair<const Field*, std::vector<std::string>>> inexpressible(
    const Config& model, const ForeignKind& kind) {
  // The width of a head may be said, though it is the usual one.
  Config config = model;
  if (config.key_size() * config.heads == config.d_model) config.d_k.reset();
  if (config.value_size() * config.heads == config.d_model) config.d_v.reset();
  std::vector<std::pair<const Field*, std::vector<std::string>>> found;
  for (const Field& field : fields()) {
    if (field.group != FieldGroup::model) continue;
    std::vector<std::string> values{get_field(Config(), field)};
    for (const auto& settings : {kUsualSettings, kind.settings})
      for (const ForeignSetting& row : settings)
        if (field.name == row.setting) {
          values.clear();
          if (row.following == Following::kept)
            for (const auto& [theirs, ours] : row.values)
              if (ours && std::ranges::find(values, *ours) == values.end()) values.push_back(*ours);
        }
    if (!values.empty() && std::ranges::find(values, get_field(config, field)) == values.end())
      found.emplace_back(&field, values);
  }
  return found;
}

// The kind of a format that can express the most of a model. Requires that there are any.
const ForeignKind& nearest_kind(const Config& config, const ForeignFormat& format) {
  const auto missed = [&](const ForeignKind& kind) { return inexpressible(config, kind).size(); };
  return *std::min_element(
      format.kinds.begin(), format.kinds.end(),
      [&](const ForeignKind& a, const ForeignKind& b) { return missed(a) < missed(b); });
}

// The kind of a format that can express a model. Throws Error if none can, with all reasons of the
// kind that is nearest.
const ForeignKind& kind_of(const PortableModel& model, const ForeignFormat& format) {
  if (format.kinds.empty()) throw Error("a model cannot be written for ", format.name);
  const ForeignKind& kind = nearest_kind(model.config, format);
  std::string with, possible;
  const auto refuse = [&](const std::string& setting, const std::string& values) {
    with += (with.empty() ? "" : ", ") + setting;
    possible += (possible.empty() ? "" : "; ") + values;
  };
  const auto lacks = inexpressible(model.config, kind);
  const int k = model.config.key_size(), v = model.config.value_size();
  for (const auto& [field, values] : lacks) {
    std::string list;
    for (const std::string& value : values)
      list += (list.empty() ? "" : &value == &values.back() ? " and " : ", ") + value;
    const std::string name = field->name;
    refuse(name + " " + get_field(model.config, *field),
           lacks.size() + (k != v) > 1 ? name + " " + list : list);
  }
  if (k != v)
    refuse("d_k " + std::to_string(k) + " and d_v " + std::to_string(v), "one width for both");
  std::string reasons;
  if (!with.empty())
    reasons = "a model with " + with + " cannot be " + kind.title + ", which has " + possible;
  for (const std::string& obstacle :
       kind.obstacles ? kind.obstacles(model) : std::vector<std::string>())
    reasons += (reasons.empty() ? "" : "; and ") + obstacle;
  if (!reasons.empty()) throw Error(model.path, ": ", reasons);
  return kind;
}

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ForeignFormat* format : kFormats) names.push_back(format->name);
  return names;
}

std::vector<std::string> written_format_names() {
  std::vector<std::string> names;
  for (const ForeignFormat* format : kFormats)
    if (!format->kinds.empty()) names.push_back(format->name);
  return names;
}

const ForeignFormat& format_of(const std::string& name) {
  for (const ForeignFormat* format : kFormats)
    if (name == format->name) return *format;
  throw Error("there is no format ", in_quotes(name), "; formats are ", join(format_names(), ", "));
}

PortableModel import_model(const ImportRequest& request, const ForeignFormat& format) {
  const std::string& path = request.path;
  if (!format.takes_vocabularies && !request.vocabularies.empty())
    throw SettingError(path, ": is of ", format.name,
                       ", whose vocabularies have their names; omit ", Setting{"vocabulary"});
  if (!format.takes_files && file_exists(path) && !is_folder(path))
    throw Error(path, ": is a file, but a model of ", format.name, " is a folder; give that");
  if (!format.asks_source_eos && request.source_eos)
    throw SettingError(path, ": is of ", format.name, ", whose files say how sources end; omit ",
                       Setting{"source_eos"});
  PortableModel model = format.read(request);
  if (const std::string other = departure(model.config, format); !other.empty())
    model.losses.push_back(path + ": " + other);
  return model;
}

void export_model(PortableModel model, const ForeignFormat& format, const std::string& folder) {
  // Formats share names, such as config.json: none can be written among the files of another.
  for (const ForeignFormat* other : kFormats)
    if (other != &format) check_absent(folder, other->files);
  const ForeignKind& kind = kind_of(model, format);
  kind.write(std::move(model), folder);
}

std::string lost_search(const Config& config, const ForeignFormat& format) {
  const Config usual;
  Config mine = config;
  if (config.length_penalty == LengthPenalty::none)
    mine.length_penalty = LengthPenalty::length, mine.alpha = 0;  // the same
  Config kept = mine;
  for (const char* setting : kOwnSearchSettings)
    set_field(kept, *find_field(setting), get_field(usual, setting), setting);
  kept.length_penalty = LengthPenalty::length;
  format.keep_search(mine, kept);
  std::string lost;
  const auto look_at = [&](const char* setting, bool chosen) {
    if (chosen && get_field(mine, setting) != get_field(kept, setting))
      lost += (lost.empty() ? "" : ", ") + std::string(setting) + " " + get_field(mine, setting);
  };
  for (const char* setting : kSearchSettings) look_at(setting, true);
  for (const char* setting : kOwnSearchSettings)
    look_at(setting, get_field(config, setting) != get_field(usual, setting));
  return lost;
}

std::string departure(const Architecture& config, const ForeignFormat& format) {
  return format.departure ? format.departure(config) : "";
}

std::string replaced_settings(const Config& config, const ForeignFormat& format) {
  std::string replaced;
  for (const ForeignSetting& row : nearest_kind(config, format).settings) {
    if (row.following != Following::replaced) continue;
    const std::string ours = get_field(config, row.setting), always = *row.values[0].ours;
    if (ours != always)
      replaced += (replaced.empty() ? "" : ", ") + row.setting + " " + ours + ", which is always " +
                  always + " there";
  }
  return replaced;
}

std::string summary(const PortableModel& model) {
  const Config& config = model.config;
  std::string text = std::to_string(config.encoder_layers) + " + " +
                     std::to_string(config.decoder_layers) + " layers, " +
                     std::to_string(config.heads) + " heads, width " +
                     std::to_string(config.d_model) + ", " + std::to_string(config.source_vocab) +
                     " and " + std::to_string(config.target_vocab) + " pieces, " +
                     with_commas(model.count()) + " parameters";
  const auto add = [&](const char* setting) {
    text += std::string(", ") + setting + " " + get_field(config, setting);
  };
  for (const char* setting : {"norm", "activation", "positions", "embeddings"}) add(setting);
  for (const char* setting : kSearchSettings) add(setting);
  return text;
}

}  // namespace tt
