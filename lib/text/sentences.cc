#include "text/sentences.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/utext.h>

#include <algorithm>
#include <mutex>

#include "base/capitals.h"
#include "base/error.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "text/sentence_words.h"

namespace tt {
namespace {

// Languages whose ordinals are digits or Roman numerals and a full stop.
constexpr std::string_view kOrdinals[] = {"de", "cs", "da", "et", "fi", "hr", "hu", "is", "lb",
                                          "lv", "nb", "nn", "no", "bs", "sk", "sl", "sr", "tr"};

char32_t code_point_before(std::string_view text, std::size_t& at) {
  at = character_start(text, at);
  std::size_t here = at;
  return code_point_at(text, here);
}

bool is_lower(char32_t c) { return u_islower(static_cast<UChar32>(c)); }
bool is_full_stop(char32_t c) { return c == '.' || c == 0x2024 || c == 0xFF0E; }
bool closes_quotation(char32_t c) { return c == 0x300D || c == 0x300F; }  // 」 』
bool closes_title(char32_t c) { return c == 0x300B || c == 0x3009; }      // 》 〉
bool is_bullet(char32_t c) {
  return std::u32string_view(U"•‣⁃∙▪●◦").find(c) != std::u32string_view::npos;
}
bool is_dash(char32_t c) { return c == '-' || c == 0x2013; }
// Quotation marks open in one language and close in another.
bool is_quotation_mark(char32_t c) {
  const auto kind = u_charType(static_cast<UChar32>(c));
  return kind == U_INITIAL_PUNCTUATION || kind == U_FINAL_PUNCTUATION || c == '"' || c == '\'';
}
bool opens(char32_t c) {
  return is_quotation_mark(c) || u_charType(static_cast<UChar32>(c)) == U_START_PUNCTUATION ||
         c == 0xBF || c == 0xA1;
}
bool closes(char32_t c) {
  return is_quotation_mark(c) || u_charType(static_cast<UChar32>(c)) == U_END_PUNCTUATION;
}

// Whether a mark behind white space belongs to what stands before it, as in French: « Oui. »
bool closes_behind_space(std::string_view text, std::size_t at) {
  if (at >= text.size() ||
      u_charType(static_cast<UChar32>(code_point_at(text, at))) != U_FINAL_PUNCTUATION)
    return false;
  return at >= text.size() || is_space(code_point_at(text, at));
}

// A particle or a comma behind a quotation: the sentence that quotes goes on.
bool goes_on_behind_quotation(char32_t c) {
  return std::u32string_view(U"とっなはがをにもので、，").find(c) != std::u32string_view::npos;
}

bool is_format(char32_t c) { return u_charType(static_cast<UChar32>(c)) == U_FORMAT_CHAR; }

// In small letters, without marks that cannot be seen.
std::string lower(std::string_view word) {
  std::string text;
  for (std::size_t at = 0; at < word.size();)
    if (const char32_t c = code_point_at(word, at); !is_format(c))
      append_utf8(text, small_letter(c));
  return text;
}

// The letters at `at`, and none where a full stop follows them.
std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size()) {
    std::size_t next = end;
    const char32_t c = code_point_at(text, next);
    if (is_full_stop(c)) return {};
    if (!is_letter(c)) break;
    end = next;
  }
  return text.substr(at, end - at);
}

// Whether two words meet at the full stop before `behind`, as in "It is late.Dr", not in "z.B":
// two small letters before it, a capital behind.
bool parts_words(std::string_view text, std::size_t begin, std::size_t stop, std::size_t behind) {
  const auto small_before = [&] {  // and steps over it
    return stop > begin && is_lower(code_point_before(text, stop));
  };
  return behind < text.size() && is_capital(code_point_at(text, behind)) && small_before() &&
         small_before();
}

// The word that ends at `end`, or as much of it as an abbreviation may have.
std::string_view word_before(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t from = end;
  while (from > begin && end - from < 40) {
    std::size_t before = from;
    const char32_t c = code_point_before(text, before);
    if (is_space(c) || opens(c) || is_bullet(c)) break;
    if (is_full_stop(c) && parts_words(text, begin, before, from)) break;
    from = before;
  }
  return text.substr(from, end - from);
}

bool is_roman_number(std::string_view word) {
  return word.size() > 1 && word.find_first_not_of("IVX") == word.npos;
}

// Whether nothing but punctuation and white space is in a text that ends a line.
bool is_punctuation(std::string_view text) {
  if (text.size() > 100) return false;
  for (std::size_t at = 0; at < text.size();)
    if (const char32_t c = code_point_at(text, at);
        !is_space(c) && !u_ispunct(static_cast<UChar32>(c)))
      return false;
  return true;
}

