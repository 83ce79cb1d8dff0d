// The scripts and the length of the target text of a corpus, as a model that was trained on it
// notes them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt::clean {

struct TargetText {
  std::vector<int> scripts;  // with a tenth of its letters or more; none: they are not known
  // How often a translation is as long as its source, as Side::length counts both: the geometric
  // mean over pairs.
  double length = 1;

  // "Latn 1.08", and back. Throws Error if it is not such a text.
  std::string text() const;
  static TargetText read(std::string_view text);
};

// That of `count` pairs, of which pair(i) is one, by up to 10,000 of them at equal distances.
TargetText learn_target_text(
    std::size_t count, const std::function<std::pair<std::string, std::string>(std::size_t)>& pair);

}  // namespace tt::clean
