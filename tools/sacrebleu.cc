#include "tools/sacrebleu.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "base/capitals.h"
#include "base/split.h"
#include "metrics/registry.h"

namespace tt {
namespace {

// Its names of options, each with ours behind it; there are no colours.
constexpr const char* kNames =
    "--metrics --metric -nr --num-refs -sl --sentence --sentence-level --sentence --smooth-method "
    "--smooth -sv --smooth-value -tok --tokenize -lc --lowercase -cc --char-order "
    "--chrf-char-order --char-order -cw --word-order --chrf-word-order --word-order --chrf-beta "
    "--beta --chrf-whitespace --whitespace --chrf-eps-smoothing --eps-smoothing "
    "--ter-asian-support --ter-asian -ci --confidence -pbs --paired-bs -par --paired-ar -cin "
    "--samples --confidence-n --samples -pbsn --samples --paired-bs-n --samples -parn --samples "
    "--paired-ar-n --samples -j --threads --paired-jobs --threads -sh --short -V --version -nc - "
    "--no-color -";

const std::map<std::string, std::string>& names() {
  static const auto table = [] {
    std::map<std::string, std::string> made;
    std::istringstream words(kNames);
    for (std::string theirs, ours; words >> theirs >> ours;) made[theirs] = ours == "-" ? "" : ours;
    return made;
  }();
  return table;
}

bool is_metric(const std::string& word) {
  const auto names = metrics::metric_names();
  return ascii_small(word) == "comet" || std::ranges::find(names, ascii_small(word)) != names.end();
}

}  // namespace

std::vector<std::string> from_sacrebleu(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      result.insert(result.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    const std::size_t equals = words[i].find('=');
    std::string name = words[i].substr(0, equals);
    if (const auto found = names().find(name); found != names().end()) {
      if (found->second.empty()) continue;
      name = found->second;
    }
    const bool attached = equals != std::string::npos, has_next = i + 1 < words.size();
    const std::string value = attached ? words[i].substr(equals + 1) : has_next ? words[i + 1] : "";
    if (name == "--threads" && name != words[i].substr(0, equals) && value == "0") {
      i += !attached;  // 0 jobs means one per processor, the default here
      continue;
    }
    if (attached) {
      // sacreBLEU accepts "-tok=intl"; for one-letter options, "=" belongs to the value.
      result.push_back(name + "=" + value);
      continue;
    }
    result.push_back(name);
    if ((name != "--metric" && name != "-m") || !has_next || words[i + 1].starts_with("-"))
      continue;
    // Several metrics are separate words there, and printed in the order of their names.
    std::vector<std::string> list = {words[++i]};
    while (i + 1 < words.size() && is_metric(words[i + 1])) list.push_back(words[++i]);
    if (list.size() > 1) std::ranges::sort(list, {}, ascii_small);
    result.push_back(join(list, ","));
  }
  return result;
}

}  // namespace tt
