#include "base/bytes.h"

namespace tt {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += at + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;  // bits of these
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>(bits >> held & 255));
  }
  return bytes;
}

void check_downloaded(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("version https://git-lfs"))
    throw Error(path,
                ": is a pointer of Git LFS in place of the file; fetch that with \"git lfs pull\"");
  const std::size_t text = bytes.find_first_not_of(" \t\r\n");
  if (text != std::string_view::npos &&
      (bytes.substr(text).starts_with("<!") || bytes.substr(text).starts_with("<h")))
    throw Error(path, ": is a web page in place of the file; download it again");
}

}  // namespace tt
