// Errors about settings: a library calls them by their names, and a program by those of its
// options.
#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"

namespace tt {

// The name of a setting in the text of an error: "max_length".
struct Setting {
  std::string name;
};

// A part of a text, and whether it is the name of a setting.
struct TextPart {
  std::string text;
  bool is_setting = false;

  TextPart(const Setting& setting) : text(setting.name), is_setting(true) {}
  template <class Part>
  explicit TextPart(const Part& part) {
    std::ostringstream out;
    out << part;
    text = out.str();
  }
};

// An Error whose text names settings: SettingError("lower ", Setting{"rate"}, " to 0.1").
class SettingError : public Error {
 public:
  template <class... Parts>
  explicit SettingError(const Parts&... parts) : SettingError(parts_of(parts...)) {}
  explicit SettingError(const std::vector<TextPart>& parts);

  // The text with every setting as `spell` calls it, "--rate" for "rate"; what() has the plain
  // names.
  std::string spelt(const std::function<std::string(const std::string& name)>& spell) const;

 private:
  template <class... Parts>
  static std::vector<TextPart> parts_of(const Parts&... parts) {
    return {TextPart(parts)...};
  }

  std::vector<TextPart> parts_;
};

}  // namespace tt