// Whether a number is at `at`: digits, or a Roman number, also behind № or #.
bool is_number_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  std::size_t behind = at;
  const char32_t first = code_point_at(text, behind);
  return is_digit(first) || first == 0x2116 || first == '#' || is_roman_number(word_at(text, at));
}

// Whether a reference in brackets follows a quotation at `at`, as in: "It is late." (Smith 55).
bool is_reference_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at, 200);
  return rest.starts_with('(') &&
         rest.substr(std::min(rest.find(')'), rest.size())).starts_with(").");
}

// The word before a full stop that is at `end` of a sentence from `begin`.
struct WordBeforeStop {
  std::string small;   // in small letters, with single letters before it: "z.b" of "z. B"
  std::string shape;   // A, a and o for capital, small and other letters, 0 for digits, - . and ?
  bool roman = false;  // it is a Roman number
  bool leads = true;   // it is the first of its sentence, but for signs

  WordBeforeStop(std::string_view text, std::size_t begin, std::size_t end) {
    const std::string_view word = word_before(text, begin, end);
    small = lower(word);
    roman = is_roman_number(word);
    for (std::size_t at = 0; at < word.size();)
      if (const char32_t c = code_point_at(word, at); !is_format(c))
        shape += is_digit(c)       ? '0'
                 : is_full_stop(c) ? '.'
                 : is_dash(c)      ? '-'
                 : !is_letter(c)   ? '?'
                 : is_capital(c)   ? 'A'
                 : is_lower(c)     ? 'a'
                                   : 'o';
    std::size_t from = end - word.size();
    for (std::size_t before = from; before > begin && leads;) {
      const char32_t c = code_point_before(text, before);
      leads = !is_letter(c) && !is_digit(c);
    }
    for (int letters = 0; letters < 3; ++letters) {
      std::size_t stop = from;
      if (stop == begin || !is_space(code_point_before(text, stop))) break;
      if (stop == begin || text[stop - 1] != '.') break;
      const std::string_view letter = word_before(text, begin, stop - 1);
      std::size_t behind = 0;
      if (letter.empty() || !is_letter(code_point_at(letter, behind)) || behind < letter.size())
        break;
      small = lower(letter) + "." + small;
      from = stop - 1 - letter.size();
    }
  }

  bool is_number() const { return shape.find_first_not_of('0') == shape.npos; }

  // Letters with a full stop between any two: J, U.S, J.-P.
  bool is_initials() const {
    return shape == "a" || (shape.starts_with('A') && shape.find("AA") == shape.npos &&
                            shape.find_first_not_of("A.-") == shape.npos);
  }

  // One or two digits, as in "3", "-3" and "1.-3", or a Roman number.
  bool is_ordinal() const {
    const std::size_t digits = shape.find_last_not_of('0') + 1;
    const auto before = std::string_view(shape).substr(0, digits);
    return roman || (shape.size() - digits > 0 && shape.size() - digits <= 2 &&
                     (before.empty() || before == "-" || before.ends_with(".-")));
  }
};

// Stretches between East Asian brackets, in order and apart from each other.
std::vector<TextRange> bracketed(std::string_view text) {
  constexpr std::u32string_view kOpen = U"「『《〈（【", kClose = U"」』》〉）】";
  std::vector<TextRange> found;
  if (text.find('\xE3') == text.npos && text.find('\xEF') == text.npos) return found;
  std::vector<std::pair<std::size_t, std::size_t>> open;  // kinds and places
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = code_point_at(text, at);
    if (const std::size_t kind = kOpen.find(c); kind != kOpen.npos) open.emplace_back(kind, at);
    const std::size_t kind = kClose.find(c);
    if (kind == kClose.npos || open.empty() || open.back().first != kind) continue;
    while (!found.empty() && found.back().begin > open.back().second) found.pop_back();
    found.push_back({open.back().second, at});
    open.pop_back();
  }
  return found;
}

// The mark of an item of a list: a bullet, a number or a small letter with its sign, or both.
struct ItemMark {
  std::string kind;     // as "0.)" and "•a)"; empty: no mark
  int number = 0;       // of the item; 0: a bullet alone
  std::size_t end = 0;  // behind the space that follows

  ItemMark(std::string_view text, std::size_t at) : end(at) {
    std::size_t next = at;
    if (at < text.size() && is_bullet(code_point_at(text, next))) {
      kind = text.substr(at, next - at);
      end = at = next + text.substr(next).starts_with(' ');
    }
    std::size_t sign = std::min(text.find_first_not_of("0123456789", at), text.size());
    const bool digits = sign > at && sign < at + 4;
    if (!digits && (at >= text.size() || text[at] < 'a' || text[at] > 'z')) return;
    if (!digits) sign = at + 1;
    const std::size_t space = std::min(text.find(' ', sign), text.size());
    const std::string_view signs = text.substr(sign, space - sign);
    if (signs != "." && signs != ")" && signs != ".)") return;
    kind += (digits ? "0" : "a") + std::string(signs);
    number = digits ? std::stoi(std::string(text.substr(at, sign - at))) : text[at] - 'a' + 1;
    end = std::min(space + 1, text.size());
  }
};

