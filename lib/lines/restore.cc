#include "lines/restore.h"

#include <algorithm>

#include "lines/degraded.h"

namespace tt {

namespace {

// The ranges of a translation that stand there byte for byte.
std::vector<TextRange> verbatim_in(const Translation& t) {
  std::vector<TextRange> ranges;
  std::size_t grown = 0;  // by replacements further to the left; wraps around where it has shrunk
  for (auto r = t.replaced.rbegin(); r != t.replaced.rend(); ++r) {
    ranges.push_back({r->begin + grown, r->begin + grown + r->size});
    grown += r->size - (r->end - r->begin);
  }
  return ranges;
}

// The ranges of what a translation keeps, without the spaces around it.
std::vector<TextRange> kept_in(const LineSentence& s, std::size_t b) {
  const Translation& best = s.best(b);
  std::vector<TextRange> ranges, kept;
  if (!s.passes) ranges = verbatim_in(best);
  else
    for (const Requirement& r : s.request.requirements) ranges.push_back(r.place);
  std::ranges::sort(ranges, {}, &TextRange::begin);
  for (TextRange r : ranges) {
    while (r.begin < r.end && best.text[r.begin] == ' ') ++r.begin;
    while (r.begin < r.end && best.text[r.end - 1] == ' ') --r.end;
    if (r.begin < r.end) kept.push_back(r);
  }
  return kept;
}

// Tells where the ranges stand in the text that was `before`, of which they are as they were; its
// letters may have got another size.
void move_replaced(Translation& t, const std::string& before, std::span<const TextRange> ranges) {
  t.replaced.clear();
  const std::size_t shrunk = before.size() - std::min(before.size(), t.text.size());
  std::size_t at = 0;
  for (const TextRange& r : ranges) {
    const std::size_t size = r.end - r.begin;
    at = t.text.find(std::string_view(before).substr(r.begin, size),
                     std::max(at, r.begin - std::min(r.begin, shrunk)));
    if (at == t.text.npos) break;
    t.replaced.insert(t.replaced.begin(), {at, at + size, size});
    at += size;
  }
}

bool is_known(const SoftAlignment& alignment) {
  return std::ranges::any_of(alignment, [](const std::vector<float>& row) {
    return std::ranges::any_of(row, [](float x) { return x > 0; });
  });
}

// Gives the translations of sentences the case that these had.
void restore_case(InputLine& line, SplitLine& split, std::span<const SoftAlignment> alignments,
                  Translated& result) {
  for (std::size_t b = 0; b < result.best.size(); ++b) {
    std::size_t row = 0, column = 0;  // of the sentence, in the alignment
    for (LineSentence& s : split.sentences) {
      const std::size_t sources = words_of(s.request.text).size(),
                        targets = words_of(s.best(b).text).size();
      const std::size_t first = row;
      row += targets;
      column += sources;
      if (s.letter_case == LetterCase::as_it_is || b >= s.result.best.size()) continue;
      SoftAlignment own;
      if (b < alignments.size() && alignments[b].size() >= row)
        for (std::size_t t = first; t < row; ++t)
          own.emplace_back(alignments[b][t].begin() + static_cast<std::ptrdiff_t>(column - sources),
                           alignments[b][t].begin() + static_cast<std::ptrdiff_t>(column));
      if (b == 0 && s.letter_case == LetterCase::title && !is_known(own) && targets > 0)
        add_uncased(line);
      Translation& best = s.result.best[b];
      const std::vector<TextRange> ranges = verbatim_in(best);
      const std::string before = best.text;
      best.text = with_case(before, s.letter_case, s.written, own, ranges);
      move_replaced(best, before, ranges);
    }
    result.best[b].text = split.text(line.request, b).text;
  }
}

}  // namespace

bool needs_alignment(const InputLine& line, const SplitLine& split) {
  return line.accelerator || (line.markup && line.markup->needs_alignment()) ||
         std::ranges::any_of(split.sentences, [](const LineSentence& s) {
           return s.letter_case == LetterCase::title;
         });
}

void read_as_split(InputLine& line, const SplitLine& split) {
  for (const LineSentence& s : split.sentences)
    if (s.letter_case != LetterCase::as_it_is)
      line.request.text.replace(s.range.begin, s.range.end - s.range.begin, s.request.text);
}

void restore(InputLine& line, SplitLine& split, std::span<const SoftAlignment> alignments,
             Translated& result) {
  if (std::ranges::any_of(split.sentences, [](const LineSentence& s) {
        return s.letter_case != LetterCase::as_it_is;
      }))
    restore_case(line, split, alignments, result);
  if (line.accelerator)
    for (std::size_t b = 0; b < result.best.size(); ++b)
      result.best[b].text =
          with_accelerator(result.best[b].text, *line.accelerator, line.request.text,
                           b < alignments.size() ? alignments[b] : SoftAlignment());
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
    for (std::size_t k = 0; k < joined.sentences.size(); ++k) {
      const TextRange& s = joined.sentences[k];
      for (const TextRange& w :
           words_of(std::string_view(joined.text).substr(s.begin, s.end - s.begin)))
        marked.words.push_back({w.begin + s.begin, w.end + s.begin});
      for (const TextRange& r : kept_in(split.sentences[k], b))
        marked.kept.push_back({r.begin + s.begin, r.end + s.begin});
    }
    if (b < alignments.size()) marked.alignment = &alignments[b];
    std::vector<std::string> unplaced;
    result.best[b].text = line.markup->put_back(marked, unplaced);
    if (b == 0 && !unplaced.empty()) add_unplaced(line, unplaced);
  }
}

}  // namespace tt
