#include "decode/missing_kept.h"

#include <algorithm>

#include "base/unicode.h"
#include "base/utf8.h"
#include "markup/tags.h"

namespace tt {
namespace {

bool joins_words(char32_t c) { return is_wordlike(c) && !is_unspaced(c); }

// A stretch of a translation that find_kept() finds, and how it reads with a sign before it that
// may be a dash.
struct Found {
  TextRange range;
  std::string_view text;
  std::string with_sign;  // empty: there is none
  bool unspaced;          // before the sign is text without spaces, where it is no dash
};

std::vector<Found> found_in(std::string& translation, const Keep& keep) {
  std::vector<Found> found;
  for (const TextRange& r : find_kept(translation, keep)) {
    const std::string_view all = translation, text = r.in(all);
    found.push_back({r, text, "", false});
    std::string sign;
    append_utf8(sign, character_before(all, r.begin));
    if (!is_sign(character_before(all, r.begin)) || !all.substr(0, r.begin).ends_with(sign))
      continue;
    const char32_t before = character_before(all, r.begin - sign.size());
    if (joins_words(before)) continue;
    found.back().with_sign = sign.append(text);
    found.back().unspaced = is_unspaced(before);
  }
  return found;
}

// Which bytes of a translation meet a requirement already, and which are of tags and
// entities, that nothing may have a part of.
class Places {
 public:
  explicit Places(std::string_view translation)
      : taken_(translation.size()), whole_(translation.size()) {
    for (const markup::Token& token : markup::tags_and_entities_in(translation))
      for (std::size_t i = token.begin; i < token.end; ++i) whole_[i] = {token.begin, token.end};
  }

  bool take(TextRange r) {
    const auto begin = taken_.begin() + static_cast<std::ptrdiff_t>(r.begin),
               end = taken_.begin() + static_cast<std::ptrdiff_t>(r.end);
    const TextRange &first = whole_[r.begin], &last = whole_[r.end - 1];
    if ((first.end > 0 && first.begin < r.begin) || last.end > r.end ||
        std::find(begin, end, 1) != end)
      return false;
    std::fill(begin, end, 1);
    return true;
  }

 private:
  std::vector<char> taken_;
  std::vector<TextRange> whole_;  // of the byte; {0, 0}: none
};

}  // namespace

bool needs_space(char32_t before, char32_t own, char32_t neighbour) {
  if (!joins_words(neighbour)) return false;
  // The sign at an end of $name$ and %name% begins another name with a word beside it.
  const bool joins = joins_words(own) || own == U'$' || own == U'%';
  return before == 0 || is_space(before) || (joins && !is_wordlike(before));
}

bool stands_in(std::string_view text, std::string_view term) {
  for (std::size_t at = 0; (at = text.find(term, at)) != std::string_view::npos; ++at)
    if (!word_goes_on(text, at) && !word_goes_on(text, at + term.size())) return true;
  return false;
}

std::vector<std::size_t> missing_kept(const std::vector<Requirement>& requirements,
                                      std::string_view source, const std::string& translation,
                                      Keep keep) {
  keep.marked = false;
  std::string text = translation;
  std::vector<Found> found = found_in(text, keep);
  Places places(text);
  const auto stuck = [&](const Requirement& w, TextRange r) {
    return needs_space(character_before(source, w.place.begin), character_at(text, r.begin),
                       character_before(text, r.begin)) ||
           needs_space(character_at(source, w.place.end), character_before(text, r.end),
                       character_at(text, r.end));
  };
  const auto found_alone = [&](std::string kept) {
    const auto alone = find_kept(kept, keep);
    return alone.size() == 1 && alone[0].end - alone[0].begin == kept.size();
  };
  const auto take_found = [&](const Requirement& w) {
    const std::string_view kept = w.alternatives[0];
    const auto take = [&](const auto& is_it) {
      for (auto f = found.begin(); f != found.end(); ++f) {
        if (!is_it(*f) ||
            stuck(w, {f->range.begin, f->range.begin + std::min(kept.size(), f->text.size())}))
          continue;
        found.erase(f);
        return true;
      }
      return false;
    };
    // A number has its sign even behind text without spaces, where it might be a dash in a source.
    return take([&](const Found& f) {
             return f.with_sign.empty() || !f.unspaced ? f.text == kept : f.with_sign == kept;
           }) ||
           take([&](const Found& f) { return f.with_sign == kept; }) ||
           // A URL has no end where text without spaces follows.
           take([&](const Found& f) {
             return f.text.starts_with(kept) && is_unspaced(character_at(f.text, kept.size()));
           });
  };
  const auto take_anywhere = [&](const Requirement& w) {
    const std::string& kept = w.alternatives[0];
    for (std::size_t at = 0; (at = text.find(kept, at)) != std::string::npos; ++at)
      if (const TextRange r{at, at + kept.size()}; !stuck(w, r) && places.take(r)) return true;
    return false;
  };
  std::vector<std::size_t> order, missed;  // the longest first, which may have others in them
  for (std::size_t w = 0; w < requirements.size(); ++w)
    if (requirements[w].verbatim) order.push_back(w);
  const auto size = [&](std::size_t w) { return requirements[w].alternatives[0].size(); };
  std::ranges::stable_sort(order, [&](auto a, auto b) { return size(a) > size(b); });
  for (const std::size_t w : order)
    if (!(found_alone(requirements[w].alternatives[0]) ? take_found(requirements[w])
                                                       : take_anywhere(requirements[w])))
      missed.push_back(w);
  std::ranges::sort(missed);
  return missed;
}

}  // namespace tt
