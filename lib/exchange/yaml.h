// The little of YAML that Marian writes: keys with one value or a list of them, one level deep.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/foreign_setting.h"

namespace tt {

class Options {
 public:
  // Throws Error, beginning with `name`, and with a line, where the text is something else.
  Options(std::string_view yaml, const std::string& name);

  const std::string& name() const { return name_; }
  bool has(const std::string& key) const { return values_.contains(key); }
  // A value, or what it is when it is not there. Throws Error if it is of another kind.
  std::string text(const std::string& key, const std::string& otherwise) const;
  std::int64_t integer(const std::string& key, std::int64_t otherwise) const;
  double number(const std::string& key, double otherwise) const;
  bool yes(const std::string& key, bool otherwise) const;
  std::vector<std::string> list(const std::string& key) const;
  std::vector<std::string> keys() const;

 private:
  std::string name_;
  std::map<std::string, std::vector<std::string>> values_;
};

// Null and an empty list are no values.
ForeignValues values_of(const Options& options);

// The value of a scalar of YAML: plain, 'single' with '' for ', or "double" with escapes. None if a
// quotation does not end.
std::optional<std::string> yaml_scalar(std::string_view text);

// Without spaces around it.
std::string_view trimmed(std::string_view text);

}  // namespace tt
