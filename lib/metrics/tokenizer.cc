// Runs of separators. 13a, zh and intl share two rules, applied one after the other to the whole
// line, each to non-overlapping matches (D: a digit, S: a separator, x: anything but D):
//     (x)(S) -> "x S "        (S)(x) -> " S x"
// Take a run of k separators. If an x precedes it, the first rule pairs x with the 1st, the 2nd
// with the 3rd, and so on, so that all at odd positions get spaces on both sides; if a D or nothing
// precedes it, the pairs are (1st, 2nd), (3rd, 4th), ... and those at even positions do. Either way
// no two separators are adjacent any more. The second rule then finds a space after all but perhaps
// the last, and separates them too. The last one is separated if the first rule did so or if an x
// follows; otherwise it stays attached to the following digit (or the end), and to the preceding
// character only if k = 1.
#include "metrics/tokenizer.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/setting.h"
#include "base/split.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

// `with` is not longer than `what`.
void replace_all(std::string& text, std::string_view what, std::string_view with) {
  std::size_t at = text.find(what), to = at;
  while (at != text.npos) {
    to += with.copy(text.data() + to, with.size());
    const std::size_t from = at + what.size();
    at = text.find(what, from);
    const std::size_t end = std::min(at, text.size());
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(from),
              text.begin() + static_cast<std::ptrdiff_t>(end),
              text.begin() + static_cast<std::ptrdiff_t>(to));
    to += end - from;
  }
  if (to != text.npos) text.resize(to);
}

// Collects tokens: open(at) begins one unless one is open, close(at) ends it, alone(at, end) adds a
// token by itself, and put(is_alone, at, end) does either.
class Cutter {
 public:
  explicit Cutter(std::vector<std::string_view>& tokens) : tokens_(tokens) {}
  void open(const char* at) { start_ = start_ ? start_ : at; }
  void close(const char* at) {
    if (start_) tokens_.emplace_back(start_, static_cast<std::size_t>(at - start_));
    start_ = nullptr;
  }
  void alone(const char* at, const char* end) {
    close(at);
    tokens_.emplace_back(at, static_cast<std::size_t>(end - at));
  }
  void put(bool is_alone, const char* at, const char* end) { is_alone ? alone(at, end) : open(at); }

 private:
  std::vector<std::string_view>& tokens_;
  const char* start_ = nullptr;
};

enum Kind : unsigned char { kOther, kDigit, kSpace, kSymbol, kStop, kHyphen, kLead };

constexpr std::array<Kind, 256> western_kinds() {
  std::array<Kind, 256> kinds{};
  for (int c = 0; c < 256; ++c) {
    // White space or, for zh, a Chinese character may begin with kLead.
    Kind& kind = kinds[static_cast<std::size_t>(c)];
    kind = c < 0x80 && is_space(static_cast<char32_t>(c))     ? kSpace
           : c >= '0' && c <= '9'                             ? kDigit
           : is_western_symbol(static_cast<unsigned char>(c)) ? kSymbol
           : c == '.' || c == ','                             ? kStop
           : c == '-'                                         ? kHyphen
           : c == 0xC2 || c >= 0xE1                           ? kLead
                                                              : kOther;
  }
  return kinds;
}

// The characters that zh separates. In sacreBLEU two ranges beyond U+FFFF are written with only
// four digits, and mean these instead: U+2001 to U+2A6D (general punctuation, arrows, mathematics,
// ...) and U+2F81 to U+2FA1. Published scores depend on it.
bool is_chinese(char32_t c) {
  static constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3000, 0x303F},
      {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x32FF}, {0x3300, 0x33FF},
      {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
      {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};
  static_assert(std::ranges::is_sorted(kRanges));
  const auto* range = std::upper_bound(std::begin(kRanges), std::end(kRanges), c,
                                       [](char32_t x, const auto& r) { return x < r.first; });
  return range != std::begin(kRanges) && c <= (range - 1)->second;
}

