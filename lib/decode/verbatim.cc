#include "decode/verbatim.h"

#include <algorithm>

namespace tt {

void put_verbatim(const Subword& target, std::span<const std::int32_t> tokens, std::vector<PlacedStretch> stretches,
                  std::string& text, std::vector<Replacement>& replaced) {
  if (stretches.empty()) return;
  const auto ranges = target.decoded_ranges(tokens);
  if (ranges.size() != tokens.size()) return;
  // From right to left, so that what is left of a change stays where it was.
  std::sort(stretches.begin(), stretches.end(), [](const auto& a, const auto& b) { return a.end > b.end; });
  for (const PlacedStretch& stretch : stretches) {
    const std::size_t space = ranges[stretch.begin].begin;
    const std::size_t end = std::min(ranges[stretch.end - 1].end, text.size());
    // An unknown piece has a space of its own behind it.
    const std::size_t begin = space + (space > 0 && space < end && text[space] == ' ');
    text.replace(begin, end - begin, *stretch.text);
    replaced.push_back({begin, end, stretch.text->size()});
  }
}

}  // namespace tt
