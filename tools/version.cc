#include "tools/version.h"

#include <cblas.h>

// The Makefile defines both; the commit is empty where the sources were no clone of the repository.
#ifndef TT_VERSION
#define TT_VERSION "unknown"
#endif
#ifndef TT_COMMIT
#define TT_COMMIT ""
#endif

namespace tt {

std::string version_text(const std::string& name) {
  std::string text = name + " (tt) " TT_VERSION;
  text += std::string(", commit ") + (*TT_COMMIT ? TT_COMMIT : "unknown");
  text += std::string("\nBLAS: ") + openblas_get_config();
#ifdef TT_MECAB
  text += "\nMeCab: yes";
#else
  text += "\nMeCab: no";
#endif
  return text;
}

}  // namespace tt