// Items of a list in a line, as in "1) Bread 2) Milk" and in "To buy: 1. Bread, 2. Milk".
struct Items {
  std::vector<std::size_t> begins;  // places of items that are sentences
  std::vector<std::size_t> behind;  // places behind the marks of items inside of a sentence

  Items(std::string_view text, bool ordinals) {
    ItemMark last(text, 0);
    const bool sentences = !last.kind.empty() && !(ordinals && last.kind == "0.");
    if (!sentences) {
      const std::size_t colon = text.find(": 1");
      if (colon == text.npos || ItemMark(text, colon + 2).number != 1) return;
      last = ItemMark(text, colon + 2);
      behind.push_back(last.end);
    }
    for (std::size_t at = last.end; (at = text.find(' ', at)) != text.npos;) {
      const ItemMark next(text, ++at);
      if (next.kind != last.kind || next.number != last.number + (last.number > 0)) continue;
      sentences ? begins.push_back(at) : behind.push_back(next.end);
      last = next;
    }
  }
};

}  // namespace

struct SentenceSplitter::Rules {
  UBreakIterator* boundaries = nullptr;
  std::mutex one_at_a_time;  // an iterator has a place of its own
  SentenceWords words;
  bool ordinals = false, greek = false, armenian = false;

  ~Rules() { ubrk_close(boundaries); }

  std::vector<std::size_t> candidates(std::string_view text);
  bool goes_on(std::string_view text, std::size_t begin, std::size_t at,
               bool without_capitals) const;
};

std::string unknown_language(const std::string& code) {
  try {
    if (!code.empty()) return SentenceSplitter(code), "";
  } catch (const Error&) {
  }
  return "must be the ISO 639 code of a language, as de, not " + in_quotes(code);
}

SentenceSplitter::SentenceSplitter(const std::string& language) : rules_(new Rules) {
  char two[ULOC_LANG_CAPACITY] = "";
  UErrorCode error = U_ZERO_ERROR;
  uloc_getLanguage(language.c_str(), two, sizeof two, &error);  // "deu" becomes "de"
  if (U_FAILURE(error) || (!language.empty() && *uloc_getISO3Language(two) == '\0'))
    throw Error(in_quotes(language), " is no code of a language, as de or deu");
  const std::string_view code = two;
  rules_->boundaries = ubrk_open(UBRK_SENTENCE, two, nullptr, 0, &error);
  if (U_FAILURE(error)) throw Error("ICU cannot find sentences: ", u_errorName(error));
  rules_->words = sentence_words(code);
  rules_->ordinals =
      std::find(std::begin(kOrdinals), std::end(kOrdinals), code) != std::end(kOrdinals);
  rules_->greek = code == "el";
  rules_->armenian = code == "hy";
}

SentenceSplitter::~SentenceSplitter() = default;

