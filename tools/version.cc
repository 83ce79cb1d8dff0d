#include "tools/version.h"

#include <cblas.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include "cpu/cpu.h"

// The Makefile defines both; the commit is empty if the sources are not a clone of the repository.
#ifndef TT_VERSION
#define TT_VERSION "unknown"
#endif
#ifndef TT_COMMIT
#define TT_COMMIT ""
#endif

namespace tt {
namespace {

std::string text_of(void (*get)(UVersionInfo)) {
  UVersionInfo version;
  char text[U_MAX_VERSION_STRING_LENGTH];
  get(version);
  u_versionToString(version, text);
  return text;
}

}  // namespace

std::string version_text(const std::string& name) {
  std::string text = name + " (tt) " TT_VERSION;
  text += std::string(", commit ") + (*TT_COMMIT ? TT_COMMIT : "unknown");
  text += std::string("\nProducts: ") + best_product().instructions + "; bfloat16 " +
          best_paired_product().instructions + "; 8 bits " + best_int8_product().instructions;
  text += std::string("\nBLAS: ") + openblas_get_config();
  text += "\nICU: " + text_of(u_getVersion) + ", Unicode " + text_of(u_getUnicodeVersion);
#ifdef TT_MECAB
  text += "\nMeCab: yes";
#else
  text += "\nMeCab: no";
#endif
#ifdef TT_CLD2
  text += "\nlibcld2: yes";
#else
  text += "\nlibcld2: no";
#endif
  return text;
}

}  // namespace tt
