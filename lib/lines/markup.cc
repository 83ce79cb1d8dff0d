// Lines with tags: taken out of their text and put into its translation, or translated as text.
#include <algorithm>
#include <set>

#include "lines/markup_line.h"
#include "lines/sentences.h"
#include "lines/transforms.h"
#include "markup/tags.h"

namespace tt {
namespace {

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

void put_tags(const MarkupLine& markup, LineTranslation& found, LineText& line) {
  const auto source_words = translated_words(line);
  for (std::size_t b = 0; b < found.result.best.size(); ++b) {
    const JoinedText joined = joined_text(line, b);
    MarkedTranslation marked{joined.text, {}, source_words, joined.words(), nullptr};
    auto next = markup.untranslated().begin();
    for (std::size_t g = 0; g < joined.untranslated.size(); ++g)
      if (next != markup.untranslated().end() && line.untranslated[g].begin == next->begin) {
        marked.untranslated.push_back(joined.untranslated[g]);
        ++next;
      } else {
        marked.stays.emplace_back(line.untranslated[g], joined.untranslated[g]);
      }
    for (std::size_t k = 0; k < joined.sentences.size(); ++k) {
      const TextRange& s = joined.sentences[k];
      for (const TextRange& r : kept_in(line.sentences[k], b))
        marked.kept.push_back({r.begin + s.begin, r.end + s.begin});
    }
    if (b < found.alignments.size()) marked.alignment = &found.alignments[b];
    std::vector<std::string> unplaced;
    found.result.best[b].text = markup.put_back(marked, unplaced);
    if (b == 0 && !unplaced.empty()) line.problems.add({Reason::tags_unplaced, unplaced});
  }
}

std::vector<std::string> tags(std::string_view text) {
  std::vector<std::string> all;
  for (const markup::Token& tag : markup::tags_in(text)) all.emplace_back(tag.in(text));
  return all;
}

// Tags that the source has outside of what is kept and the translation has not, and whether those
// that both have are in order, around some text.
void check_tags(const LineTranslation&, const std::string& text, LineText& line) {
  const std::vector<std::string> source = tags(line.text), translation = tags(text);
  std::multiset<std::string> left(translation.begin(), translation.end());
  std::vector<std::string> lost;
  for (const markup::Token& token : markup::tags_in(line.text)) {
    const auto kept = [&](const Requirement& w) {
      return w.verbatim && w.place.begin <= token.begin && token.end <= w.place.end;
    };
    const std::string tag(token.in(line.text));
    if (const auto found = left.find(tag); found != left.end()) left.erase(found);
    else if (std::ranges::none_of(line.requirements, kept)) lost.push_back(tag);
  }
  if (!lost.empty()) line.problems.add({Reason::tags_lost, lost});
  else if (markup::well_nested(source) && !markup::well_nested(translation))
    line.problems.add({Reason::tags_not_nested, translation});
  else if (markup::empty_elements(text) > markup::empty_elements(line.text))
    line.problems.add({Reason::tags_emptied, translation});
}

}  // namespace

Transform markup_transform(const LineOptions& options, const LineModels&) {
  if (options.markup == MarkupKind::none)
    return [](LineText&) { return Undo{.check = check_tags}; };
  return [kind = options.markup](LineText& line) -> Undo {
    MarkupLine markup(line.text, kind);
    line.text = markup.text();
    line.untranslated = markup.untranslated();
    line.untouched = markup.untouched();
    line.problems.add(markup.problems());
    return {.needs_alignment = markup.needs_alignment(),
            .put_back = std::bind_front(put_tags, std::move(markup))};
  };
}

}  // namespace tt
