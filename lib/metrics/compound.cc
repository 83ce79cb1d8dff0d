#include "metrics/compound.h"

#include "metrics/unicode.h"

namespace tt::metrics {

std::string split_compounds(std::string_view text) {
  std::string result;
  result.reserve(text.size() + 64);
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    const char* start = at;
    const bool left = space_length(at, end) == 0;
    next_code_point(at, end);
    result.append(start, at);
    if (left && at + 1 < end && *at == '-' && space_length(at + 1, end) == 0) {
      const char* right = ++at;
      next_code_point(at, end);
      result += " ##AT##-##AT## ";
      result.append(right, at);
    }
  }
  return result;
}

}  // namespace tt::metrics
