#include "base/terminal.h"

#include <cstdlib>

#include "base/capitals.h"

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
  locale = ascii_small(locale);
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

}  // namespace tt
