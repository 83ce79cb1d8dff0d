#include "base/formatted.h"

#include <cstdarg>
#include <cstdio>

namespace tt {

std::string formatted(const char* pattern, ...) {
  std::va_list values, again;
  va_start(values, pattern);
  va_copy(again, values);
  std::string text(64, '\0');  // enough of nearly all
  const auto size =
      static_cast<std::size_t>(std::vsnprintf(text.data(), text.size() + 1, pattern, values));
  const bool whole = size <= text.size();
  text.resize(size);
  if (!whole) std::vsnprintf(text.data(), size + 1, pattern, again);
  va_end(again);
  va_end(values);
  return text;
}

std::string six_digits(double x) { return formatted("%.6g", x + 0.0); }  // no -0

}  // namespace tt
