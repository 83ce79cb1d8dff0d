#include "lines/flaws.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/numbers.h"
#include "clean/pair_rules.h"
#include "clean/script.h"
#include "lines/transforms.h"
#include "text/words.h"

namespace tt {
namespace {

constexpr double kTimes = 4, kRatio = 3, kShare = 0.5;
// A translation lacks most where its length is so much less, and so many characters are missing.
// Good ones are rather too long so, if their sources are labels, than too short.
constexpr double kLack = 2.5, kMissing = 18;
constexpr std::size_t kLetters = 6;  // times in a row
// The fewest words of a copy that is no name, no command and no term: of letters alone, and how
// many of these begin with a small letter, or one of a script that has no others.
constexpr std::size_t kWords = 4, kSmallWords = 2;
constexpr std::size_t kUnspaced = 2;  // letters of scripts without spaces that count as a word

// Whether letters of a word stand in a row so often as those of no word do: "Tinininininin".
bool stutters(const std::string& text) {
  std::vector<std::uint64_t> letters;
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    const char32_t c = next_code_point(at, end);
    letters.push_back(is_letter(c) ? c : (std::uint64_t{1} << 32) + letters.size());
  }
  return clean::repeats(letters, kLetters);
}

bool lacks_most(const clean::Pair& pair) {
  const auto likely = static_cast<double>(pair.source.length),
             length = static_cast<double>(pair.target.length);
  return likely > kLack * length && likely > length + kMissing;
}

// Whether a sentence is one to be translated, whatever in it is to be kept.
bool is_prose(const Request& request) {
  std::string text = request.text;
  for (const Requirement& r : request.requirements)
    if (r.verbatim)
      text.replace(r.place.begin, r.place.end - r.place.begin, r.place.end - r.place.begin, '%');
  std::size_t words = 0, small = 0, unspaced = 0;
  for (const TextRange& r : words_of(text)) {
    std::u32string word;
    const char *at = text.data() + r.begin, *const end = text.data() + r.end;
    while (at < end) word += next_code_point(at, end);
    const auto may_end = [](char32_t c) {
      return c == '.' || c == ',' || c == ';' || c == ':' || c == '!' || c == '?' || c == '"';
    };
    while (!word.empty() && may_end(word.back())) word.pop_back();
    const auto in_word = [](char32_t c) {
      return is_letter(c) || is_mark(c) || c == '\'' || c == 0x2019;
    };
    unspaced += static_cast<std::size_t>(
        std::ranges::count_if(word, [](char32_t c) { return is_unspaced(c) && is_letter(c); }));
    if (word.empty() || is_unspaced(word[0]) || !std::ranges::all_of(word, in_word)) continue;
    ++words;
    small += !is_capital(word[0]);
  }
  words += unspaced / kUnspaced, small += unspaced / kUnspaced;
  return words >= kWords && small >= kSmallWords;
}

}  // namespace

const std::vector<std::string>& flaw_names() {
  static const std::vector<std::string> names{"loops", "copies", "script", "length", "numbers"};
  return names;
}

clean::TargetText target_text_of(const LoadedModel& model) {
  const Metadata& about = model.file->metadata();
  const auto note = about.find(kTargetText);
  return note == about.end() ? clean::TargetText() : clean::TargetText::read(note->second);
}

struct Flaws::Rules {
  std::vector<std::string> names;
  clean::Scripts scripts;
  double length;
  clean::Numbers numbers{kShare, {}};
  std::mutex mutex{};

  bool has(const char* name) const { return std::ranges::count(names, name) > 0; }
};

Flaws::Flaws(std::span<const std::string> names, const clean::TargetText& target)
    : rules_(
          new Rules{{names.begin(), names.end()}, clean::Scripts(target.scripts), target.length}) {}
Flaws::~Flaws() = default;

std::vector<Problem> Flaws::of(const Request& request, const Translation& translation) const {
  Rules& rules = *rules_;
  std::vector<Problem> found;
  clean::Pair pair;
  clean::read_side(request.text, pair.source), clean::read_side(translation.text, pair.target);
  const bool same = pair.source.key == pair.target.key;
  if (rules.has("loops") &&
      ((clean::repeats(pair.target, kTimes) && !clean::repeats(pair.source, kTimes)) ||
       (stutters(translation.text) && !stutters(request.text))))
    found.push_back({Reason::loop});
  if (rules.has("copies") && same && is_prose(request)) found.push_back({Reason::copy});
  if (rules.has("script") && !same && !rules.scripts.scripts.empty() &&
      in_other_script(pair.target, pair.source, rules.scripts, kShare))
    found.push_back({Reason::other_script});
  if (rules.has("numbers")) {
    const std::lock_guard lock(rules.mutex);
    if (rules.numbers.drops(pair)) found.push_back({Reason::other_numbers});
  }
  pair.source.length =
      static_cast<std::size_t>(std::lround(static_cast<double>(pair.source.length) * rules.length));
  if (rules.has("length") && (clean::length_ratio(pair, kRatio) || lacks_most(pair)))
    found.push_back({Reason::odd_length});
  return found;
}

Transform flaws_transform(const LineOptions&, const LineModels& models) {
  if (!models.flaws) return nullptr;
  return [&flaws = *models.flaws](LineText& line) -> Undo {
    if (line.remembered) return {};
    return {.check = [&flaws](const LineTranslation&, const std::string&, LineText& line) {
      for (const LineSentence& s : line.sentences)
        if (!s.passes) line.problems.add(flaws.of(s.request, s.best(0)));
    }};
  };
}

}  // namespace tt
