#include "document/line_breaks.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <memory>

#include "base/error.h"
#include "base/utf8.h"

namespace tt::document {

std::vector<std::size_t> line_breaks(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UBreakIterator, void (*)(UBreakIterator*)> iterator(
      ubrk_open(UBRK_LINE, "en", nullptr, 0, &error), ubrk_close);
  UText bytes = UTEXT_INITIALIZER;
  utext_openUTF8(&bytes, text.data(), static_cast<std::int64_t>(text.size()), &error);
  ubrk_setUText(iterator.get(), &bytes, &error);
  if (U_FAILURE(error)) throw Error("ICU cannot break lines: ", u_errorName(error));
  std::vector<std::size_t> found;
  for (std::int32_t at = ubrk_next(iterator.get()); at != UBRK_DONE; at = ubrk_next(iterator.get()))
    if (static_cast<std::size_t>(at) < text.size()) found.push_back(static_cast<std::size_t>(at));
  utext_close(&bytes);
  return found;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const auto c = static_cast<UChar32>(next_code_point(at, end));
    const auto width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    const auto kind = U_MASK(u_charType(c));
    if ((kind & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK | U_GC_CC_MASK)) != 0) continue;
    count += width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
  }
  return count;
}

}  // namespace tt::document
