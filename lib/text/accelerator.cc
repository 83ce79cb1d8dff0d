#include "text/accelerator.h"

#include <algorithm>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "markup/tags.h"
#include "text/kept.h"

namespace tt {
namespace {

bool is_key(char32_t c) { return is_letter(c) || is_digit(c); }
// As in AT&T.
bool is_inside_of_name(char32_t before, char32_t key) {
  return is_capital(before) && is_capital(key);
}

// The places of a text's signs before a key.
std::vector<std::size_t> signs_in(std::string_view text, std::string_view signs) {
  std::vector<std::size_t> found;
  if (text.find_first_of(signs) == text.npos) return found;
  const std::vector<TextRange> others = without_keys(text);
  auto other = others.begin();
  for (std::size_t at = 0; (at = text.find_first_of(signs, at)) != text.npos; ++at) {
    while (other != others.end() && other->end <= at) ++other;
    const char32_t before = character_before(text, at), key = character_at(text, at + 1);
    if (text.substr(at + 1).starts_with(text[at])) ++at;
    else if (is_key(key) && !is_inside_of_name(before, key) &&
             (other == others.end() || at < other->begin))
      found.push_back(at);
  }
  return found;
}

}  // namespace

std::optional<Accelerator> take_accelerator(std::string& text, std::string_view signs) {
  const auto found = signs_in(text, signs);
  if (found.size() != 1) return std::nullopt;
  const std::size_t at = found[0];
  const char32_t key = character_at(text, at + 1);
  std::string bytes;
  append_utf8(bytes, key);
  Accelerator taken{text[at], key, at};
  if (at > 0 && text[at - 1] == '(' && text.substr(at + 1) != bytes &&
      text.compare(at + 1, bytes.size() + 1, bytes + ")") == 0) {
    text.erase(at - 1, bytes.size() + 3);
    taken.at = text.size();
  } else {
    text.erase(at, 1);
  }
  return taken;
}

bool has_several_accelerators(std::string_view text, std::string_view signs) {
  const auto found = signs_in(text, signs);
  return found.size() > 1 && std::ranges::any_of(found, [&](std::size_t at) {
           return !is_key(character_before(text, at));
         });
}

std::vector<TextRange> without_keys(std::string_view text, std::vector<TextRange> more) {
  std::string copy(text);
  const auto found = find_kept(copy, {.urls = true, .emails = true, .placeholders = true});
  more.insert(more.end(), found.begin(), found.end());
  for (const markup::Token& token : markup::tags_and_entities_in(text))
    more.push_back({token.begin, token.end});
  std::ranges::sort(more, {}, &TextRange::begin);
  std::vector<TextRange> result;
  for (const TextRange& range : more) {
    if (result.empty() || range.begin >= result.back().end) result.push_back(range);
    else result.back().end = std::max(result.back().end, range.end);
  }
  return result;
}

std::string mark_accelerator(std::string_view text, const Accelerator& accelerator,
                             std::optional<std::size_t> chosen,
                             const std::vector<TextRange>& others) {
  const auto words = words_of(text);
  auto other = others.begin();
  // The best place so far: the lower the better.
  std::size_t place = text.size();
  constexpr int kNone = 6;
  int rank = kNone;
  for (std::size_t t = 0; t < words.size(); ++t) {
    const bool in_chosen = !chosen || t == *chosen;
    bool first = true;
    char32_t before = 0;
    for (std::size_t at = words[t].begin; at < words[t].end;) {
      while (other != others.end() && other->end <= at) ++other;
      if (other != others.end() && other->begin <= at) {
        first = first && text[other->begin] == '<';  // a word begins behind a tag, too
        before = 0;
        at = other->end;
        continue;
      }
      const std::size_t begin = at;
      const char32_t c = code_point_at(text, at);
      const bool same = small_letter(c) == small_letter(accelerator.key);
      const bool read =
          !is_inside_of_name(before, c) && before != static_cast<unsigned char>(accelerator.sign);
      const int found = !read || (!is_cased(c) && !(same && is_digit(c))) ? kNone
                        : same  ? (in_chosen ? 0 : 2) + !first
                        : first ? (in_chosen ? 4 : 5)
                                : kNone;
      if (found < rank) rank = found, place = begin;
      first = first && !is_key(c);
      before = c;
    }
  }
  if (rank < kNone)
    return std::string(text.substr(0, place)) + accelerator.sign + std::string(text.substr(place));
  // Behind the text, before what ends it, as a colon or dots.
  std::size_t end = text.size();
  const std::size_t begin = others.empty() ? 0 : others.back().end;
  while (end > begin) {
    const std::size_t last = character_start(text, end);
    const char* next = text.data() + last;
    const char32_t c = next_code_point(next, text.data() + end);
    if (c == U')' || !(is_punctuation(c) || is_space(c) || is_default_ignorable(c))) break;
    end = last;
  }
  std::string key;
  append_utf8(key, accelerator.key);
  return std::string(text.substr(0, end)) + "(" + accelerator.sign + in_capitals(key) + ")" +
         std::string(text.substr(end));
}

}  // namespace tt
