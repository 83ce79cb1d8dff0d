// All rules, in the order in which they are asked: a pair is counted for the first that drops it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clean/rule.h"

namespace tt::clean {

// Resources that rules need beside their thresholds.
struct RuleContext {
  std::vector<std::string> languages;  // of source and target, by their ISO 639 codes; or none
  std::vector<std::string> held_out;   // files of lines
  std::size_t memory = std::size_t{1} << 30;  // bytes that rules which remember pairs may take
};

struct RuleKind {
  std::string name;
  std::string threshold;  // what it counts: "WORDS"; empty: it has choices, by their numbers from 0
  double least, most;     // of thresholds
  std::vector<std::string> choices;
  std::optional<double> initial;  // off by default, if there is none
  std::string help;
  std::string needs;  // of the context: "languages", "held_out", or nothing
  // Null where the context lacks what it needs. Throws Error as the rules do.
  std::function<std::unique_ptr<Rule>(double threshold, const RuleContext&)> make;
};
const std::vector<RuleKind>& rule_kinds();

}  // namespace tt::clean
