#include "exchange/json_settings.h"

#include <cmath>
#include <sstream>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/split.h"
#include "exchange/foreign.h"
#include "exchange/yaml.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr std::size_t kShown = 60;  // characters of a value

template <class T>
std::string range(const char* what, T least, T most) {
  std::ostringstream text;
  text << what << " from " << least << " to " << most;
  return text.str();
}

}  // namespace

std::optional<std::string> text_in(const json& value, const std::string& key) {
  if (!value.is_object() || !value.contains(key) || !value[key].is_string()) return std::nullopt;
  return value[key].get<std::string>();
}

JsonSettings::JsonSettings(const std::string& path)
    : JsonSettings(read_file(file_of_model(path)), path) {}

JsonSettings::JsonSettings(std::string_view bytes, const std::string& path) {
  check_downloaded(bytes, path);
  json all;
  try {
    all = json::parse(bytes);
  } catch (const json::exception&) {
    throw Error(path, ": not JSON");
  }
  *this = of_object(all, path);
}

JsonSettings JsonSettings::of_object(const json& object, const std::string& path) {
  if (!object.is_object()) throw Error(path, ": must be a JSON object");
  JsonSettings settings = none(path);
  for (const auto& [key, value] : object.items())
    if (!value.is_null()) settings.entries_[key] = {value, path};
  return settings;
}

JsonSettings JsonSettings::of_yaml(std::string_view text, const std::string& name) {
  check_downloaded(text, name);
  JsonSettings settings = none(name);
  settings.yaml_ = true;
  for (auto& [key, value] : read_yaml(text, name))
    if (!value.is_null()) settings.entries_[key] = {std::move(value), name};
  return settings;
}

JsonSettings JsonSettings::none(const std::string& path) {
  JsonSettings settings;
  settings.path_ = path;
  return settings;
}

JsonSettings JsonSettings::if_any(const std::string& path) {
  return file_exists(path) ? JsonSettings(path) : none(path);
}

void JsonSettings::add(const JsonSettings& other) {
  for (const auto& [key, entry] : other.entries_) entries_[key] = entry;
}

void JsonSettings::refuse(const std::string& key, const std::string& possible) const {
  const std::string end = possible.empty() ? "" : "; " + possible + " can";
  const auto found = entries_.find(key);
  if (found == entries_.end())
    throw Error(path_, ": a model without ", in_quotes(key), " cannot be imported", end);
  const json& value = found->second.value;
  if (yaml_)
    throw Error(path_, ": its option ", in_quotes(key + ": " + join(list(key), " ")),
                " cannot be imported");
  std::string shown = value.is_primitive()
                          ? value.dump(-1, ' ', true, json::error_handler_t::replace)
                          : std::string("(an ") + value.type_name() + ")";
  if (shown.size() > kShown) shown = shown.substr(0, kShown) + "...";
  throw Error(found->second.path, ": its ", in_quotes(key), " ", shown, " cannot be imported", end);
}

json JsonSettings::plain(const std::string& key) const {
  const json& value = entries_.at(key).value;
  if (!yaml_ || !value.is_string()) return value;
  const std::string text = value;
  if (const auto number = number_in<double>(text))
    return *number == std::floor(*number) && std::abs(*number) < 1e15 ? json(std::llround(*number))
                                                                      : json(*number);
  return text == "true" || text == "True"     ? json(true)
         : text == "false" || text == "False" ? json(false)
                                              : value;
}

int JsonSettings::integer(const std::string& key, int otherwise, int least, int most) const {
  if (!has(key)) return otherwise;
  const json value = plain(key);
  if (!value.is_number_integer() || value < least || value > most)
    refuse(key, range("a whole number", least, most));
  return value.get<int>();
}

double JsonSettings::number(const std::string& key, double otherwise, double least,
                            double most) const {
  if (!has(key)) return otherwise;
  const json value = plain(key);
  if (!value.is_number() || !(value >= least && value <= most))
    refuse(key, range("a number", least, most));
  return value.get<double>();
}

bool JsonSettings::yes(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const json value = plain(key);
  if (yaml_ && (value == 0 || value == 1)) return value == 1;
  if (!value.is_boolean()) refuse(key, "true or false");
  return value.get<bool>();
}

std::string JsonSettings::text(const std::string& key, const std::string& otherwise) const {
  if (!has(key)) return otherwise;
  if (!entries_.at(key).value.is_string()) refuse(key, "text");
  return entries_.at(key).value.get<std::string>();
}

std::vector<std::string> JsonSettings::list(const std::string& key) const {
  const json all = value(key);
  std::vector<std::string> texts;
  for (const json& text : all)
    if (text.is_string()) texts.push_back(text.get<std::string>());
  return texts;
}

std::optional<std::string> JsonSettings::written(const std::string& key) const {
  const json all = value(key);
  if (all.is_null() || (yaml_ && all.empty())) return std::nullopt;
  return yaml_ && all.is_string() ? all.get<std::string>()
                                  : all.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::string> JsonSettings::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, entry] : entries_) keys.push_back(key);
  return keys;
}

json JsonSettings::value(const std::string& key) const {
  return has(key) ? entries_.at(key).value : json();
}

}  // namespace tt
