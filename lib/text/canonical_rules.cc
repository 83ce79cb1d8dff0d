#include "text/canonical_rules.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/unicode.h"

namespace tt {
namespace {

using CodePoints = std::u32string;

void check(UErrorCode status) {
  if (U_FAILURE(status)) throw Error("ICU: cannot normalise: ", u_errorName(status));
}

CodePoints code_points(const UChar* text, std::int32_t size) {
  CodePoints all;
  for (std::int32_t i = 0; i < size;) {
    UChar32 c;
    U16_NEXT(text, i, size, c);
    all.push_back(static_cast<char32_t>(c));
  }
  return all;
}

CodePoints composed(const UNormalizer2* nfc, char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  UChar in[2], out[32];
  std::int32_t size = 0;
  U16_APPEND_UNSAFE(in, size, static_cast<UChar32>(c));
  size = unorm2_normalize(nfc, in, size, out, 32, &status);
  check(status);
  return code_points(out, size);
}

// All other sequences that are composed to a character.
std::vector<CodePoints> spellings(const UNormalizer2* nfc, char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  UChar out[32];
  const std::int32_t size =
      unorm2_getRawDecomposition(nfc, static_cast<UChar32>(c), out, 32, &status);
  check(status);
  const CodePoints pair = code_points(out, std::max(size, 0));
  if (pair.size() != 2) return {};
  std::vector<CodePoints> all{pair};
  for (const CodePoints& first : spellings(nfc, pair[0])) all.push_back(first + pair[1]);
  return all;
}

void put(std::string& rules, const CodePoints& from, const CodePoints& to) {
  for (const CodePoints* side : {&from, &to}) {
    for (std::size_t i = 0; i < side->size(); ++i) {
      rules += formatted("%s%X", i ? " " : "", static_cast<unsigned>((*side)[i]));
    }
    rules += side == &from ? '\t' : '\n';
  }
}

}  // namespace

std::string canonical_rules() {
  constexpr char32_t kWideSpace = 0x3000, kSpaceOfPieces = 0x2581;
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* const nfc = unorm2_getNFCInstance(&status);
  check(status);
  std::string rules;
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    const CodePoints alone(1, c);
    if (c == U' ' || (c >= 0xD800 && c <= 0xDFFF)) continue;
    if ((is_space(c) && c != kWideSpace) || c == kSpaceOfPieces) put(rules, alone, U" ");
    else if (u_charType(static_cast<UChar32>(c)) == U_CONTROL_CHAR) put(rules, alone, {});
    else if (const CodePoints to = composed(nfc, c); to != alone) put(rules, alone, to);
    else
      for (const CodePoints& from : spellings(nfc, c)) put(rules, from, alone);
  }
  return rules;
}

}  // namespace tt
