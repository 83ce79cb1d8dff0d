#include "lines/letter_case.h"

#include <algorithm>
#include <vector>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "lines/sentences.h"
#include "lines/transforms.h"
#include "text/upper_case.h"

namespace tt {
namespace {

// Calls f(character, its range) for each character outside of the ranges `but`, and `other` for
// the text in these.
template <class F, class Other>
void each_character(std::string_view text, std::span<const TextRange> but, F&& f, Other&& other) {
  auto range = but.begin();
  for (std::size_t at = 0; at < text.size();) {
    while (range != but.end() && range->end <= at) ++range;
    if (range != but.end() && range->begin <= at) {
      other(text.substr(at, range->end - at));
      at = range->end;
      continue;
    }
    const std::size_t begin = at;
    const char32_t c = code_point_at(text, at);
    f(c, text.substr(begin, at - begin));
  }
}

bool begins_with_capital(std::string_view word) {
  for (const char *at = word.data(), *end = at + word.size(); at < end;)
    if (const char32_t c = next_code_point(at, end); is_letter(c)) return is_capital(c);
  return false;
}

}  // namespace

LetterCase letter_case(std::string_view sentence) {
  std::size_t words = 0, begun = 0, longest = 0;  // words with letters; with a capital, but first
  bool small = false, title = true;
  for (const TextRange& r : words_of(sentence)) {
    const std::string_view word = r.in(sentence);
    std::size_t letters = 0, capitals = 0;
    for (const char *at = word.data(), *end = at + word.size(); at < end;) {
      const char32_t c = next_code_point(at, end);
      letters += is_letter(c);
      capitals += is_capital(c);
      small = small || (is_cased(c) && !is_capital(c));
    }
    if (letters == 0) continue;
    longest = std::max(longest, capitals);
    const bool capital = begins_with_capital(word);
    begun += words > 0 && capital;
    title = title && (capital || (letters <= 3 && words > 0));
    ++words;
  }
  if (!small) return longest >= 2 ? LetterCase::capitals : LetterCase::as_it_is;
  return title && words >= 4 && begun >= 3 ? LetterCase::title : LetterCase::as_it_is;
}

std::string in_small_letters(std::string_view sentence, std::span<const TextRange> but,
                             bool capital) {
  std::string text;
  bool first = capital;
  each_character(
      sentence, but,
      [&](char32_t c, std::string_view bytes) {
        std::string small;
        append_utf8(small, small_letter(c));
        const bool stays = small.size() != bytes.size() || (first && is_letter(c));
        first = first && !is_letter(c);
        text += stays ? bytes : small;
      },
      [&](std::string_view kept) {
        text += kept;
        first = false;
      });
  return text;
}

std::string with_case(std::string_view translation, LetterCase kind, std::string_view source,
                      const SoftAlignment& alignment, std::span<const TextRange> but) {
  if (kind == LetterCase::capitals) {
    std::string text;
    std::size_t at = 0;
    for (const TextRange& r : but) {
      text += in_capitals(translation.substr(at, r.begin - at));
      text += r.in(translation);
      at = r.end;
    }
    return text + in_capitals(translation.substr(at));
  }
  const auto words = words_of(translation);
  std::vector<char> capital(words.size());
  const auto source_words = words_of(source);
  for (std::size_t w = 0; w < std::min(words.size(), alignment.size()); ++w) {
    const auto most = std::ranges::max_element(alignment[w]);
    const auto s = static_cast<std::size_t>(most - alignment[w].begin());
    capital[w] = most != alignment[w].end() && *most > 0 && s < source_words.size() &&
                 begins_with_capital(source_words[s].in(source));
  }
  if (!capital.empty() && begins_with_capital(source)) capital[0] = 1;
  std::string text;
  std::size_t at = 0, word = 0;
  bool begun = false;  // a letter of the word
  each_character(
      translation, but,
      [&](char32_t c, std::string_view bytes) {
        for (; word < words.size() && words[word].end <= at; begun = false) ++word;
        const bool first = !begun && word < words.size() && at >= words[word].begin && is_letter(c);
        begun = begun || first;
        at += bytes.size();
        if (first && capital[word]) append_utf8(text, title_letter(c));
        else text += bytes;
      },
      [&](std::string_view kept) {
        at += kept.size();
        begun = true;
        text += kept;
      });
  return text;
}

namespace {

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

struct ChangedSentence {
  std::size_t index;  // of those of the line
  LetterCase letter_case;
  std::string written;  // as the line had it
};

void restore_case(const std::vector<ChangedSentence>& sentences, LineTranslation& found,
                  LineText& line) {
  for (const ChangedSentence& was : sentences) {
    Translated& result = line.sentences[was.index].result;
    for (std::size_t b = 0; b < result.best.size(); ++b) {
      Translation& t = result.best[b];
      const bool aligned = b < found.of_sentences.size();
      const SoftAlignment& alignment = aligned ? found.of_sentences[b][was.index] : SoftAlignment();
      if (b == 0 && was.letter_case == LetterCase::title && !is_known(alignment) &&
          !words_of(t.text).empty())
        line.problems.add({Reason::no_capitals});
      const std::vector<TextRange> kept = verbatim_in(t);
      const std::string before = t.text;
      t.text = with_case(before, was.letter_case, was.written, alignment, kept);
      move_replaced(t, before, kept);
    }
  }
}

}  // namespace

Transform case_transform(const LineOptions& options, const LineModels& models) {
  if (!options.letter_case) return nullptr;
  return [capitals = has_capitals(*models.sources[0])](LineText& line) -> Undo {
    std::vector<ChangedSentence> changed;
    for (std::size_t i = 0; i < line.sentences.size(); ++i) {
      LineSentence& s = line.sentences[i];
      const LetterCase kind = letter_case(s.request.text);
      if (s.passes || kind == LetterCase::as_it_is) continue;
      std::vector<TextRange> kept;
      for (const Requirement& requirement : s.request.requirements)
        if (requirement.verbatim) kept.push_back(requirement.place);
      changed.push_back({i, kind, s.request.text});
      s.request.text = in_small_letters(changed.back().written, kept, capitals);
      line.text.replace(s.range.begin, s.range.end - s.range.begin, s.request.text);
    }
    if (changed.empty()) return {};
    const bool title =
        std::ranges::count(changed, LetterCase::title, &ChangedSentence::letter_case) > 0;
    return {.needs_alignment = title,
            .put_back = std::bind_front(restore_case, std::move(changed))};
  };
}

}  // namespace tt
