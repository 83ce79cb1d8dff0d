// The settings of another program as a table: one row for each of its keys says what becomes of it,
// and serves both directions.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/config.h"

namespace tt {

class JsonSettings;

// Whether a key of a model is followed: it is one of our settings, here or in code of its own;
// it is reported where it asks for anything; or it asks for nothing here, as of speed or of output.
// A setting of ours is replaced where the program has one value of it, whatever a model has.
enum class Following { kept, reported, idle, replaced };

struct ForeignSetting {
  struct Value {
    std::string theirs;
    std::optional<std::string> ours;  // as get_field() has it; none: leaves the setting as it is
  };
  Following following = Following::kept;
  std::string key = {};      // empty: all models of the program have a value of `setting`
  std::string setting = {};  // ours; empty: code of its own reads the key, or checks it
  // Its value where the key is missing, "@KEY" that of another key; null: it must be there. Of one
  // that is reported the value that asks for nothing.
  const char* missing = nullptr;
  // Those that have other names there; of several for one of ours the first is written. Without a
  // key, the values that such models can have, of which reading sets the first. None, or only one
  // that leaves the setting as it is: any.
  std::vector<Value> values = {};
  bool written = true;  // of a key without a setting: with the first of its values
};

// Rows, or what several tables have.
struct ForeignTable : std::vector<ForeignSetting> {
  ForeignTable(std::initializer_list<ForeignTable> parts = {});
};

// A row, or one for each of several keys or settings with spaces between them. A key is `kept` as a
// setting, or read by code; it can have `only` these values, the first where it is missing unless
// that is said, which is `always` written; a setting is `fixed` for all models, as in
// "beam=5 norm=pre|post", where one without a value can have any, or `replaced` in them.
ForeignTable kept(const std::string& keys, const char* setting = nullptr,
                  const char* missing = nullptr, std::vector<ForeignSetting::Value> values = {});
ForeignTable only(const std::string& keys, const std::vector<const char*>& values,
                  const char* missing = nullptr);
ForeignTable always(const std::string& keys, const std::vector<const char*>& values);
ForeignTable fixed(const std::string& settings);
ForeignTable replaced(const std::string& setting, const std::string& value);
ForeignTable reported(const std::string& keys, const char* nothing = "null");
ForeignTable idle(const std::string& keys);

// The values of a model as text; that of a string in JSON is in quotes.
struct ForeignValues {
  std::string path;
  std::function<std::optional<std::string>(const std::string& key)> text;
  std::function<void(const std::string& key, const std::string& possible)> refuse;  // throws
};
ForeignValues values_of(const JsonSettings& settings);

// Sets what the rows keep. Throws Error where a value is missing, is none that can be kept,
// or is another than that of an earlier row for the same setting.
void read_settings(const ForeignTable& table, const ForeignValues& values, Config& config);
// The keys that are written, in their order; `others` has the values of those that code reads.
nlohmann::ordered_json written_settings(const ForeignTable& table, const Config& config,
                                        const nlohmann::json& others);
// Adds them.
void write_settings(const ForeignTable& table, const Config& config, nlohmann::json& to);
// The keys that are reported and ask for something, and those of `keys` that have no row, each with
// its value: "min_length 3, stop_strings".
std::string lost_settings(const ForeignTable& table, const ForeignValues& values,
                          const std::vector<std::string>& keys, std::string_view skipped = "");

}  // namespace tt
