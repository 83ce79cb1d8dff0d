#include "decode/kept.h"

#include <algorithm>
#include <string_view>

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

// A character of a text, and where the next one begins.
struct Character {
  char32_t code = 0;  // 0 at the end
  std::size_t end = 0;
};

Character read(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {0, text.size()};
  const char* next = text.data() + at;
  const char32_t c = next_code_point(next, text.data() + text.size());
  return {c, static_cast<std::size_t>(next - text.data())};
}

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool any_of(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != std::u32string_view::npos; }

// Where a URL that begins at `at` ends; `at` where there is none. Text without spaces may follow it
// at once: of its letters only those belong to it that a delimiter precedes, as in /wiki/日本, and no
// particle does.
std::size_t url_end(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  std::size_t host = at;
  for (const std::string_view scheme : {"http://", "https://", "ftp://", "www."})
    if (std::equal(scheme.begin(), scheme.end(), rest.begin(),
                   rest.begin() + static_cast<std::ptrdiff_t>(std::min(scheme.size(), rest.size())),
                   [](char a, char b) { return a == b || (is_ascii_letter(b) && a == (b | 0x20)); }))
      host = at + scheme.size();
  if (host == at) return at;
  std::size_t end = host;
  char32_t before = 0;
  for (std::size_t next = host; next < text.size();) {
    const Character c = read(text, next);
    next = c.end;
    if (is_default_ignorable(c.code)) continue;  // belongs to it where more of it follows
    if (is_space(c.code) || any_of(c.code, U"<>\"")) break;
    if (c.code >= 0x80 && !is_letter(c.code) && !is_mark(c.code) && !is_digit(c.code)) break;
    if (is_unspaced(c.code) && !is_unspaced(before) && (!any_of(before, U"/=#?&_-%") || is_hiragana(c.code))) break;
    before = c.code;
    end = c.end;
  }
  // A closing parenthesis belongs to it where it closes one of its own.
  const auto within = text.substr(host, end - host);
  const auto open = std::count(within.begin(), within.end(), '(');
  auto closed = std::count(within.begin(), within.end(), ')');
  for (; end > host && any_of(static_cast<unsigned char>(text[end - 1]), U".,;:!?)]}'"); --end)
    if (text[end - 1] == ')' && closed-- <= open) break;
  return end > host ? end : at;
}

std::size_t email_end(std::string_view text, std::size_t at) {
  const auto any = [](char c, std::string_view set) { return set.find(c) != std::string_view::npos; };
  const auto name = [&](char c) { return is_ascii_letter(c) || is_ascii_digit(c) || any(c, "._%+-"); };
  constexpr std::size_t kLongestName = 64;  // RFC 5321, section 4.5.3.1.1
  std::size_t end = at;
  while (end < std::min(text.size(), at + kLongestName) && (name(text[end]) || (end > at && text[end] == '\''))) ++end;
  if (end == at || end == text.size() || text[end] != '@') return at;
  const std::size_t host = ++end;
  while (end < text.size() && (is_ascii_letter(text[end]) || is_ascii_digit(text[end]) || any(text[end], ".-"))) ++end;
  while (end > host && any(text[end - 1], ".-")) --end;
  return text.substr(host, end - host).find('.') == std::string_view::npos ? at : end;
}

// Digits, and what counts like them: fractions, raised and circled digits, Roman numerals; but no
// Chinese ones.
bool is_numeral(char32_t c) { return is_digit(c) || (is_number(c) && !is_unspaced(c)); }

// What may stand between digits, the full-width ones between digits of their width; and spaces and
// apostrophes before groups.
bool separates(char32_t before, char32_t c, char32_t after) {
  if (!is_digit(before) || !is_digit(after)) return false;
  if (any_of(c, U".,:/-\u066B\u066C\u2212\u2044\u00B7")) return true;
  const auto wide = [](char32_t digit) { return digit >= 0xFF10 && digit <= 0xFF19; };
  return any_of(c, U"．，：／－") && wide(before) && wide(after);
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
  std::size_t first_run = 0, letters = 0;  // digits, if nothing else came before; letters before the last numeral
  char32_t before = 0;
  for (std::size_t at = begin;;) {
    const Character c = read(text, at);
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
    } else if (separates(before, c.code, read(text, c.end).code)) {
      first_run = 4;  // what follows is no group
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

// Where a number, with its sign, that begins at `at` behind the visible character `before` ends;
// `at` where there is none. `next`: where another may begin.
std::size_t number_end(std::string_view text, std::size_t at, char32_t before, std::size_t& next) {
  const Character first = read(text, at);
  next = first.end;
  std::size_t digits = at;
  if (any_of(first.code, U"+-\u2212＋－")) {
    const Character then = read(text, first.end);
    digits = is_currency(then.code) ? then.end : first.end;
    // A hyphen may be a dash; the minus of mathematics is one anywhere.
    const bool free = before == 0 || is_space(before) || is_opening(before) || is_symbol(before) || any_of(before, U",;:/|");
    if (!is_numeral(read(text, digits).code) || !(free || first.code == 0x2212)) return at;
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
    if (!words_of(std::string_view(rest).substr(begin)).empty()) marked.push_back({begin, rest.size()});
    done = close + kClose.size();
  }
  rest.append(text, done);
  text.swap(rest);
  return marked;
}

}  // namespace

std::vector<TextRange> find_kept(std::string& text, const Keep& keep) {
  std::vector<TextRange> kept, marked;
  if (keep.marked) marked = take_marks(text);
  if (!keep.urls && !keep.emails && !keep.numbers) return marked;
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
    const std::string_view open = std::string_view(text).substr(0, mark == marked.end() ? text.size() : mark->begin);
    const Character c = read(open, at);
    if (is_default_ignorable(c.code)) {
      at = c.end;
      continue;
    }
    std::size_t end = at, next = c.end;
    if (!word_goes_on(before, c.code)) {
      if (keep.urls) end = url_end(open, at);
      if (keep.emails && end == at) end = email_end(open, at);
      if (end > at && word_goes_on(open, end)) end = at;
    }
    if (keep.numbers && end == at) end = number_end(open, at, before, next);
    if (end > at) kept.push_back({at, end});
    at = skip_to(std::max(end, next));
  }
  return kept;
}

}  // namespace tt
