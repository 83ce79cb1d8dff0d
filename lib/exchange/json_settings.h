// The settings of another program's model, as JSON or YAML: values by their keys, each of which
// must be of the kind that is asked for. Numbers and truth values of YAML are texts.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

// A text among the members of a value; none where it is no object, or has no such text.
std::optional<std::string> text_in(const nlohmann::json& value, const std::string& key);

class JsonSettings {
 public:
  // Reads the settings of a file. Throws Error if it cannot be read, or is no JSON object.
  explicit JsonSettings(const std::string& path);
  // Reads them from the bytes of a file.
  JsonSettings(std::string_view bytes, const std::string& path);
  static JsonSettings of_yaml(std::string_view text, const std::string& name);
  static JsonSettings of_object(const nlohmann::json& object, const std::string& path);
  // None; `path` is where they would be.
  static JsonSettings none(const std::string& path);
  // Those of a file, or none where it is not there.
  static JsonSettings if_any(const std::string& path);
  // Settings of another file, in place of those that are there.
  void add(const JsonSettings& other);

  const std::string& path() const { return path_; }
  bool has(const std::string& key) const { return entries_.contains(key); }  // null is no value

  // Throws Error with the file, the value, and what can be imported.
  [[noreturn]] void refuse(const std::string& key, const std::string& possible = "") const;

  // A value, or what it is when it is not there. Throws Error if it is of another kind, or out of
  // range.
  int integer(const std::string& key, int otherwise, int least, int most) const;
  double number(const std::string& key, double otherwise, double least, double most) const;
  bool yes(const std::string& key, bool otherwise) const;
  std::string text(const std::string& key, const std::string& otherwise) const;
  // Texts, of which a text alone is one; others are left out.
  std::vector<std::string> list(const std::string& key) const;
  std::vector<std::string> keys() const;
  // Any value; null where there is none.
  nlohmann::json value(const std::string& key) const;
  // The value as JSON, or as YAML has it; nothing where there is none.
  std::optional<std::string> written(const std::string& key) const;

 private:
  JsonSettings() = default;
  struct Entry {
    nlohmann::json value;
    std::string path;
  };
  // A value of which YAML has the text.
  nlohmann::json plain(const std::string& key) const;
  std::string path_;
  std::map<std::string, Entry> entries_;
  bool yaml_ = false;
};

}  // namespace tt
