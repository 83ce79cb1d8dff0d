// Text in scripts that put no spaces between words, where metrics that count words between spaces
// say little.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric.h"

namespace tt::metrics {

class Spacing {
 public:
  Spacing();

  // Counts the characters of a line.
  void add(std::string_view text);

  // Lines by which it is told whether a text has spaces between words.
  static constexpr std::size_t kLines = 1000;

  // "Thai", "Chinese", ...: of what most letters so far are, if spaces are too rare to stand
  // between their words; otherwise empty.
  std::string unspaced() const;

 private:
  std::vector<std::size_t> letters_;  // by script, as listed in the implementation
  std::size_t other_ = 0, spaces_ = 0;
};

// Says that metrics which count words between spaces say little of `texts`, if they have none.
void note_spacing(const std::string& texts, const Spacing& spacing,
                  const std::vector<const Metric*>& metrics);

}  // namespace tt::metrics
