#include "text/kept.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/unicode.h"
#include "base/utf8.h"
#include "text/placeholders.h"

namespace tt {
namespace {

// A character of a text, and where the next one begins.
struct Character {
  char32_t code = 0;  // 0 at the end
  std::size_t end = 0;
};

Character read(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {0, text.size()};
  const char32_t c = code_point_at(text, at);
  return {c, at};
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool any_of(char32_t c, std::u32string_view set) {
  return c != 0 && set.find(c) != std::u32string_view::npos;
}

// Whether a character of a script without spaces belongs to the host that begins at `host`. Text
// without spaces may follow a host at once, so its labels have one script, but where one more
// follows: where the host would otherwise have no dot, or `whole`.
bool in_host(std::string_view text, std::size_t host, std::size_t at, bool whole) {
  constexpr std::size_t kLongestLabel =
      4 * 63;  // bytes of as many characters, RFC 1035, section 2.3.4
  const char32_t before = at > host ? character_before(text, at) : 0;
  if (is_unspaced(before)) return true;
  const bool first = text.substr(host, at - host).find('.') == std::string_view::npos;
  if (!first && any_of(before, U".@")) return true;
  if (!first && !whole) return false;
  Character c = read(text, at);
  while (c.end < at + kLongestLabel && (is_wordlike(c.code) || c.code == U'-'))
    c = read(text, c.end);
  return c.code == U'.' && is_wordlike(read(text, c.end).code);
}

// Whether a character is one that stands between the words of a name, as in /wiki/A–B.
bool joins_names(char32_t before, char32_t c, char32_t after) {
  const auto beside = [&](char32_t other) {
    return is_wordlike(other) && is_unspaced(other) == is_unspaced(c);
  };
  return any_of(c, U"\u00B7\u2010\u2011\u2013\u30FB\uFF1D") && beside(before) && beside(after);
}

// The end of the characters of a URL whose host begins at `host`. Text without spaces may follow it
// at once, unless it is `whole`, with white space around it: of its letters only those belong to it
// that a delimiter precedes, as in /wiki/日本, and no particle does.
std::size_t run_end(std::string_view text, std::size_t host, bool whole) {
  std::size_t end = host;
  char32_t before = 0;
  bool path = false;
  for (std::size_t next = host; next < text.size();) {
    const Character c = read(text, next);
    const std::size_t at = std::exchange(next, c.end);
    if (is_default_ignorable(c.code)) continue;  // belongs to it where more of it follows
    if (is_space(c.code) || any_of(c.code, U"<>\"")) break;
    if (c.code >= 0x80 && !is_letter(c.code) && !is_mark(c.code) && !is_number(c.code) &&
        !joins_names(before, c.code, character_at(text, next)))
      break;
    path = path || any_of(c.code, U"/?#");
    if (is_unspaced(c.code) && !path && !in_host(text, host, at, whole)) break;
    if (is_unspaced(c.code) && path && !whole && !is_unspaced(before) &&
        (!any_of(before, U"/=#?&_-%") || is_hiragana(c.code)))
      break;
    before = c.code;
    end = c.end;
  }
  return end;
}

// The end of a URL that begins at `at` behind the visible character `before`; `at` where there is
// none.
std::size_t url_end(std::string_view text, std::size_t at, char32_t before) {
  const std::string_view rest = text.substr(at);
  std::size_t host = at;
  for (const std::string_view scheme : {"http://", "https://", "ftp://", "www."})
    if (std::equal(
            scheme.begin(), scheme.end(), rest.begin(),
            rest.begin() + static_cast<std::ptrdiff_t>(std::min(scheme.size(), rest.size())),
            [](char a, char b) { return a == b || (is_ascii_letter(b) && a == (b | 0x20)); }))
      host = at + scheme.size();
  if (host == at) return at;
  constexpr std::size_t kLongestWhole =
      4096;  // bytes, so that a line takes time in proportion to its own
  std::size_t end = run_end(text.substr(0, host + kLongestWhole), host, true);
  const char32_t behind = character_at(text, end);
  const bool whole = (before == 0 || is_space(before) || any_of(before, U"([{<\"'")) &&
                     (behind == 0 || is_space(behind) || any_of(behind, U"<>\""));
  if (!whole) end = run_end(text, host, false);
  // A closing parenthesis belongs to it where it closes one of its own.
  const auto within = text.substr(host, end - host);
  const auto open = std::count(within.begin(), within.end(), '(');
  auto closed = std::count(within.begin(), within.end(), ')');
  for (; end > host && any_of(static_cast<unsigned char>(text[end - 1]), U".,;:!?)]}'"); --end)
    if (text[end - 1] == ')' && closed-- <= open) break;
  return end > host ? end : at;
}

// The end of an e-mail address that begins at `at` behind the visible character `before`; `at`
// where there is none. Text without spaces may stand before its name at once: where that has
// letters of their scripts, nothing does, and no others follow them.
std::size_t email_end(std::string_view text, std::size_t at, char32_t before) {
  constexpr std::size_t kLongestName = 64;  // RFC 5321, section 4.5.3.1.1
  const auto is_name = [](char32_t c) {
    return (is_wordlike(c) && c != 0xFFFD) || any_of(c, U".-");
  };
  const bool free = before == 0 || is_space(before) || is_opening(before);
  bool unspaced = false;
  Character c = read(text, at);
  std::size_t end = at;
  for (; end < at + kLongestName; c = read(text, end = c.end)) {
    if (!is_name(c.code) && !any_of(c.code, U"%+") && (c.code != U'\'' || end == at)) break;
    if (is_unspaced(c.code) ? !free : unspaced && is_letter(c.code)) return at;
    unspaced = unspaced || is_unspaced(c.code);
  }
  if (end == at || c.code != U'@') return at;
  const std::size_t host = end = c.end;
  for (c = read(text, end); is_name(c.code) && c.code != U'_'; c = read(text, end = c.end))
    if (is_unspaced(c.code) && !in_host(text, host, end, false)) break;
  while (end > host && any_of(static_cast<unsigned char>(text[end - 1]), U".-")) --end;
  return text.substr(host, end - host).find('.') == std::string_view::npos ? at : end;
}

// Digits, and what counts like them: fractions, raised and circled digits, Roman numerals; but no
// Chinese ones.
bool is_numeral(char32_t c) { return is_digit(c) || (is_number(c) && !is_unspaced(c)); }
bool is_raised(char32_t c) { return is_numeral(c) && !is_digit(c); }  // or lowered

// Separators between digits, the full-width ones between digits of their width; and spaces and
// apostrophes before groups.
bool separates(char32_t before, char32_t c, char32_t after) {
  if (!is_digit(before) || !is_digit(after)) return false;
  if (any_of(c, U".,:/^-\u066B\u066C\u2212\u2044\u00B7\u00B1\u2213\u00D7\u2010\u2011\uFE63"))
    return true;
  const auto wide = [](char32_t digit) { return digit >= 0xFF10 && digit <= 0xFF19; };
  return any_of(c, U"．，：／－") && wide(before) && wide(after);
}
// The end of what an exponent of ten begins with at `at`, behind a digit: e- as in 1e-5, or ^-, or
// a raised sign; `at` if there is none.
std::size_t exponent_begin(std::string_view text, std::size_t at) {
  const Character mark = read(text, at), sign = read(text, mark.end);
  const bool marked = any_of(mark.code, U"eE^\uFF45\uFF25") && is_sign(sign.code);
  return marked && is_digit(read(text, sign.end).code) ? sign.end : at;
}
bool groups(char32_t c) { return any_of(c, U" \u00A0\u2007\u2009\u202F'\u2019\u02BC"); }

// The end of groups of three digits behind at most three, which end at `at`, with a separator of
// one kind before each; `at` if there are none.
std::size_t groups_end(std::string_view text, std::size_t at) {
  const char32_t separator = read(text, at).code;
  if (!groups(separator)) return at;
  for (;;) {
    Character c = read(text, at);
    if (c.code != separator) return at;
    for (int digit = 0; digit < 3; ++digit)
      if (c = read(text, c.end); !is_digit(c.code)) return at;
    if (is_numeral(read(text, c.end).code)) return at;
    at = c.end;
  }
}

// Digits and cased letters that stand together, with what separates the digits.
struct Word {
  std::size_t digits_end, end;  // of the digits that it begins with; of all
  bool code = false;            // digits follow letters, as in B2 and 1080p60
};

Word read_word(std::string_view text, const std::size_t begin) {
  Word word{begin, begin};
  std::size_t first_run = 0,
              letters = 0;  // digits, if nothing else came before; letters before the last numeral
  char32_t before = 0;
  for (std::size_t at = begin;;) {
    const Character c = read(text, at);
    if (const std::size_t exponent = exponent_begin(text, at);
        letters == 0 && is_digit(before) && exponent > at) {
      first_run = 4;  // what follows is no group
      before = 0;
      at = exponent;
      continue;
    }
    if (is_numeral(c.code)) {
      const bool raised = !is_digit(c.code) && letters > 3;  // the number of a note, as in word²
      word.code |= letters > 0 && !raised;
      ++first_run;
    } else if (is_cased(c.code) || (c.code == U'_' && at > begin)) {
      ++letters;
    } else if (is_default_ignorable(c.code) || (is_mark(c.code) && at > begin)) {
      at = c.end;  // belongs to what is before it, where it is a mark
      if (!is_mark(c.code)) continue;
      word.end = at;
      if (letters == 0) word.digits_end = at;
      continue;
    } else if (at > begin && any_of(c.code, U"\u207A\u207B\u208A\u208B") &&
               (is_raised(before) || is_raised(read(text, c.end).code))) {
      first_run = 4;
    } else if (separates(before, c.code, read(text, c.end).code)) {
      first_run = 4;
      before = c.code;
      at = c.end;
      continue;
    } else {
      break;
    }
    before = c.code;
    word.end = at = c.end;
    if (letters > 0) continue;
    word.digits_end = at;
    const char32_t next = read(text, at).code;
    if (first_run > 3 || !groups(next)) continue;
    const std::size_t grouped = groups_end(text, at);
    if (grouped > at) word.end = word.digits_end = at = grouped, first_run = 4;
  }
  return word;
}

// The first digit of a number that begins with a decimal point at `at`; `at` if none does.
std::size_t behind_point(std::string_view text, std::size_t at) {
  const Character point = read(text, at);
  return any_of(point.code, U".\u066B\uFF0E") && is_digit(read(text, point.end).code) ? point.end
                                                                                      : at;
}

// The end of a number, with its sign, that begins at `at` behind the visible character `before`;
// `at` where there is none. `next`: where another may begin.
std::size_t number_end(std::string_view text, std::size_t at, char32_t before, std::size_t& next) {
  const Character first = read(text, at);
  next = first.end;
  // A hyphen may be a dash, and a full stop the end of what is before it.
  const bool free = before == 0 || is_space(before) || is_opening(before) || is_symbol(before) ||
                    any_of(before, U",;:/|");
  std::size_t digits = at;
  if (is_sign(first.code)) {
    const Character then = read(text, first.end);
    digits = is_currency(then.code) ? then.end : first.end;
    digits = behind_point(text, digits);
    // The signs of mathematics are ones anywhere.
    const bool anywhere = any_of(first.code, U"\u2212\u00B1\u2213\u207A\u207B\u208A\u208B");
    if (!is_numeral(read(text, digits).code) || !(free || anywhere)) return at;
  } else if (free && behind_point(text, at) > at) {
    digits = first.end;
  } else if (!is_numeral(first.code) && (!is_cased(first.code) || is_cased(before))) {
    return at;
  }
  const Word word = read_word(text, digits);
  next = std::max(first.end, word.end);
  if (word.code) return word.end;
  if (word.digits_end == digits) return at;
  return next = word.digits_end;
}

// Takes <keep> and </keep> out of a text, and returns what stood between them.
std::vector<TextRange> take_marks(std::string& text) {
  constexpr std::string_view kOpen = "<keep>", kClose = "</keep>";
  std::vector<TextRange> marked;
  std::string rest;
  std::size_t done = 0;
  for (std::size_t at; (at = text.find(kOpen, done)) != std::string::npos;) {
    const std::size_t inside = at + kOpen.size(), close = text.find(kClose, inside);
    if (close == std::string::npos) break;  // a mark without its other half is text
    rest.append(text, done, at - done);
    const std::size_t begin = rest.size();
    rest.append(text, inside, close - inside);
    if (!words_of(std::string_view(rest).substr(begin)).empty())
      marked.push_back({begin, rest.size()});
    done = close + kClose.size();
  }
  rest.append(text, done);
  text.swap(rest);
  return marked;
}

}  // namespace

bool is_sign(char32_t c) {
  return any_of(c,
                U"+-"
                U"\u2212\u00B1\u2213\u207A\u207B\u208A\u208B\uFF0B\uFF0D\uFE62\uFE63\u2010\u2011"
                U"\u2012\u2013");
}

std::vector<TextRange> find_kept(std::string& text, const Keep& keep) {
  std::vector<TextRange> kept, marked;
  if (keep.marked) marked = take_marks(text);
  if (!keep.urls && !keep.emails && !keep.numbers && !keep.placeholders) return marked;
  auto mark = marked.begin();
  char32_t before = 0;
  const auto skip_to = [&](std::size_t end) {
    before = character_before(text, end);
    return end;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (mark != marked.end() && at == mark->begin) {
      kept.push_back(*mark);
      at = skip_to(mark++->end);
      continue;
    }
    const std::string_view open =
        std::string_view(text).substr(0, mark == marked.end() ? text.size() : mark->begin);
    const Character c = read(open, at);
    if (is_default_ignorable(c.code)) {
      at = c.end;
      continue;
    }
    std::size_t end = at, next = c.end;
    if (!word_goes_on(before, c.code)) {
      if (keep.urls) end = url_end(open, at, before);
      if (keep.emails && end == at) end = email_end(open, at, before);
      if (end > at && word_goes_on(open, end)) end = at;
    }
    if (keep.placeholders && end == at) end = placeholder_end(open, at);
    if (keep.numbers && end == at) end = number_end(open, at, before, next);
    if (end > at) kept.push_back({at, end});
    at = skip_to(std::max(end, next));
  }
  return kept;
}

}  // namespace tt
