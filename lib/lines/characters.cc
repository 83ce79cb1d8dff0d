// The characters of lines: those that are no UTF-8, and those that the models do not read.
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/utf8.h"
#include "lines/transforms.h"
#include "text/unread.h"

namespace tt {
namespace {

constexpr const char* kReplacement = "\uFFFD";

// The reasons for characters that are not read, in one of the texts of a line.
struct Reasons {
  Reason words, characters, unread;
};
constexpr Reasons kSource{Reason::unknown_words, Reason::unknown_characters,
                          Reason::unread_characters};
constexpr Reasons kPrefix{Reason::unknown_words_in_prefix, Reason::unknown_characters_in_prefix,
                          Reason::unread_characters_in_prefix};
constexpr Reasons kTarget{Reason::unknown_words_in_target, Reason::unknown_characters_in_target,
                          Reason::unread_characters_in_target};

// Adds the characters of a text that its model does not know, or does not read, outside of the
// ranges `but`, which are from left to right. `known`: it knows all.
void check_text(LineText& line, const Reasons& reasons, std::string_view text,
                const Subword& subword, const std::vector<TextRange>& but, bool known = false) {
  const bool repaired = line.problems.has(
      {Reason::not_utf8, Reason::prefix_not_utf8, Reason::target_not_utf8, Reason::half_surrogate});
  const auto add = [&](Reason reason, const std::vector<TextRange>& ranges) {
    std::vector<std::string> characters;
    auto covered = but.begin();
    for (const TextRange& r : ranges) {
      while (covered != but.end() && covered->end <= r.begin) ++covered;
      const std::string_view character = r.in(text);
      if ((covered != but.end() && covered->begin <= r.begin) ||
          (repaired && character == kReplacement))  // it is reported as such
        continue;
      characters.emplace_back(character);
    }
    const std::uint64_t count = characters.size();
    if (count > 0) line.problems.add({reason, std::move(characters), count});
  };
  const Unread found = known ? Unread{{}, dropped(subword, text)} : unread(subword, text);
  add(subword.has_words() ? reasons.words : reasons.characters, found.unknown);
  add(reasons.unread, found.dropped);
}

// Unknown pieces of what is written, where no kept text stands in their place.
void check_written(const Subword& target, const LineTranslation& found, LineText& line) {
  const std::int32_t unknown = target.unk();
  std::string sign = target.decode(std::span(&unknown, 1));
  std::erase(sign, ' ');
  std::ptrdiff_t most = 0;
  for (const Translation& t : std::span(found.result.best).first(found.written)) {
    std::ptrdiff_t signs = 0;
    for (std::size_t at = t.text.find(sign); at < t.text.size();
         at = t.text.find(sign, at + std::max<std::size_t>(1, sign.size())))
      ++signs;
    most = std::max(most, std::min(signs, std::ranges::count(t.target, unknown)));
  }
  if (most > 0) line.problems.add({Reason::unknown_pieces, {}, static_cast<std::uint64_t>(most)});
}

void check_characters(const LineModels& models, bool scored, const LineTranslation& found,
                      LineText& line) {
  std::vector<TextRange> known = line.untranslated;
  for (const Requirement& w : line.requirements) known.push_back(w.place);
  known.insert(known.end(), line.untouched.begin(), line.untouched.end());
  for (const LineSentence& s : line.sentences)
    if (s.passes) known.push_back(s.range);
  std::ranges::sort(known, {}, &TextRange::begin);
  for (const Subword* source : models.sources) {
    const auto& pieces = found.result.source;  // that the first model has read
    const bool knows_all = source == models.sources[0] && !pieces.empty() &&
                           std::ranges::find(pieces, source->unk()) == pieces.end();
    check_text(line, kSource, line.text, *source, known, knows_all);
  }
  check_text(line, kPrefix, line.prefix, *models.target, {});
  check_text(line, kTarget, line.target, *models.target, {});
  if (!scored) check_written(*models.target, found, line);
}

void repair(LineText& line, std::string& text, Reason reason) {
  if (first_invalid_utf8(text) == std::string::npos) return;
  line.problems.add({reason});
  text = repair_utf8(text);
}

}  // namespace

Transform characters_transform(const LineOptions& options, const LineModels& models) {
  const auto shared = std::make_shared<const LineModels>(models);
  return [behind = options.second, shared](LineText& line) -> Undo {
    using enum LineOptions::Second;
    if (behind != none) {
      const std::size_t lf = line.text.find('\n');
      TT_CHECK(lf != std::string::npos);
      std::string& second = behind == prefix ? line.prefix : line.target;
      second = line.text.substr(lf + 1);
      line.text.resize(lf);
      repair(line, second, behind == prefix ? Reason::prefix_not_utf8 : Reason::target_not_utf8);
    }
    repair(line, line.text, Reason::not_utf8);
    return {.check = [&models = *shared, scored = behind == target](
                         const LineTranslation& found, const std::string&, LineText& line) {
      check_characters(models, scored, found, line);
    }};
  };
}

}  // namespace tt
