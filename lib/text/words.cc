#include "text/words.h"

#include <algorithm>

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {

std::vector<TextRange> words_of(std::string_view text) {
  std::vector<TextRange> words;
  bool inside = false;  // of a word that may go on
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = code_point_at(text, at);
    const bool space = is_space(c);
    if (!space && inside && !is_unspaced(c)) words.back().end = at;
    else if (!space) words.push_back({begin, at});
    inside = !space && !is_unspaced(c);
  }
  return words;
}

std::vector<WordRange> words_behind(std::span<const TextRange> ranges,
                                    std::span<const TextRange> words) {
  std::vector<WordRange> found;
  for (const TextRange& range : ranges) {
    const auto first = std::partition_point(words.begin(), words.end(),
                                            [&](const auto& w) { return w.end <= range.begin; });
    const auto last = std::partition_point(first, words.end(),
                                           [&](const auto& w) { return w.begin < range.end; });
    found.push_back({static_cast<std::size_t>(first - words.begin()),
                     static_cast<std::size_t>(last - words.begin())});
  }
  return found;
}

char32_t character_before(std::string_view text, std::size_t at) {
  while (at > 0) {
    const std::size_t end = at;
    at = character_start(text, at);
    const char* from = text.data() + at;
    const char32_t c = next_code_point(from, text.data() + end);
    if (!is_default_ignorable(c)) return c;
  }
  return 0;
}

char32_t character_at(std::string_view text, std::size_t at) {
  const char *from = text.data() + at, *const end = text.data() + text.size();
  while (from < end)
    if (const char32_t c = next_code_point(from, end); !is_default_ignorable(c)) return c;
  return 0;
}

bool word_goes_on(char32_t before, char32_t next) {
  return is_wordlike(before) && is_wordlike(next) && !is_unspaced(before) && !is_unspaced(next);
}

bool word_goes_on(std::string_view text, std::size_t at) {
  return at < text.size() && word_goes_on(character_before(text, at), character_at(text, at));
}

}  // namespace tt
