// Scores of groups of segments, such as domains or documents, beside those of all.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "metrics/scoring.h"

namespace tt::metrics {

class Groups {
 public:
  explicit Groups(bool keep_rows) : keep_rows_(keep_rows) {}

  // Adds each segment of a block to its group. Requires that the block has groups, and always the
  // same metrics and systems.
  void add(const ScoringBlock& block, const Metrics& metrics);

  // In the order of their first segments.
  const std::vector<std::string>& names() const { return names_; }
  std::vector<Scoring>& scorings() { return scorings_; }

 private:
  bool keep_rows_;
  std::vector<std::string> names_;
  std::vector<Scoring> scorings_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace tt::metrics
