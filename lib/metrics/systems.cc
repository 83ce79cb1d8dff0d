#include "metrics/systems.h"

#include <algorithm>

#include "base/error.h"
#include "base/report.h"
#include "base/setting.h"

namespace tt::metrics {

void name_systems(SegmentFiles& files, bool paired) {
  std::vector<std::string> names, paths;
  for (const std::string& text : files.systems) {
    const std::size_t equals = text.find('=');
    const bool named = equals != text.npos && equals > 0 && equals + 1 < text.size() &&
                       text.find('/') > equals && !file_exists(text);
    const std::string name = named ? text.substr(0, equals) : text,
                      path = named ? text.substr(equals + 1) : text;
    if (paired && !named && !paths.empty() && path != "-" && same_path(path, paths[0])) {
      warn(in_quotes(name) +
           " is left out: it is the first system, with which the others are compared");
      continue;
    }
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw SettingError(in_quotes(name), " names two systems; give each once, or another name (",
                         Setting{"input"}, " NAME=FILE)");
    names.push_back(name), paths.push_back(path);
  }
  files.names = names, files.systems = paths;
}

}  // namespace tt::metrics
