#include "text/sentences.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/utext.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/utf8.h"

namespace tt {
namespace {

// Abbreviations behind which a sentence goes on, in small letters and without their full stop;
// those that often end a sentence, as "etc.", and those that are words as well, are not among them.
// The first list holds for all languages.
struct Abbreviations {
  std::string_view language, words;
};
constexpr Abbreviations kAbbreviations[] = {
    {"", "dr prof st mr mrs ms vs cf ca approx"},
    {"en", "messrs capt lt sgt gov hon rev jr mt e.g i.e viz dept"},
    {"de",
     "z.b d.h u.a i.d.r bzw sog hr fr frl ing dipl bspw evtl ggf inkl exkl zzgl vgl s.o s.u o.ä "
     "mio "
     "mrd geb gest v.chr n.chr ev kath"},
    {"fr", "mm mme mmes mlle mlles mgr p.ex bd éd"},
    {"es", "sr sra srta sres dña ud uds vd vds dto dcha izq ee.uu p.ej aprox avda"},
    {"it", "sig sigg sig.ra dott dott.ssa avv ecc p.es"},
    {"pt", "sr sra srs sras exmo exma eng dra prof.a p.ex"},
    {"nl", "dhr mevr mw drs bijv d.w.z o.a m.b.t i.p.v blz t.a.v"},
    {"cs", "např tj tzv mudr judr ing mgr bc"},
    {"pl", "np tj tzw mgr inż ul tys mln mld"},
    {"ru", "г гг ул д т.е т.д т.п т.к др см стр руб коп тыс млн млрд проф акад им н.э"},
    {"sv", "t.ex bl.a d.v.s resp kl"},
    {"el", "π.χ δηλ βλ αρ σελ"},
};
// Abbreviations where a number follows.
constexpr std::string_view kBeforeNumbers =
    "no nos nr nrn vol fig figs art p pp pg pág págs núm num n° abs kap chap chapt sec sect ch str "
    "č tel max min "
    "jan feb mar mär apr jun jul aug sep sept oct okt nov dec dez st lt ed bd blz sid стр рис гл";
// Languages whose ordinals are digits and a full stop.
constexpr std::string_view kOrdinals[] = {"de", "cs", "da", "et", "fi", "hr", "hu", "is", "lb",
                                          "lv", "nb", "nn", "no", "bs", "sk", "sl", "sr", "tr"};

std::vector<std::string_view> split_at_spaces(std::string_view text) {
  std::vector<std::string_view> words;
  for (const TextRange& r : words_of(text)) words.push_back(text.substr(r.begin, r.end - r.begin));
  return words;
}

char32_t code_point_before(std::string_view text, std::size_t& at) {
  do --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  const char* here = text.data() + at;
  return next_code_point(here, text.data() + text.size());
}

char32_t code_point_at(std::string_view text, std::size_t& at) {
  const char* here = text.data() + at;
  const char32_t c = next_code_point(here, text.data() + text.size());
  at = static_cast<std::size_t>(here - text.data());
  return c;
}

// As words_of() has it: the separators of ASCII are among them.
bool is_white(char32_t c) {
  return u_isUWhiteSpace(static_cast<UChar32>(c)) || (c >= 0x1C && c <= 0x1F);
}
bool is_letter(char32_t c) { return u_isalpha(static_cast<UChar32>(c)); }
bool is_digit(char32_t c) { return u_isdigit(static_cast<UChar32>(c)); }
bool is_upper(char32_t c) {
  return u_isupper(static_cast<UChar32>(c)) || u_istitle(static_cast<UChar32>(c));
}
bool is_lower(char32_t c) { return u_islower(static_cast<UChar32>(c)); }
bool is_full_stop(char32_t c) { return c == '.' || c == 0x2024 || c == 0xFF0E; }
bool opens_quotation(char32_t c) { return c == 0x300C || c == 0x300E; }   // 「 『
bool closes_quotation(char32_t c) { return c == 0x300D || c == 0x300F; }  // 」 』
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
  return at >= text.size() || is_white(code_point_at(text, at));
}

// A particle or a comma behind a quotation: the sentence that quotes goes on.
bool goes_on_behind_quotation(char32_t c) {
  return std::u32string_view(U"とっなはがをにもので、，").find(c) != std::u32string_view::npos;
}

std::string lower(std::string_view word) {
  std::string text;
  for (std::size_t at = 0; at < word.size();)
    append_utf8(text,
                static_cast<char32_t>(u_tolower(static_cast<UChar32>(code_point_at(word, at)))));
  return text;
}

}  // namespace

struct SentenceSplitter::Rules {
  UBreakIterator* boundaries = nullptr;
  std::mutex one_at_a_time;  // an iterator has a place of its own
  std::set<std::string, std::less<>> abbreviations;
  std::set<std::string, std::less<>> before_numbers;
  bool ordinals = false, greek = false;

  ~Rules() { ubrk_close(boundaries); }

  std::vector<std::size_t> candidates(std::string_view text);
  bool goes_on(std::string_view text, std::size_t begin, std::size_t at,
               bool without_capitals) const;
};

