// Asks rules about pairs, one after the other, and counts what each drops.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clean/rules.h"

namespace tt::clean {

struct Dropped {
  std::uint64_t pairs = 0, first = 0;  // the number of the first, from 1

  void add(std::uint64_t number) {
    if (pairs++ == 0) first = number;
  }
};

struct Asked {
  const RuleKind* kind;
  std::unique_ptr<Rule> rule;
  Dropped dropped;
};

class Cleaner {
 public:
  // The thresholds of rule_kinds(), in their order; none: the rule is off. Throws Error as the
  // rules do.
  Cleaner(const std::vector<std::optional<double>>& thresholds, const RuleContext& context);

  // The name of the rule that drops a pair, the first of several; empty: it is kept. The name of
  // what is not UTF-8, which no rule can be asked about, is "utf-8".
  std::string_view verdict(std::string_view source, std::string_view target);

  // Which rules drop a pair, each by itself: indices of rules(). Where it is not UTF-8, none, and
  // it is counted. A cleaner answers either one or the other of all pairs.
  const std::vector<std::size_t>& verdicts(std::string_view source, std::string_view target);

  const std::vector<Asked>& rules() const { return rules_; }
  const Dropped& not_utf8() const { return not_utf8_; }
  std::uint64_t pairs() const { return pairs_; }
  std::uint64_t dropped() const { return dropped_; }  // by verdict()
  // "12 of 400 pairs: 10 empty (first: line 3), 2 numbers (first: line 7)"
  std::string summary() const;

 private:
  bool read(std::string_view source, std::string_view target);

  std::vector<Asked> rules_;
  Dropped not_utf8_;
  Pair pair_;
  std::vector<std::size_t> found_;
  std::uint64_t pairs_ = 0, dropped_ = 0;
};

}  // namespace tt::clean
