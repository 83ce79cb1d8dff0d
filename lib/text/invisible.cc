#include "text/invisible.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/formatted.h"
#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

// White space that rules of normalisation delete, as they do other controls: words would run
// together.
bool is_separator(char32_t c) { return c == U'\v' || (c >= 0x1C && c <= 0x1F); }

}  // namespace

std::string_view as_read(std::string_view text, std::string& store, std::vector<Removed>* removed) {
  const char* const end = text.data() + text.size();
  std::size_t copied = 0;  // bytes of the text
  char32_t before = 0, after = 0;
  const char* seen = text.data();  // behind `after`, which is the next visible character where `at`
                                   // has not come so far
  bool changed = false;
  const auto replace = [&](std::size_t begin, const char* behind, std::string_view by) {
    if (!changed) store.clear();
    changed = true;
    store.append(text, copied, begin - copied).append(by);
    copied = static_cast<std::size_t>(behind - text.data());
  };
  for (const char* at = text.data(); at < end;) {
    const auto begin = static_cast<std::size_t>(at - text.data());
    const char32_t c = next_code_point(at, end);
    if (!is_default_ignorable(c)) {
      before = c;
      if (is_separator(c)) replace(begin, at, " ");
      continue;
    }
    if (seen <= at)
      for (seen = at, after = 0; seen < end && (after == 0 || is_default_ignorable(after));)
        after = next_code_point(seen, end);
    if (is_needed(before, c, is_default_ignorable(after) ? 0 : after)) {
      before = c;
      continue;
    }
    replace(begin, at, "");
    if (removed) removed->push_back({store.size(), copied - begin});
  }
  if (!changed) return text;
  store.append(text, copied);
  return store;
}

void place_as_given(std::span<TextRange> ranges, std::span<const Removed> removed) {
  std::size_t b = 0, before_begin = 0, e = 0, before_end = 0;  // bytes taken out there
  for (TextRange& range : ranges) {
    for (; b < removed.size() && removed[b].at <= range.begin; ++b)
      before_begin += removed[b].bytes;
    for (; e < removed.size() && removed[e].at < range.end; ++e) before_end += removed[e].bytes;
    range.begin += before_begin;
    range.end = std::max(range.begin, range.end + before_end);
  }
}

std::string escape_invisible(std::string_view text) {
  std::string escaped;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char* const begin = at;
    if (*at >= ' ' && *at < 0x7F && *at != '\\') {
      escaped += *at++;
      continue;
    }
    bool damaged = false;
    const char32_t c = next_code_point(at, end, &damaged);
    if (damaged) {
      for (const char* byte = begin; byte < at; ++byte) {
        escaped += formatted("\\x%02X", static_cast<unsigned char>(*byte));
      }
    } else if (c == '\t' || c == '\n' || c == '\r' || c == '\\') {
      escaped += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\\\";
    } else if (is_invisible(c)) {
      escaped += formatted("\\u{%04X}", static_cast<unsigned>(c));
    } else {
      escaped.append(begin, at);
    }
  }
  return escaped;
}

std::string unescape_invisible(std::string_view text) {
  std::string original;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    constexpr std::string_view kNames = "tnr\\", kCharacters = "\t\n\r\\";
    const std::size_t named =
        rest.size() > 1 && rest[0] == '\\' ? kNames.find(rest[1]) : std::string_view::npos;
    std::size_t digits = 0;  // hexadecimal
    const bool byte = rest.starts_with("\\x"), code = rest.starts_with("\\u{");
    const std::string_view number = rest.substr(byte ? 2 : code ? 3 : rest.size());
    while (digits < number.size() && digits < (byte ? 2u : 6u) &&
           std::isxdigit(static_cast<unsigned char>(number[digits])))
      ++digits;
    unsigned value = 0;
    std::from_chars(number.data(), number.data() + digits, value, 16);
    if (named != std::string_view::npos) {
      original += kCharacters[named], i += 2;
    } else if (byte && digits == 2) {
      original += static_cast<char>(value), i += 4;
    } else if (code && digits >= 4 && number.substr(digits).starts_with('}') && value <= 0x10FFFF) {
      append_utf8(original, static_cast<char32_t>(value)), i += 4 + digits;
    } else {
      original += text[i++];
    }
  }
  return original;
}

}  // namespace tt
