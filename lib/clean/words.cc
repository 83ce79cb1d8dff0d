#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "clean/character.h"
#include "clean/pair_rules.h"
#include "text/kept.h"

namespace tt::clean {
namespace {

// A run of letters.
struct Letters {
  const char *begin, *end;
  std::size_t count = 0;
  std::size_t capitals = 0;         // behind letters that are none
  bool capital = false;             // the last one
  unsigned look = 0;                // of the last one that has one
  std::size_t changes = 0;          // of that
  std::size_t first = 0, last = 0;  // letters before the first change, and behind the last
  bool new_word = false;            // a capital behind a letter that is none is the last change
};

// Whether a side has a run of letters of a kind that the other side has not; in an address or a
// placeholder there is none. Ideographs and kana are no letters here.
bool has_run(const Side& side, const Side& other, auto&& is_it) {
  const std::vector<Character>& basic = basic_characters();
  const char *const text = side.text.data(), *const end = text + side.text.size(), *at = text;
  for (Letters run{at, at}; at < end || run.count > 0;) {
    const char* const begin = at;
    const char32_t code = at < end ? next_code_point(at, end) : U' ';
    const Character& c = basic[code < basic.size() ? code : U' '];
    if (c.in_words && !c.digit && c.kind != Kind::unspaced) {
      if (run.count++ == 0) run.begin = begin;
      const bool new_word = c.capital && run.count > 1 && !run.capital;
      if (c.look != 0 && run.look != 0 && c.look != run.look) {
        if (run.changes++ == 0) run.first = run.count - 1;
        run.last = 0, run.new_word = new_word;
      }
      if (c.look != 0) run.look = c.look;
      ++run.last;
      run.capitals += new_word;
      run.capital = c.capital;
      run.end = at;
      continue;
    }
    if (run.count > 0 && is_it(run) &&
        other.text.find(std::string_view(run.begin, run.end)) == std::string_view::npos) {
      std::string copy(side.text);
      const auto kept = find_kept(copy, {.urls = true, .emails = true, .placeholders = true});
      if (std::ranges::none_of(kept, [&](TextRange r) {
            return text + r.begin < run.end && run.begin < text + r.end;
          }))
        return true;
    }
    run = {at, at};
  }
  return false;
}

// The longest row of letters that stand alone, with spaces between.
std::u32string longest_row(const Side& side) {
  const std::vector<Character>& basic = basic_characters();
  std::u32string row, longest;
  char32_t letter = 0;  // of a word that has no other yet
  bool in_word = false;
  for (const char *at = side.text.data(), *const end = at + side.text.size(); at <= end;) {
    const char32_t code = at < end ? next_code_point(at, end) : (++at, U' ');
    const Character& c = basic[code < basic.size() ? code : U' '];
    if (c.kind == Kind::space) {
      if (letter != 0) row += letter;
      else if (in_word) row.clear();
      if (row.size() > longest.size()) longest = row;
      letter = 0, in_word = false;
    } else if (c.kind != Kind::extending && c.kind != Kind::ignorable) {
      letter = !in_word && c.in_words && !c.digit && c.kind != Kind::unspaced ? code : U'\0';
      in_word = true;
    }
  }
  return longest;
}

}  // namespace

bool letters_apart(const Pair& pair, double threshold) {
  const auto letters = static_cast<std::size_t>(threshold);
  if (std::max(pair.source.lone, pair.target.lone) < letters) return false;  // as nearly always
  const std::u32string source = longest_row(pair.source), target = longest_row(pair.target);
  return source != target && std::max(source.size(), target.size()) >= letters;
}

bool words_glued(const Pair& pair, double threshold) {
  constexpr std::size_t kLongest = 40;  // letters
  const auto capitals = static_cast<std::size_t>(threshold);
  const auto glued = [&](const Letters& run) {
    return run.capitals >= capitals || run.count > kLongest;
  };
  const auto has = [&](const Side& side, const Side& other) {
    return (side.inner_capitals >= capitals || side.longest > kLongest) &&
           has_run(side, other, glued);
  };
  return has(pair.source, pair.target) != has(pair.target, pair.source);
}

bool mixed_scripts(const Pair& pair, double) {
  // In ДанныеX and SMSка are two words.
  const auto mixed = [](const Letters& run) {
    return run.changes > 1 || (run.changes == 1 && run.count > 2 && !run.new_word &&
                               (run.first == 1 || run.last == 1));
  };
  const auto has = [&](const Side& side, const Side& other) {
    return (side.looks & (side.looks - 1)) != 0 && has_run(side, other, mixed);
  };
  return has(pair.source, pair.target) || has(pair.target, pair.source);
}

}  // namespace tt::clean
