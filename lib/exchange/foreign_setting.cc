#include "exchange/foreign_setting.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/number.h"
#include "exchange/json_settings.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr std::size_t kShown = 60;  // bytes of a value
constexpr std::size_t kListed = 2;  // values that are named where another is refused

bool has_names(const ForeignSetting& row) { return !row.values.empty() && row.values[0].ours; }

bool has_text(const Field& field) {
  return std::holds_alternative<Choice>(field.member) ||
         std::holds_alternative<std::string Config::*>(field.member);
}

std::string without_quotes(const std::string& text) {
  const json value = json::parse(text, nullptr, false);
  return value.is_string() ? value.get<std::string>() : text;
}

bool same(const std::string& a, const std::string& b) {
  const auto x = number_in<double>(a), y = number_in<double>(b);
  return a == b || (x && x == y);
}

json as_json(const std::string& theirs) {
  const json value = json::parse(theirs, nullptr, false);
  return value.is_discarded() ? json(theirs) : value;
}

// Our value of one of theirs, which is empty where it leaves the setting as it is; nothing if there
// is none.
std::optional<std::string> ours_of(const ForeignSetting& row, const Field* field,
                                   const std::string& text) {
  const std::string plain = without_quotes(text);
  const bool quoted = text.starts_with('"');
  for (const auto& [theirs, ours] : row.values)
    if (same(plain, theirs) && (!quoted || as_json(theirs).is_string())) return ours.value_or("");
  if (has_names(row)) return std::nullopt;
  const std::string& value = has_text(*field) ? plain : text;
  // A size that must be said is one.
  const bool none = !row.missing && !has_text(*field) && number_in<double>(value) == 0;
  return none || !problem(*field, value).empty() ? std::nullopt : std::optional(value);
}

std::string possible(const ForeignSetting& row, const Field* field) {
  const auto& values = row.values;
  if ((field && field->is_switch()) ||
      (values.size() > 1 && std::ranges::all_of(values, [](const auto& value) {
         return as_json(value.theirs).is_boolean();
       })))
    return "true or false";
  if (has_names(row))
    return values.size() > kListed
               ? ""
               : as_json(values[0].theirs).dump() +
                     (values.size() > 1 ? " and " + as_json(values[1].theirs).dump() : "");
  if (has_text(*field)) return "";
  const bool whole = !std::holds_alternative<double Config::*>(field->member);
  std::ostringstream text;
  text.precision(10);
  text << (whole ? "a whole number from " : "a number from ")
       << (row.missing ? field->least : std::max(1.0, field->least)) << " to " << field->most;
  return text.str();
}

// `row` for each of several names, which `member` has.
ForeignTable rows(const std::string& names, std::string ForeignSetting::*member,
                  ForeignSetting row) {
  ForeignTable table;
  std::istringstream words(names);
  while (words >> row.*member) table.push_back(row);
  return table;
}

std::vector<ForeignSetting::Value> same_names(const std::vector<const char*>& values) {
  std::vector<ForeignSetting::Value> names;
  for (const char* value : values) names.push_back({value, value});
  return names;
}

constexpr auto kKey = &ForeignSetting::key, kSetting = &ForeignSetting::setting;

}  // namespace

ForeignTable::ForeignTable(std::initializer_list<ForeignTable> parts) {
  for (const ForeignTable& part : parts) insert(end(), part.begin(), part.end());
}

