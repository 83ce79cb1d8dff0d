#include "lines/accelerator.h"

#include <algorithm>

#include "lines/sentences.h"
#include "lines/transforms.h"

namespace tt {

std::string with_accelerator(const std::string& translation, std::span<const TextRange> words,
                             const Accelerator& accelerator,
                             std::span<const TextRange> source_words,
                             const SoftAlignment& alignment) {
  const auto of_key = std::ranges::find_if(
      source_words, [&](const TextRange& w) { return w.end > accelerator.at; });
  const auto s = static_cast<std::size_t>(of_key - source_words.begin());
  std::size_t begin =
      words.empty() ? 0 : words[0].begin;  // of the word that comes from that of the key
  float most = 0;
  for (std::size_t t = 0; t < std::min(words.size(), alignment.size()); ++t)
    if (s < alignment[t].size() && alignment[t][s] > most)
      begin = words[t].begin, most = alignment[t][s];
  const auto all = words_of(translation);
  const auto chosen =
      std::ranges::partition_point(all, [&](const TextRange& w) { return w.end <= begin; });
  return mark_accelerator(translation, accelerator, static_cast<std::size_t>(chosen - all.begin()),
                          without_keys(translation));
}

namespace {

void put_accelerator(const Accelerator& accelerator, LineTranslation& found, LineText& line) {
  const auto source_words = translated_words(line);
  for (std::size_t b = 0; b < found.result.best.size(); ++b) {
    const JoinedText joined = joined_text(line, b);
    found.result.best[b].text =
        with_accelerator(joined.text, joined.words(), accelerator, source_words,
                         b < found.alignments.size() ? found.alignments[b] : SoftAlignment());
  }
}

}  // namespace

Transform accelerator_transform(const LineOptions& options, const LineModels&) {
  if (!options.accelerators) return nullptr;
  return [keep = Keep{.marked = options.keep.marked}](LineText& line) -> Undo {
    if (auto found = take_accelerator(line.text)) {
      // Where it is once marks are taken out: no line has an LF.
      std::string text = line.text;
      text.insert(found->at, 1, '\n');
      find_kept(text, keep);
      found->at = text.find('\n');
      return {.needs_alignment = true, .put_back = std::bind_front(put_accelerator, *found)};
    }
    if (has_several_accelerators(line.text)) line.problems.add({Reason::several_accelerators});
    return {};
  };
}

}  // namespace tt
