#include "comet/settings.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kSettings = "comet";  // metadata
constexpr int kMostHidden = 1 << 20;
constexpr std::array<const char*, 3> kInputs = {"reference", "source", "joint"};
constexpr std::array<const char*, 4> kActivations = {"none", "tanh", "sigmoid", "clamp"};
constexpr std::array<const char*, 2> kPoolings = {"average", "cls"},
                                     kReadings = {"transformers", "marian"};

// The settings of a file, one by one.
class Reader {
 public:
  Reader(const json& settings, const std::string& where) : settings_(settings), where_(where) {}

  template <class Value>
  Value get(const char* key) const {
    try {
      return settings_.at(key).get<Value>();
    } catch (const json::exception&) {
      refuse(key);
    }
  }
  template <class Value, std::size_t n>
  Value choose(const char* key, const std::array<const char*, n>& names) const {
    const auto name = get<std::string>(key);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) refuse(key);
    return static_cast<Value>(found - names.begin());
  }
  int size(const char* key, int most) const {
    const int value = get<int>(key);
    if (value < 2 || value > most) refuse(key);
    return value;
  }
  [[noreturn]] void refuse(const char* key) const {
    throw Error(where_, ": its setting ", in_quotes(key),
                " is missing, or has a value that this program does not know");
  }

 private:
  const json& settings_;
  const std::string& where_;
};

}  // namespace

Metadata comet_metadata(const CometSettings& settings) {
  const json comet = {
      {"name", settings.name},
      {"licence", settings.licence},
      {"input", kInputs[static_cast<std::size_t>(settings.input)]},
      {"joins_source", settings.joins_source},
      {"joins_reference", settings.joins_reference},
      {"pooling", kPoolings[static_cast<std::size_t>(settings.pooling)]},
      {"layer_norm", settings.layer_norm},
      {"hidden", settings.hidden},
      {"final_activation", kActivations[static_cast<std::size_t>(settings.final_activation)]},
      {"reading", kReadings[static_cast<std::size_t>(settings.reading)]},
      {"longest_text", settings.longest_text},
      {"longest", settings.longest}};
  return {{"kind", kCometKind},
          {"config", to_json(settings.encoder)},
          {"decisive_keys", decisive_keys(settings.encoder)},
          {kSettings, comet.dump(-1, ' ', false, json::error_handler_t::replace)}};
}

CometSettings stored_comet_settings(const TensorFile& file) {
  check_kind(file, kCometKind);
  CometSettings settings;
  settings.encoder = stored_config(file);
  const std::string where = file.path() + ": comet";
  if (settings.encoder.source_vocab < 1 || settings.encoder.type != ModelType::transformer)
    throw Error(file.path(), ": its configuration is of no encoder; the file is damaged");
  const json stored = json::parse(file.value(kSettings), nullptr, false);
  if (!stored.is_object()) throw Error(where, ": is no JSON object; the file is damaged");
  const Reader read(stored, where);
  settings.name = read.get<std::string>("name");
  settings.licence = read.get<std::string>("licence");
  settings.input = read.choose<CometInput>("input", kInputs);
  settings.joins_source = read.get<bool>("joins_source");
  settings.joins_reference = read.get<bool>("joins_reference");
  settings.pooling = read.choose<CometPooling>("pooling", kPoolings);
  settings.layer_norm = read.get<bool>("layer_norm");
  settings.hidden = read.get<std::vector<int>>("hidden");
  for (const int size : settings.hidden)
    if (size < 1 || size > kMostHidden) read.refuse("hidden");
  settings.final_activation = read.choose<CometActivation>("final_activation", kActivations);
  if (stored.contains("reading"))  // not in the first files of this kind
    settings.reading = read.choose<CometReading>("reading", kReadings);
  settings.longest = read.size("longest", settings.encoder.max_length);
  settings.longest_text = read.size("longest_text", settings.longest);
  if (settings.input == CometInput::joint && !settings.joins_source && !settings.joins_reference)
    read.refuse("input");
  return settings;
}

}  // namespace tt