// 13a and zh. 13a adds a space before and after the line, so a run is never at its start or end; zh
// does not.
template <bool kChinese>
void split_western(std::string_view text, std::vector<std::string_view>& tokens) {
  static constexpr std::array<Kind, 256> kKinds = western_kinds();
  const auto kind_of = [](char c) { return kKinds[static_cast<unsigned char>(c)]; };
  Cutter cut(tokens);
  const char *at = text.data(), *const end = at + text.size();
  bool after_digit = false, digit_or_nothing_before = kChinese;
  while (at < end) {
    switch (kind_of(*at)) {
      case kDigit:
        cut.open(at++);
        after_digit = digit_or_nothing_before = true;
        continue;
      case kOther:
        cut.open(at);
        while (++at < end && kind_of(*at) == kOther) {
        }
        break;
      case kSpace: cut.close(at++); break;
      case kSymbol: cut.alone(at, at + 1), ++at; break;
      case kHyphen:
        cut.put(after_digit, at, at + 1);
        ++at;
        break;
      case kStop: {
        const char* last = at;
        while (last + 1 < end && kind_of(last[1]) == kStop) ++last;
        const auto run = static_cast<std::size_t>(last - at) + 1;
        for (; at < last; ++at) cut.alone(at, at + 1);
        const bool digit_or_nothing_after = last + 1 < end ? kind_of(last[1]) == kDigit : kChinese;
        cut.put(last_of_run_stands_alone(run, digit_or_nothing_before, digit_or_nothing_after),
                last, last + 1);
        at = last + 1;
        break;
      }
      case kLead: {
        const char* next = at;
        const char32_t c = next_code_point(next, end);
        if (is_space(c)) cut.close(at);
        else cut.put(kChinese && is_chinese(c), at, next);
        at = next;
        break;
      }
    }
    after_digit = digit_or_nothing_before = false;
  }
  cut.close(end);
}

void split_13a(std::string_view text, std::string& buffer, std::vector<std::string_view>& tokens) {
  static constexpr std::string_view kSkipped = "<skipped>";
  if (text.find('&') != text.npos || text.find('\n') != text.npos ||
      text.find(kSkipped) != text.npos) {
    buffer.assign(text);
    replace_all(buffer, kSkipped, "");
    replace_all(buffer, "-\n", "");
    unescape_entities(buffer);
    text = buffer;
  }
  split_western<false>(text, tokens);
}

void split_zh(std::string_view text, std::string&, std::vector<std::string_view>& tokens) {
  split_western<true>(strip(text), tokens);
}

// The rules above for Unicode: separators are punctuation, digits are numbers, and symbols are
// separate tokens.
void split_intl(std::string_view text, std::string&, std::vector<std::string_view>& tokens) {
  Cutter cut(tokens);
  const char *at = text.data(), *const end = at + text.size();
  bool number_or_nothing_before = true;
  while (at < end) {
    const char *start = at, *last = at;
    char32_t c = next_code_point(at, end);
    if (is_punctuation(c)) {
      std::size_t run = 1;
      bool number_or_nothing_after = true;
      while (at < end) {
        const char* next = at;
        c = next_code_point(next, end);
        if (!is_punctuation(c)) {
          number_or_nothing_after = is_number(c);
          break;
        }
        cut.alone(last, at);
        last = at, at = next, ++run;
      }
      cut.put(last_of_run_stands_alone(run, number_or_nothing_before, number_or_nothing_after),
              last, at);
      number_or_nothing_before = false;
      continue;
    }
    number_or_nothing_before = is_number(c);
    if (is_space(c)) cut.close(start);
    else cut.put(is_symbol(c), start, at);
  }
  cut.close(end);
}

void split_char(std::string_view text, std::string&, std::vector<std::string_view>& tokens) {
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char* start = at;
    if (!is_space(next_code_point(at, end)))
      tokens.emplace_back(start, static_cast<std::size_t>(at - start));
  }
}

void split_none(std::string_view text, std::string&, std::vector<std::string_view>& tokens) {
  split_at_spaces(text, tokens);
}