SentenceSplitter::SentenceSplitter(const std::string& language) : rules_(new Rules) {
  char two[ULOC_LANG_CAPACITY] = "";
  UErrorCode error = U_ZERO_ERROR;
  uloc_getLanguage(language.c_str(), two, sizeof two, &error);  // "deu" becomes "de"
  if (U_FAILURE(error) || (!language.empty() && *uloc_getISO3Language(two) == '\0'))
    throw Error(in_quotes(language), " is no code of a language, as de or deu");
  const std::string_view code = two;
  rules_->boundaries = ubrk_open(UBRK_SENTENCE, two, nullptr, 0, &error);
  if (U_FAILURE(error)) throw Error("ICU cannot find sentences: ", u_errorName(error));
  for (const auto& [of, words] : kAbbreviations)
    if (of.empty() || of == code)
      for (const std::string_view word : split_at_spaces(words))
        rules_->abbreviations.emplace(word);
  for (const std::string_view word : split_at_spaces(kBeforeNumbers))
    rules_->before_numbers.emplace(word);
  rules_->ordinals =
      std::find(std::begin(kOrdinals), std::end(kOrdinals), code) != std::end(kOrdinals);
  rules_->greek = code == "el";
}

SentenceSplitter::~SentenceSplitter() = default;

// Where the next sentence may begin, in order.
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
  // a small letter follows, and Greek's question mark. goes_on() has the last word.
  bool ended = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = code_point_at(text, at);
    if (is_full_stop(c) || (greek && (c == ';' || c == 0x37E))) ended = true;
    else if (is_white(c)) {
      std::size_t next = at;
      if (ended && at < text.size() && !is_white(code_point_at(text, next)) &&
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
  bool line_ended = false, quotation_closed = false, spaced = false;
  while (end > begin) {
    std::size_t before = end;
    last = code_point_before(text, before);
    if (is_white(last))
      spaced = true, line_ended |= last == '\n' || last == 0x85 || last == 0x2028 || last == 0x2029;
    else if (closes(last)) quotation_closed |= closes_quotation(last);
    else break;
    end = before;
  }
  if (end == begin || at >= text.size()) return false;
  if (line_ended) return false;
  if (closes_behind_space(text, at)) return true;
  // The first character that follows, behind opening punctuation.
  std::size_t next = at;
  char32_t first = 0;
  while (next < text.size() && opens(first = code_point_at(text, next))) {
  }
  if (quotation_closed && !spaced && goes_on_behind_quotation(first)) return true;
  if (!without_capitals && is_lower(first)) return true;
  if (!is_full_stop(last)) return false;
  // The word before the full stop.
  std::size_t stop = end;
  code_point_before(text, stop);
  std::size_t from = stop;
  while (from > begin) {
    std::size_t before = from;
    const char32_t c = code_point_before(text, before);
    if (is_white(c) || opens(c)) break;
    from = before;
  }
  const std::string_view word = text.substr(from, stop - from);
  if (word.empty()) return false;  // a full stop between spaces, or several
  std::size_t letters = 0, digits = 0, others = 0;
  for (std::size_t i = 0; i < word.size();) {
    const char32_t c = code_point_at(word, i);
    if (is_letter(c)) ++letters;
    else if (is_digit(c)) ++digits;
    else ++others;
  }
  const bool alone = from <= begin;  // "1." or "a." of a list
  if (digits > 0 && letters == 0 && others == 0) return alone || (ordinals && digits <= 2);
  if (letters == 1 && digits == 0 && others == 0) {
    std::size_t i = 0;
    return alone || u_hasBinaryProperty(static_cast<UChar32>(code_point_at(word, i)), UCHAR_CASED);
  }
  const std::string small = lower(word);
  return abbreviations.contains(small) || (is_digit(first) && before_numbers.contains(small));
}

std::vector<TextRange> SentenceSplitter::split(std::string_view text) const {
  bool capital = false, small = false;
  for (std::size_t at = 0; at < text.size() && !capital;) {
    const char32_t c = code_point_at(text, at);
    capital = is_upper(c);
    small |= is_lower(c);
  }
  const bool without_capitals = small && !capital;
  std::vector<TextRange> sentences;
  std::size_t begin = 0, seen = 0, open = 0;
  const auto add = [&](std::size_t end) {
    std::size_t from = begin, to = end;
    for (std::size_t next = from; from < to && is_white(code_point_at(text, next)); from = next) {
    }
    for (std::size_t before = to; to > from && is_white(code_point_before(text, before));
         to = before) {
    }
    if (to > from) sentences.push_back({from, to});
    begin = end;
  };
  const std::size_t closed = text.rfind("」");
  for (const std::size_t at : rules_->candidates(text)) {
    while (seen < at) {
      const char32_t c = code_point_at(text, seen);
      if (opens_quotation(c)) ++open;
      else if (closes_quotation(c) && open > 0) --open;
    }
    if (open > 0 && at < text.size() && closed != text.npos && closed >= at) continue;
    if (!rules_->goes_on(text, begin, at, without_capitals)) add(at);
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
    const std::string_view sentence = text.substr(r.begin, r.end - r.begin);
    char32_t last = 0;
    for (std::size_t at = sentence.size(); at > 0;)
      if (!closes(last = code_point_before(sentence, at))) break;
    return ends_sentence(last) && words_of(sentence).size() > 1;
  };
  return std::ranges::count_if(split(text), obvious) > 1;
}

}  // namespace tt
