#include "lines/accelerator.h"

#include <algorithm>

namespace tt {

std::string with_accelerator(const std::string& translation, const Accelerator& accelerator,
                             std::string_view source, const SoftAlignment& alignment) {
  const auto words = words_of(translation), source_words = words_of(source);
  const auto of_key = std::ranges::find_if(
      source_words, [&](const TextRange& w) { return w.end > accelerator.at; });
  const auto s = static_cast<std::size_t>(of_key - source_words.begin());
  std::size_t chosen = 0;  // the word that comes from that of the key
  float most = 0;
  for (std::size_t t = 0; t < std::min(words.size(), alignment.size()); ++t)
    if (s < alignment[t].size() && alignment[t][s] > most) chosen = t, most = alignment[t][s];
  return mark_accelerator(translation, accelerator, chosen, without_keys(translation));
}

}  // namespace tt
