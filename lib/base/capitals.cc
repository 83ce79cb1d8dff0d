#include "base/capitals.h"

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>

#include <cstdint>
#include <limits>

#include "base/error.h"
#include "base/report.h"

namespace tt {
namespace {

UChar32 code(char32_t c) { return static_cast<UChar32>(c); }

}  // namespace

bool is_capital(char32_t c) {
  return (U_MASK(u_charType(code(c))) & (U_GC_LU_MASK | U_GC_LT_MASK)) != 0;
}
char32_t small_letter(char32_t c) { return static_cast<char32_t>(u_tolower(code(c))); }
char32_t title_letter(char32_t c) { return static_cast<char32_t>(u_totitle(code(c))); }

std::string in_capitals(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > std::numeric_limits<std::int32_t>::max() / 3)
    throw Error("a line of ", human_bytes(text.size()), " is too long for capitals");
  std::string capitals(3 * text.size(), '\0');
  UErrorCode status = U_ZERO_ERROR;
  UCaseMap* const map = ucasemap_open("", 0, &status);
  const std::int32_t size =
      ucasemap_utf8ToUpper(map, capitals.data(), static_cast<std::int32_t>(capitals.size()),
                           text.data(), static_cast<std::int32_t>(text.size()), &status);
  ucasemap_close(map);
  TT_CHECK(U_SUCCESS(status));
  capitals.resize(static_cast<std::size_t>(size));
  return capitals;
}

std::string ascii_small(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace tt
