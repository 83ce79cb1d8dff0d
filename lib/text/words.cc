#include "text/words.h"

#include "base/utf8.h"

namespace tt {

bool is_unspaced(char32_t c) {
  return (c >= 0x3001 && c <= 0x30FF) || (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF01 && c <= 0xFF9F) ||
         (c >= 0x20000 && c <= 0x2FA1F);
}

std::vector<TextRange> words_of(std::string_view text) {
  std::vector<TextRange> words;
  const char *at = text.data(), *const end = text.data() + text.size();
  bool inside = false;  // of a word that may go on
  while (at < end) {
    const auto begin = static_cast<std::size_t>(at - text.data());
    const char32_t c = next_code_point(at, end);
    const auto behind = static_cast<std::size_t>(at - text.data());
    const bool space = c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x3000 || c == 0x2028 || c == 0x2029 ||
                       (c >= 0x2000 && c <= 0x200A);
    if (!space && inside && !is_unspaced(c)) words.back().end = behind;
    else if (!space) words.push_back({begin, behind});
    inside = !space && !is_unspaced(c);
  }
  return words;
}

}  // namespace tt
