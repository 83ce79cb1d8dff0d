// Errors about settings: a library calls them by their names, and a program by those of its options.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace tt {

// The name of a setting in the text of an error: "max_length".
struct Setting {
  std::string name;
};

// An Error whose text names settings: SettingError("lower ", Setting{"rate"}, " to 0.1").
class SettingError : public Error {
 public:
  template <class... Parts>
  explicit SettingError(const Parts&... parts) : SettingError(Pieces{}.add(parts...)) {}

  // The text with every setting as `spell` calls it, "--rate" for "rate"; what() has the plain names.
  std::string spelt(const std::function<std::string(const std::string& name)>& spell) const;

 private:
  // Text, and whether it names a setting.
  struct Pieces {
    std::vector<std::pair<std::string, bool>> all = {};

    template <class... Parts>
    Pieces& add(const Parts&... parts) {
      (put(parts), ...);
      return *this;
    }
    void put(const Setting& setting) { all.emplace_back(setting.name, true); }
    template <class Part>
    void put(const Part& part) {
      std::ostringstream text;
      text << part;
      all.emplace_back(text.str(), false);
    }
  };
  explicit SettingError(const Pieces& pieces);

  Pieces pieces_;
};

}  // namespace tt
