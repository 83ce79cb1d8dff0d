#include "document/charset.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/unistr.h>

#include "base/error.h"

namespace tt::document {
namespace {

bool extends_ascii(const UConverter* converter, std::string_view name) {
  switch (ucnv_getType(converter)) {
    case UCNV_SBCS:
    case UCNV_LATIN_1:
    case UCNV_US_ASCII: return true;
    case UCNV_MBCS: return name.find("euc") != name.npos || name.find("EUC") != name.npos;
    default: return false;
  }
}

}  // namespace

Charset::Charset(const std::string& name, const std::string& where, const std::string& remedy) {
  UErrorCode status = U_ZERO_ERROR;
  converter_.reset(ucnv_open(name.c_str(), &status), ucnv_close);
  if (U_FAILURE(status) || name.empty())
    throw Error(where, ": unknown encoding ", in_quotes(name), "; ", remedy);
  if (ucnv_getType(converter_.get()) == UCNV_UTF8) {
    converter_.reset();
    return;
  }
  const char* const canonical = ucnv_getName(converter_.get(), &status);
  if (!extends_ascii(converter_.get(), canonical) && !extends_ascii(converter_.get(), name))
    throw Error(where, ": encoding ", in_quotes(name), " is not read; ", remedy);
  ucnv_setToUCallBack(converter_.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                      &status);
  ucnv_setFromUCallBack(converter_.get(), UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                        &status);
}

std::string Charset::decode(std::string_view bytes) const {
  if (utf8()) return std::string(bytes);
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString wide(bytes.data(), static_cast<std::int32_t>(bytes.size()),
                                converter_.get(), status);
  std::string text;
  return U_FAILURE(status) ? "\xff" : wide.toUTF8String(text);
}

std::optional<std::string> Charset::encode(std::string_view text) const {
  if (utf8()) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString wide = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  std::string bytes(static_cast<std::size_t>(wide.length()) * 4 + 1, '\0');
  const std::int32_t size =
      wide.extract(bytes.data(), static_cast<std::int32_t>(bytes.size()), converter_.get(), status);
  if (U_FAILURE(status)) return {};
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

}  // namespace tt::document
