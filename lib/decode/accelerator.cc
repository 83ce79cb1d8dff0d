#include "decode/accelerator.h"

#include <algorithm>
#include <vector>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "text/kept.h"
#include "text/markup.h"
#include "text/placeholders.h"

namespace tt {
namespace {

bool is_key(char32_t c) { return is_letter(c) || is_digit(c); }

// Where a text has signs before a key.
std::vector<std::size_t> signs_in(std::string_view text) {
  std::vector<std::size_t> signs;
  std::string copy(text);
  std::vector<TextRange> others =
      find_kept(copy, {.urls = true, .emails = true, .placeholders = true});
  for (const TextRange& entity : entities_in(text)) others.push_back(entity);
  for (std::size_t at = 0; (at = text.find_first_of("&_", at)) != text.npos; ++at) {
    const char32_t before = character_before(text, at), key = character_at(text, at + 1);
    const auto inside = [&](const TextRange& r) { return r.begin <= at && at < r.end; };
    if (text.substr(at + 1).starts_with(text[at])) ++at;
    else if (is_key(key) && !(is_capital(before) && is_capital(key)) &&
             std::ranges::none_of(others, inside))
      signs.push_back(at);
  }
  return signs;
}

}  // namespace

std::optional<Accelerator> take_accelerator(std::string& text) {
  const auto signs = signs_in(text);
  if (signs.size() != 1) return std::nullopt;
  const std::size_t at = signs[0];
  const char32_t key = character_at(text, at + 1);
  std::string bytes;
  append_utf8(bytes, key);
  Accelerator found{text[at], key, at};
  if (at > 0 && text[at - 1] == '(' && text.substr(at + 1) != bytes &&
      text.compare(at + 1, bytes.size() + 1, bytes + ")") == 0) {
    text.erase(at - 1, bytes.size() + 3);
    found.at = text.size();
  } else {
    text.erase(at, 1);
  }
  return found;
}

bool has_several_accelerators(std::string_view text) {
  const auto signs = signs_in(text);
  return signs.size() > 1 && std::ranges::any_of(signs, [&](std::size_t at) {
           return !is_key(character_before(text, at));
         });
}

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
  // The best place so far: the lower the better.
  std::size_t place = translation.size();
  int rank = 5;
  for (std::size_t t = 0; t < words.size(); ++t) {
    bool first = true;
    for (std::size_t at = words[t].begin; at < words[t].end;) {
      if (const std::size_t end = placeholder_end(translation, at); end > at) {
        at = end;
        first = false;
        continue;
      }
      const char* next = translation.data() + at;
      const char32_t c = next_code_point(next, translation.data() + words[t].end);
      const bool same = small_letter(c) == small_letter(accelerator.key);
      const int found = !is_cased(c) && !(same && is_digit(c)) ? 5
                        : same                                 ? (t == chosen ? 0 : 2) + !first
                        : t == chosen && first                 ? 4
                                                               : 5;
      if (found < rank) rank = found, place = at;
      first = first && !is_key(c);
      at = static_cast<std::size_t>(next - translation.data());
    }
  }
  if (rank < 5) return translation.substr(0, place) + accelerator.sign + translation.substr(place);
  // Behind the text, before what ends it, as a colon or dots.
  std::size_t end = translation.size();
  while (end > 0 && is_punctuation(character_before(translation, end)) &&
         character_before(translation, end) != U')') {
    std::string last;
    append_utf8(last, character_before(translation, end));
    end -= std::min(end, last.size());
  }
  std::string key;
  append_utf8(key, accelerator.key);
  return translation.substr(0, end) + "(" + accelerator.sign + in_capitals(key) + ")" +
         translation.substr(end);
}

}  // namespace tt
