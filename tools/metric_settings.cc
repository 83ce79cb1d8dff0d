#include "tools/metric_settings.h"

#include <algorithm>

namespace tt {

void add_metric_settings(std::vector<Group>& groups, metrics::MetricSettings& settings,
                         const Words& but) {
  for (const auto& [metric, name, target, help, least, most] : metrics::list_settings(settings)) {
    if (std::ranges::find(but, metric) != but.end() || std::ranges::find(but, name) != but.end())
      continue;
    const auto value = [least = least, most = most](auto* to) {
      if constexpr (std::is_same_v<decltype(to), bool*>) return toggle(*to);
      else return number(*to, least, most);
    };
    auto group = std::ranges::find(groups, metric, &Group::title);
    if (group == groups.end()) group = groups.insert(group, {metric, {}});
    group->options.push_back({std::string("--") + name, std::visit(value, target), help});
  }
}

}  // namespace tt
