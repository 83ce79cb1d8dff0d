#include "clean/numbers.h"

#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/agreement.h"
#include "text/placeholders.h"

namespace tt::clean {
namespace {

constexpr std::uint64_t kWritten = 12;  // numbers up to it may be words

bool separates(char32_t c) {
  return c == U',' || c == U'.' || c == U'\'' || c == U' ' || c == 0xA0 || c == 0x202F ||
         c == 0x2019 || c == 0x66C || c == 0xFF0C || c == 0xFF0E;
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

void find_numbers(const Side& side, std::vector<std::uint64_t>& numbers) {
  numbers.clear();
  const std::string_view text = side.text;
  const bool placeholders = side.may_have_placeholders();
  const char *at = text.data(), *const end = at + text.size();
  int digits = 0;          // of the number so far
  char32_t separator = 0;  // of its groups
  while (at < end) {
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
      if (digits++ == 0) numbers.push_back(0);
      numbers.back() = numbers.back() * 10 + static_cast<std::uint64_t>(value);
    } else if (digits > 0 && separates(c) && (separator == 0 ? digits <= 3 : c == separator) &&
               is_group(at, end)) {
      separator = c;
    } else {
      digits = 0, separator = 0;
    }
  }
}

}  // namespace

bool Numbers::drops(const Pair& pair) {
  if (!pair.source.digits && !pair.target.digits) return false;
  find_numbers(pair.source, source_), find_numbers(pair.target, target_);
  const std::size_t shared = 2 * take_shared(source_, target_);
  std::size_t alone = source_.size() + target_.size();
  if (source_.empty() || target_.empty())  // the other side may have them in words
    for (const auto* side : {&source_, &target_})
      alone -= static_cast<std::size_t>(
          std::count_if(side->begin(), side->end(), [](auto n) { return n <= kWritten; }));
  const auto all = static_cast<double>(shared + alone);
  return alone > 0 && static_cast<double>(shared) < share_ * all;
}

}  // namespace tt::clean
