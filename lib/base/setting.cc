#include "base/setting.h"

namespace tt {
namespace {

std::string concatenated(const std::vector<TextPart>& parts,
                         const std::function<std::string(const std::string&)>& spell) {
  std::string text;
  for (const TextPart& part : parts) text += part.is_setting ? spell(part.text) : part.text;
  return text;
}

}  // namespace

SettingError::SettingError(const std::vector<TextPart>& parts)
    : Error(concatenated(parts, [](const std::string& name) { return name; })), parts_(parts) {}

std::string SettingError::spelt(const std::function<std::string(const std::string&)>& spell) const {
  return concatenated(parts_, spell);
}

}  // namespace tt
