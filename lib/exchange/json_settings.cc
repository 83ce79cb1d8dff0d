#include "exchange/json_settings.h"

#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "exchange/foreign.h"

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

JsonSettings::JsonSettings(const std::string& path)
    : JsonSettings(read_file(file_of_model(path)), path) {}

JsonSettings::JsonSettings(std::string_view bytes, const std::string& path) : path_(path) {
  check_downloaded(bytes, path);
  json all;
  try {
    all = json::parse(bytes);
  } catch (const json::exception&) {
    throw Error(path, ": not JSON");
  }
  if (!all.is_object()) throw Error(path, ": must be a JSON object");
  for (const auto& [key, value] : all.items())
    if (!value.is_null()) entries_[key] = {value, path};
}

JsonSettings JsonSettings::none(const std::string& path) {
  JsonSettings settings;
  settings.path_ = path;
  return settings;
}

void JsonSettings::add(const JsonSettings& other) {
  for (const auto& [key, entry] : other.entries_) entries_[key] = entry;
}

bool JsonSettings::has(const std::string& key) const { return entries_.contains(key); }

void JsonSettings::refuse(const std::string& key, const std::string& possible) const {
  const std::string end = possible.empty() ? "" : "; " + possible + " can";
  const auto found = entries_.find(key);
  if (found == entries_.end())
    throw Error(path_, ": a model without ", in_quotes(key), " cannot be imported", end);
  const json& value = found->second.value;
  std::string shown = value.is_primitive() ? value.dump(-1, ' ', true)
                                           : std::string("(an ") + value.type_name() + ")";
  if (shown.size() > kShown) shown = shown.substr(0, kShown) + "...";
  throw Error(found->second.path, ": its ", in_quotes(key), " ", shown, " cannot be imported", end);
}

int JsonSettings::integer(const std::string& key, int otherwise, int least, int most) const {
  if (!has(key)) return otherwise;
  const json& value = entries_.at(key).value;
  if (!value.is_number_integer() || value < least || value > most)
    refuse(key, range("a whole number", least, most));
  return value.get<int>();
}

double JsonSettings::number(const std::string& key, double otherwise, double least,
                            double most) const {
  if (!has(key)) return otherwise;
  const json& value = entries_.at(key).value;
  if (!value.is_number() || !(value >= least && value <= most))
    refuse(key, range("a number", least, most));
  return value.get<double>();
}

bool JsonSettings::yes(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (!entries_.at(key).value.is_boolean()) refuse(key, "true or false");
  return entries_.at(key).value.get<bool>();
}

std::string JsonSettings::text(const std::string& key, const std::string& otherwise) const {
  if (!has(key)) return otherwise;
  if (!entries_.at(key).value.is_string()) refuse(key, "text");
  return entries_.at(key).value.get<std::string>();
}

int JsonSettings::size(const std::string& key, int most) const {
  if (!has(key)) throw Error(path_, ": lacks ", in_quotes(key));
  return integer(key, 0, 1, most);
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
