#include "base/setting.h"

namespace tt {
namespace {

std::string concatenated(const std::vector<std::pair<std::string, bool>>& pieces,
                         const std::function<std::string(const std::string&)>& spell) {
  std::string text;
  for (const auto& [piece, is_setting] : pieces) text += is_setting ? spell(piece) : piece;
  return text;
}

}  // namespace

SettingError::SettingError(const Pieces& pieces)
    : Error(concatenated(pieces.all, [](const std::string& name) { return name; })), pieces_(pieces) {}

std::string SettingError::spelt(const std::function<std::string(const std::string&)>& spell) const {
  return concatenated(pieces_.all, spell);
}

}  // namespace tt
