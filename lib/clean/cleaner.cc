#include "clean/cleaner.h"

#include "base/report.h"
#include "base/utf8.h"

namespace tt::clean {

Cleaner::Cleaner(const std::vector<std::optional<double>>& thresholds, const RuleContext& context) {
  for (std::size_t i = 0; i < rule_kinds().size(); ++i) {
    const RuleKind& kind = rule_kinds()[i];
    if (!thresholds[i]) continue;
    if (auto rule = kind.make(*thresholds[i], context))
      rules_.push_back({&kind, std::move(rule), {}});
  }
}

// Makes the pair that rules are asked about; false if it is not UTF-8.
bool Cleaner::read(std::string_view source, std::string_view target) {
  ++pairs_;
  if (first_invalid_utf8(source) != std::string_view::npos ||
      first_invalid_utf8(target) != std::string_view::npos) {
    not_utf8_.add(pairs_);
    return false;
  }
  read_side(source, pair_.source), read_side(target, pair_.target);
  return true;
}

std::string_view Cleaner::verdict(std::string_view source, std::string_view target) {
  if (!read(source, target)) return ++dropped_, "utf-8";
  for (Asked& asked : rules_) {
    if (!asked.rule->drops(pair_)) continue;
    ++dropped_;
    asked.dropped.add(pairs_);
    return asked.kind->name;
  }
  return {};
}

const std::vector<std::size_t>& Cleaner::verdicts(std::string_view source,
                                                  std::string_view target) {
  found_.clear();
  if (!read(source, target)) return found_;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!rules_[i].rule->drops(pair_)) continue;
    rules_[i].dropped.add(pairs_);
    found_.push_back(i);
  }
  return found_;
}

std::string Cleaner::summary() const {
  std::string text = with_commas(dropped_) + " of " + count_of(pairs_, "pair");
  const char* between = ": ";
  const auto add = [&](const Dropped& dropped, const std::string& name) {
    if (dropped.pairs == 0) return;
    text += between + with_commas(dropped.pairs) + ' ' + name + " (first: line " +
            std::to_string(dropped.first) + ")";
    between = ", ";
  };
  add(not_utf8_, "utf-8");
  for (const Asked& asked : rules_) add(asked.dropped, asked.kind->name);
  return text;
}

}  // namespace tt::clean