ForeignTable kept(const std::string& keys, const char* setting, const char* missing,
                  std::vector<ForeignSetting::Value> values) {
  return rows(keys, kKey,
              {.setting = setting ? setting : "", .missing = missing, .values = std::move(values)});
}
ForeignTable only(const std::string& keys, const std::vector<const char*>& values,
                  const char* missing) {
  return rows(
      keys, kKey,
      {.missing = missing ? missing : values[0], .values = same_names(values), .written = false});
}
ForeignTable always(const std::string& keys, const std::vector<const char*>& values) {
  return rows(keys, kKey, {.missing = values[0], .values = same_names(values)});
}
ForeignTable fixed(const std::string& settings) {
  ForeignTable table = rows(settings, kSetting, {});
  for (ForeignSetting& row : table) {
    std::istringstream parts(row.setting);
    std::getline(parts, row.setting, '=');
    for (std::string value; std::getline(parts, value, '|');) row.values.push_back({value, value});
  }
  return table;
}
ForeignTable replaced(const std::string& setting, const std::string& value) {
  return rows(setting, kSetting, {.following = Following::replaced, .values = {{value, value}}});
}
ForeignTable reported(const std::string& keys, const char* nothing) {
  return rows(keys, kKey, {.following = Following::reported, .missing = nothing});
}
ForeignTable idle(const std::string& keys) {
  return rows(keys, kKey, {.following = Following::idle});
}

ForeignValues values_of(const JsonSettings& settings) {
  return {settings.path(), [&](const std::string& key) { return settings.written(key); },
          [&](const std::string& key, const std::string& values) { settings.refuse(key, values); }};
}

void read_settings(const ForeignTable& table, const ForeignValues& values, Config& config) {
  std::set<std::string> set;
  for (const ForeignSetting& row : table) {
    const Field* const field = row.setting.empty() ? nullptr : find_field(row.setting);
    if (row.key.empty()) {
      if (!row.values.empty()) set_field(config, *field, *row.values[0].ours, row.setting);
      continue;
    }
    if (!field && row.values.empty()) continue;
    std::optional<std::string> text = values.text(row.key);
    if (!text && row.missing)
      text = row.missing[0] == '@' ? values.text(row.missing + 1) : row.missing;
    if (!text) throw Error(values.path, ": lacks ", in_quotes(row.key));
    const auto ours = ours_of(row, field, *text);
    if (!ours) values.refuse(row.key, possible(row, field));
    if (!field || ours->empty()) continue;
    const std::string before = get_field(config, *field);
    set_field(config, *field, *ours, row.setting);
    if (!set.insert(row.setting).second && get_field(config, *field) != before)
      values.refuse(row.key, "");
  }
}

nlohmann::ordered_json written_settings(const ForeignTable& table, const Config& config,
                                        const json& others) {
  const json all = json::parse(to_json(config));
  nlohmann::ordered_json to = nlohmann::ordered_json::object();
  for (const ForeignSetting& row : table) {
    if (row.key.empty() || row.following != Following::kept) continue;
    const std::string ours = row.setting.empty() ? "" : get_field(config, row.setting);
    const auto value = std::ranges::find_if(row.values, [&](const auto& v) {
      return row.setting.empty() || !v.ours || v.ours == ours;
    });
    TT_CHECK(row.values.empty() || value != row.values.end());
    if (others.contains(row.key)) to[row.key] = others[row.key];
    else if (!row.values.empty() && row.written) to[row.key] = as_json(value->theirs);
    else if (!row.setting.empty()) to[row.key] = all[row.setting];
  }
  return to;
}

void write_settings(const ForeignTable& table, const Config& config, json& to) {
  to.update(json(written_settings(table, config, json::object())));
}

std::string lost_settings(const ForeignTable& table, const ForeignValues& values,
                          const std::vector<std::string>& keys, std::string_view skipped) {
  std::string lost;
  const auto look_at = [&](const std::string& key, const std::string& nothing) {
    const auto text = key == skipped ? std::nullopt : values.text(key);
    if (!text || same(without_quotes(*text), nothing) || *text == "[]" || *text == "{}") return;
    const bool many = text->starts_with('[') || text->starts_with('{');
    lost += (lost.empty() ? "" : ", ") + key;
    if (!many) lost += " " + text->substr(0, kShown) + (text->size() > kShown ? "..." : "");
  };
  for (const ForeignSetting& row : table)
    if (row.following == Following::reported) look_at(row.key, row.missing);
  for (const std::string& key : keys)
    if (std::ranges::none_of(table, [&](const auto& row) { return row.key == key; }))
      look_at(key, "null");
  return lost;
}

}  // namespace tt
