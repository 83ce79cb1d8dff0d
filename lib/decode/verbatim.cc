#include "decode/verbatim.h"

#include <algorithm>

#include "base/unicode.h"
#include "decode/missing_kept.h"
#include "markup/tags.h"
#include "text/placeholders.h"

namespace tt {
namespace {

bool before(const PlacedStretch& a, const PlacedStretch& b) { return a.end < b.end; }

std::vector<std::string> texts(const std::vector<PlacedStretch*>& stretches) {
  std::vector<std::string> all;
  for (const PlacedStretch* s : stretches) all.push_back(s->stretch->alternatives[0]);
  return all;
}

// Gives the stretches that are of a kind the places of each other, where these are in another order
// than the source has them in and it `matters`; whether it did.
bool reorder(std::vector<PlacedStretch>& stretches, auto&& is_it, auto&& matters) {
  std::vector<PlacedStretch*> these;
  for (PlacedStretch& s : stretches)
    if (is_it(s.stretch->alternatives[0])) these.push_back(&s);
  std::ranges::stable_sort(these, {}, [](const auto* s) { return s->stretch->place.begin; });
  std::vector<PlacedStretch*> written = these;
  std::ranges::sort(written, [](auto* a, auto* b) { return before(*a, *b); });
  if (!matters(texts(these), texts(written))) return false;
  std::vector<PlacedStretch> places;
  for (const PlacedStretch* s : written) places.push_back(*s);
  for (std::size_t t = 0; t < these.size(); ++t) {
    these[t]->begin = places[t].begin;
    these[t]->end = places[t].end;
  }
  return true;
}

}  // namespace

std::vector<Problem> put_verbatim(const Subword& target, std::span<const std::int32_t> tokens,
                                  const std::string& source, std::vector<PlacedStretch> stretches,
                                  std::string& text, std::vector<Replacement>& replaced) {
  if (stretches.empty()) return {};
  const auto ranges = target.decoded_ranges(tokens);
  if (ranges.size() != tokens.size()) return {};
  std::vector<Problem> reordered;
  if (reorder(
          stretches, [](const std::string& text) { return markup::tags_in(text).size() == 1; },
          [](const auto& source, const auto& written) {
            return markup::well_nested(source) && !markup::well_nested(written);
          }))
    reordered.push_back({Reason::tags_reordered});
  if (reorder(stretches, is_positional, std::not_equal_to<>()))
    reordered.push_back({Reason::placeholders_reordered});
  // From right to left, so that what is left of a change stays where it was.
  std::ranges::sort(stretches, [](auto& a, auto& b) { return before(b, a); });
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const PlacedStretch& s = stretches[i];
    const std::size_t space = ranges[s.begin].begin;
    const std::size_t end = std::min(ranges[s.end - 1].end, text.size());
    // An unknown piece has a space of its own behind it.
    const std::size_t begin = space + (space > 0 && space < end && text[space] == ' ');
    std::string kept = s.stretch->alternatives[0];
    const TextRange& place = s.stretch->place;
    // A stretch to its left is not in the text yet.
    const PlacedStretch* const next = i + 1 < stretches.size() ? &stretches[i + 1] : nullptr;
    const Requirement* left = next && ranges[next->end - 1].end == begin ? next->stretch : nullptr;
    const char32_t first = character_at(kept, 0),
                   source_before = character_before(source, place.begin);
    const char32_t neighbour =
        left ? character_before(left->alternatives[0], left->alternatives[0].size())
             : character_before(text, begin);
    const bool apart = left && !is_unspaced(first) && !is_unspaced(neighbour) &&
                       (is_space(source_before) || is_space(character_at(source, left->place.end)));
    const bool before_it = apart || needs_space(source_before, first, neighbour);
    const bool behind_it =
        needs_space(character_at(source, place.end), character_before(kept, kept.size()),
                    character_at(text, end));
    kept = (before_it ? " " : "") + kept + (behind_it ? " " : "");
    text.replace(begin, end - begin, kept);
    replaced.push_back({begin, end, kept.size()});
  }
  return reordered;
}

}  // namespace tt
