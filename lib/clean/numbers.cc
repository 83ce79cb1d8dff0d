#include "clean/numbers.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/agreement.h"
#include "text/kept.h"
#include "text/placeholders.h"

namespace tt::clean {
namespace {

constexpr std::uint64_t kWritten = 12;  // numbers up to it may be words

bool separates(char32_t c) {
  return c == U',' || c == U'.' || c == U'\'' || c == U' ' || c == 0xA0 || c == 0x202F ||
         c == 0x2019 || c == 0x66C || c == 0x30FB || c == 0xFF0C || c == 0xFF0E;
}

int value_of(char32_t c) {
  return c < 128 ? (c >= U'0' && c <= U'9' ? static_cast<int>(c) - '0' : -1) : digit_value(c);
}

// Whether just three digits stand at a place.
bool is_group(const char* at, const char* end) {
  int digits = 0;
  while (at < end && digits < 4 && value_of(next_code_point(at, end)) >= 0) ++digits;
  return digits == 3;
}

// Words for zeros, and how such begin in languages that have endings.
bool has_word_for_zeros(std::string_view text) {
  constexpr std::string_view kWords[] = {
      "hundr",   "hundert", "thousand", "tausend",  "tusen",   "duizend",  "mille",  "mil ",
      "mila",    "tisíc",   "tysi",     "тысяч",    "тыс.",    "тисяч",    "χιλι",   "bin ",
      "lakh",    "crore",   "million",  "milion",   "millón",  "millones", "milhão", "milhões",
      "miljo",   "mio",     "mln",      "млн",      "миллион", "мільйон",  "εκατ",   "milyon",
      "billion", "millard", "milliard", "miliard",  "mrd",     "mld",      "млрд",   "миллиард",
      "мільярд", "δισε",    "milyar",   "trillion", "百",      "千",       "万",     "萬",
      "億",      "亿",      "兆",       "천",       "만",      "억"};
  const std::string small = ascii_small(text.substr(0, 24));
  const std::size_t at = small.find_first_not_of(" -");
  return at != small.npos && std::ranges::any_of(kWords, [&](std::string_view word) {
           return std::string_view(small).substr(at).starts_with(word);
         });
}

bool is_afternoon(std::string_view before, std::string_view behind) {
  behind.remove_prefix(std::min(behind.find_first_not_of(" :0123456789."), behind.size()));
  return before.ends_with("午後") || before.ends_with("午后") || before.ends_with("下午") ||
         ascii_small(behind.substr(0, 3)) == "p.m" || ascii_small(behind.substr(0, 2)) == "pm";
}

// "half past two" is "halb drei".
bool has_word_for_half(std::string_view text) {
  const std::string small = ascii_small(text);
  return std::ranges::any_of(
      std::initializer_list<const char*>{"hal", "demi", "medi", "mezz", "半"},
      [&](const char* half) { return small.find(half) != small.npos; });
}

std::uint64_t without_zeros(std::uint64_t n) {
  while (n > 0 && n % 10 == 0) n /= 10;
  return n;
}

}  // namespace

void Numbers::find(const Side& side, std::vector<Number>& numbers) {
  numbers.clear();
  const std::string_view text = side.text;
  const bool placeholders = side.may_have_placeholders();
  const char *at = text.data(), *const end = at + text.size();
  int digits = 0;          // of the number so far
  char32_t separator = 0;  // of its groups
  while (at < end) {
    const char* const here = at;
    const auto begin = static_cast<std::size_t>(at - text.data());
    if (const std::size_t behind = placeholders ? placeholder_end(text, begin) : 0;
        behind > begin) {
      at = text.data() + behind;
      digits = 0, separator = 0;
      continue;
    }
    const char32_t c = static_cast<unsigned char>(*at) < 128 ? static_cast<unsigned char>(*at++)
                                                             : next_code_point(at, end);
    if (const int value = value_of(c); value >= 0) {
      if (digits++ == 0) numbers.push_back({0, here, at});
      numbers.back().value = numbers.back().value * 10 + static_cast<std::uint64_t>(value);
      numbers.back().end = at;
    } else if (digits > 0 && separates(c) && (separator == 0 ? digits <= 3 : c == separator) &&
               is_group(at, end)) {
      separator = c;
    } else {
      digits = 0, separator = 0;
    }
  }
}

// Makes one number of those that a word for zeros makes one: 2.9 million, and 1億7500万.
void Numbers::join(std::vector<Number>& numbers, const char* end) {
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    Number &one = numbers[i - 1], &next = numbers[i];
    const std::string_view between(one.end, next.begin), behind(next.end, end);
    std::uint64_t power = 0;
    if ((between == "." || between == ",") && next.value < 1000 && has_word_for_zeros(behind)) {
      power = 1;
      for (const char c : std::string_view(next.begin, next.end))
        power *= begins_character(c) ? 10 : 1;
    }
    if (between == "億" || between == "亿" || between == "万" || between == "萬") power = 10000;
    if (power == 0) continue;
    one = {one.value * power + next.value, one.begin, next.end};
    numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

// Finds the numbers of both sides again, and takes out those that the other one has otherwise, and
// those of names. How many both have is returned.
std::size_t Numbers::take_alike(const Pair& pair) {
  const auto begin = [](const Side& side) { return side.text.data(); };
  const auto end = [](const Side& side) { return side.text.data() + side.text.size(); };
  find(pair.source, source_), find(pair.target, target_);
  join(source_, end(pair.source)), join(target_, end(pair.target));
  std::size_t taken = 2 * take_shared(source_, target_);
  std::erase_if(source_, [&](const Number& s) {
    const auto alike = std::ranges::find_if(target_, [&](const Number& t) {
      const auto is = [&](const Number& a, const Side& on, const Number& b) {
        const std::string_view before(begin(on), a.begin), behind(a.end, end(on));
        return (a.value <= kWritten && b.value == a.value + 12 && is_afternoon(before, behind)) ||
               (a.value >= 1800 && a.value < 2100 && a.value % 100 == b.value) ||
               (has_word_for_zeros(behind) && without_zeros(a.value) == without_zeros(b.value));
      };
      return is(s, pair.source, t) || is(t, pair.target, s);
    });
    if (alike == target_.end()) return false;
    target_.erase(alike);
    taken += 2;
    return true;
  });
  const auto spelled_or_of_name = [&](std::vector<Number>& numbers, const Side& side,
                                      const Side& other) {
    std::string text(side.text);
    const auto addresses = numbers.empty() ? std::vector<TextRange>()
                                           : find_kept(text, {.urls = true, .emails = true});
    std::erase_if(numbers, [&](const Number& n) {
      const auto at = static_cast<std::size_t>(n.begin - begin(side));
      if (std::ranges::any_of(addresses, [&](TextRange r) { return r.begin <= at && at < r.end; }))
        return true;
      std::string_view name(begin(side), n.begin);
      if (n.value == 30 && name.ends_with(':') && has_word_for_half(other.text))
        return taken += 2, true;
      if (name.ends_with('-')) name.remove_suffix(1);
      const int last = name.empty() ? 0 : name.back() | 0x20;
      if (last >= 'a' && last <= 'z') return true;
      const bool spelled = spelled_.has(other.text, n.value);
      taken += spelled ? 2 : 0;
      return spelled;
    });
  };
  spelled_or_of_name(source_, pair.source, pair.target);
  spelled_or_of_name(target_, pair.target, pair.source);
  return taken;
}

bool Numbers::drops(const Pair& pair) {
  if (!pair.source.digits && !pair.target.digits) return false;
  find(pair.source, source_), find(pair.target, target_);
  std::size_t shared = 2 * take_shared(source_, target_);
  const auto too_few = [&] {
    std::size_t alone = source_.size() + target_.size();
    if (source_.empty() || target_.empty())  // the other side may have them in words
      for (const auto* side : {&source_, &target_})
        alone -= static_cast<std::size_t>(std::count_if(
            side->begin(), side->end(), [](const Number& n) { return n.value <= kWritten; }));
    const auto all = static_cast<double>(shared + alone);
    return alone > 0 && static_cast<double>(shared) < share_ * all;
  };
  if (!too_few()) return false;  // as nearly always
  shared = take_alike(pair);
  return too_few();
}

}  // namespace tt::clean