// A tokenizer that is a function, and needs no file.
class Plain : public Tokenizer {
 public:
  using Split = void(std::string_view, std::string&, std::vector<std::string_view>&);
  Plain(const char* name, Split* split) : name_(name), split_(split) {}
  std::string signature() const override { return name_; }
  void split(std::string_view text, std::string& buffer,
             std::vector<std::string_view>& tokens) const override {
    tokens.clear();
    split_(text, buffer, tokens);
  }

 private:
  const char* name_;
  Split* split_;
};

}  // namespace

const std::vector<std::string>& tokenizer_names() {
  static const std::vector<std::string> names = {"13a",       "char",     "flores101", "flores200",
                                                 "intl",      "ja-mecab", "ko-mecab",  "none",
                                                 "spBLEU-1K", "spm",      "zh"};
  return names;
}

bool uses_spm_model(const std::string& tokenizer) {
  return tokenizer.starts_with("flores") || tokenizer.starts_with("sp");
}

std::string tokenizer_for(const std::string& language) {
  return language == "zh"   ? "zh"
         : language == "ja" ? "ja-mecab"
         : language == "ko" ? "ko-mecab"
                            : "13a";
}

namespace {

void check_tokenizer_name(const std::string& name) {
  const auto& names = tokenizer_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const bool is_test_set =
      name.starts_with("wmt") || name.starts_with("iwslt") || name.starts_with("mt");
  throw Error(
      "there is no tokenizer '", name, "'; the tokenizers are ", join(names, ", "),
      is_test_set ? " (a test set is a file of references here; data/wmt-sets.mk makes them)" : "");
}

}  // namespace

void check_tokenizer(const std::string& name, const TokenizerFiles& files) {
  check_tokenizer_name(name);
  if (!files.spm_model.empty() && !uses_spm_model(name))
    throw SettingError(Setting{"spm_model"},
                       " is for the tokenizers spm, flores101, flores200 and spBLEU-1K, not for ",
                       name);
  if (!files.mecab_dictionary.empty() && !name.ends_with("-mecab"))
    throw SettingError(Setting{"mecab_dictionary"},
                       " is for the tokenizers ja-mecab and ko-mecab, not for ", name);
}

std::string target_language(const std::string& pair) {
  const std::size_t hyphen = pair.find('-');
  std::string target = hyphen == pair.npos ? "" : pair.substr(hyphen + 1);
  const auto is_code = [](std::string_view code) {
    return !code.empty() && code.find_first_not_of("abcdefghijklmnopqrstuvwxyz") >= 2 &&
           code.find('-') == code.npos;
  };
  if (!is_code(pair.substr(0, hyphen)) || !is_code(target))
    throw Error("a language pair is written like en-zh, not '", pair, "'");
  return target;
}

std::unique_ptr<Tokenizer> make_tokenizer(const std::string& name, const TokenizerFiles& files) {
  check_tokenizer_name(name);
  if (uses_spm_model(name)) return make_spm_tokenizer(name, files.spm_model);
  if (name == "ja-mecab") return make_japanese_tokenizer(files.mecab_dictionary);
  if (name == "ko-mecab") return make_korean_tokenizer(files.mecab_dictionary);
  if (name == "zh") return std::make_unique<Plain>("zh", split_zh);
  if (name == "intl") return std::make_unique<Plain>("intl", split_intl);
  if (name == "char") return std::make_unique<Plain>("char", split_char);
  if (name == "none") return std::make_unique<Plain>("none", split_none);
  return std::make_unique<Plain>("13a", split_13a);
}

void split_at_spaces(std::string_view text, std::vector<std::string_view>& tokens) {
  Cutter cut(tokens);
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    if (const int space = space_length(at, end)) {
      cut.close(at);
      at += space;
    } else {
      cut.open(at++);
    }
  }
  cut.close(end);
}

void unescape_entities(std::string& text) {
  static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
  for (const auto& [entity, character] : kEntities) replace_all(text, entity, character);
}

}  // namespace tt::metrics
