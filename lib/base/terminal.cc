#include "base/terminal.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace tt {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool terminal_is_dumb() {
  const std::string term = environment("TERM");
  return term.empty() || term == "dumb";
}

bool locale_is_utf8() {
  std::string locale = environment("LC_ALL");
  if (locale.empty()) locale = environment("LC_CTYPE");
  if (locale.empty()) locale = environment("LANG");
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  std::transform(locale.begin(), locale.end(), locale.begin(), lower);
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

}  // namespace tt
