#include "decode/restore.h"

#include <algorithm>

#include "decode/degraded.h"

namespace tt {

bool needs_alignment(const InputLine& line) {
  return line.markup && line.markup->needs_alignment();
}

void restore(InputLine& line, const SplitLine& split, std::span<const SoftAlignment> alignments,
             Translated& result) {
  if (!line.markup) return;
  const auto source_words = words_between_gaps(line.request);
  for (std::size_t b = 0; b < result.best.size(); ++b) {
    const JoinedText joined = split.text(line.request, b);
    MarkedTranslation marked{joined.text, {}, source_words, {}, nullptr};
    auto of_markup = line.markup->gaps().begin();
    for (std::size_t g = 0; g < joined.gaps.size(); ++g)
      if (of_markup != line.markup->gaps().end() &&
          line.request.gaps[g].begin == of_markup->begin) {
        marked.gaps.push_back(joined.gaps[g]);
        ++of_markup;
      }
    for (const TextRange& s : joined.sentences)
      for (const TextRange& w :
           words_of(std::string_view(joined.text).substr(s.begin, s.end - s.begin)))
        marked.words.push_back({w.begin + s.begin, w.end + s.begin});
    if (b < alignments.size()) marked.alignment = &alignments[b];
    std::vector<std::string> unplaced;
    result.best[b].text = line.markup->put_back(marked, unplaced);
    if (b == 0 && !unplaced.empty()) add_unplaced(line, unplaced);
  }
}

}  // namespace tt