// The places at which the next sentence may begin, in order.
std::vector<std::size_t> SentenceSplitter::Rules::candidates(std::string_view text) {
  std::vector<std::size_t> found;
  const std::lock_guard lock(one_at_a_time);
  UErrorCode error = U_ZERO_ERROR;
  UText bytes = UTEXT_INITIALIZER;
  utext_openUTF8(&bytes, text.data(), static_cast<int64_t>(text.size()), &error);
  ubrk_setUText(boundaries, &bytes, &error);
  if (U_FAILURE(error)) throw Error("ICU cannot find sentences: ", u_errorName(error));
  for (std::int32_t next = ubrk_next(boundaries); next != UBRK_DONE; next = ubrk_next(boundaries)) {
    // Unicode takes brackets that open for such that close.
    auto at = static_cast<std::size_t>(next);
    for (std::size_t before = at; before > 0 && at < text.size();) {
      const auto kind = u_charType(static_cast<UChar32>(code_point_before(text, before)));
      if (kind != U_START_PUNCTUATION && kind != U_INITIAL_PUNCTUATION) break;
      at = before;
    }
    found.push_back(at);
  }
  utext_close(&bytes);
  // Boundaries that Unicode does not know: behind a full stop where a number or, without capitals,
  // a small letter follows, and Greek's and Armenian's signs. goes_on() has the last word.
  bool ended = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = code_point_at(text, at);
    if (is_full_stop(c) || (greek && (c == ';' || c == 0x37E)) || (armenian && c == ':'))
      ended = true;
    else if (!ended) continue;
    else if (is_space(c)) {
      std::size_t next = at;
      if (at < text.size() && !is_space(code_point_at(text, next)) &&
          !closes_behind_space(text, at)) {
        found.push_back(at);
        ended = false;
      }
    } else if (!closes(c)) ended = false;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Whether the sentence that begins at `begin` goes on at `at`, which is behind white space, if any.
bool SentenceSplitter::Rules::goes_on(std::string_view text, std::size_t begin, std::size_t at,
                                      bool without_capitals) const {
  // Back over white space and closing punctuation to the character that ended it.
  std::size_t end = at;
  char32_t last = 0;
  bool line_ended = false, spaced = false, quoted = false, quoted_east = false, titled = false;
  while (end > begin) {
    std::size_t before = end;
    last = code_point_before(text, before);
    if (is_space(last))
      spaced = true, line_ended |= last == '\n' || last == 0x85 || last == 0x2028 || last == 0x2029;
    else if (closes(last)) {
      quoted |= is_quotation_mark(last);
      quoted_east |= closes_quotation(last);
      titled |= closes_title(last);
    } else if (!is_format(last)) break;
    end = before;
  }
  if (end == begin || at >= text.size()) return false;
  if (line_ended) return false;
  if (closes_behind_space(text, at) || is_punctuation(text.substr(at))) return true;
  // The first character that follows, behind opening punctuation.
  std::size_t next = at, behind = at;
  char32_t first = 0;
  while (behind < text.size() && opens(first = code_point_at(text, behind))) next = behind;
  if (!spaced && (titled || (quoted_east && goes_on_behind_quotation(first)))) return true;
  if (!without_capitals && is_lower(first)) return true;
  if (quoted && is_reference_at(text, at)) return true;
  if (!is_full_stop(last)) return false;
  // An Armenian full stop is a pause. Of those that stand apart, three are one, and four end.
  const std::string_view ended = text.substr(0, end);
  if (armenian || text.substr(next).starts_with(". ")) return true;
  if (ended.ends_with(" . . .") && !ended.ends_with(". . . .")) return true;
  code_point_before(text, end);
  const WordBeforeStop word(text, begin, end);
  if (word.small.empty()) return false;  // several full stops, or one between spaces
  if (word.is_number() && (word.leads || !spaced)) return true;  // "1. One", "1.FC"
  if (words.within.contains(word.small) || (word.leads && word.is_initials())) return true;
  if (words.before_numbers.contains(word.small) && is_number_at(text, next)) return true;
  if (!word.is_initials() && !words.either.contains(word.small) && !(ordinals && word.is_ordinal()))
    return false;
  return !words.starters.contains(lower(word_at(text, next)));
}

std::vector<TextRange> SentenceSplitter::split(std::string_view text) const {
  bool capital = false, small = false;
  for (std::size_t at = 0; at < text.size() && !capital;) {
    const char32_t c = code_point_at(text, at);
    capital = is_capital(c);
    small |= is_lower(c);
  }
  const bool without_capitals = small && !capital;
  std::vector<TextRange> sentences;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::size_t from = begin, to = end;
    for (std::size_t next = from; from < to && is_space(code_point_at(text, next)); from = next) {
    }
    for (std::size_t before = to; to > from && is_space(code_point_before(text, before));
         to = before) {
    }
    if (to > from) sentences.push_back({from, to});
    begin = end;
  };
  const Items items(text, rules_->ordinals);
  const std::vector<TextRange> brackets = bracketed(text);
  auto bracket = brackets.begin();
  std::vector<std::size_t> candidates = rules_->candidates(text);
  candidates.insert(candidates.end(), items.begins.begin(), items.begins.end());
  std::ranges::sort(candidates);
  for (const std::size_t at : candidates) {
    while (bracket != brackets.end() && bracket->end <= at) ++bracket;
    if (bracket != brackets.end() && bracket->begin < at) continue;
    if (std::ranges::binary_search(items.behind, at)) continue;
    if (std::ranges::binary_search(items.begins, at) ||
        !rules_->goes_on(text, begin, at, without_capitals))
      add(at);
  }
  add(text.size());
  return sentences;
}

bool SentenceSplitter::obviously_several(std::string_view text) const {
  const auto ends_sentence = [](char32_t c) {
    return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_S_TERM);
  };
  int ends = 0;  // of most lines there is one, which is seen faster than the sentence
  for (std::size_t at = 0; at < text.size() && ends < 2;)
    ends += ends_sentence(code_point_at(text, at));
  if (ends < 2) return false;
  const auto obvious = [&](const TextRange& r) {
    const std::string_view sentence = r.in(text);
    char32_t last = 0;
    for (std::size_t at = sentence.size(); at > 0;)
      if (!closes(last = code_point_before(sentence, at))) break;
    return ends_sentence(last) && words_of(sentence).size() > 1;
  };
  return std::ranges::count_if(split(text), obvious) > 1;
}

}  // namespace tt
