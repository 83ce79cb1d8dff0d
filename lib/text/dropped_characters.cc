#include "text/dropped_characters.h"

#include "base/unicode.h"
#include "base/utf8.h"
#include "text/invisible.h"

namespace tt {

// A copy without invisible characters is made only where one of them may be what was found.
bool DroppedCharacters::in(std::string_view line) {
  if (!found(line)) return false;
  const std::string_view text = as_read(line, store_);
  return text.data() == line.data() || found(text);
}

bool DroppedCharacters::found(std::string_view text) {
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    if (*at >= ' ' && *at <= '~') {
      ++at;
      continue;
    }
    const char* const begin = at;
    const char32_t c = next_code_point(at, end);
    if (drops(c, {begin, static_cast<std::size_t>(at - begin)})) return true;
  }
  return false;
}

bool DroppedCharacters::drops(char32_t c, std::string_view character) {
  if (c >= known_.size()) return subword_.drops(character);
  Known& known = known_[c];
  if (known == Known::no_answer)
    known = !is_space(c) && subword_.drops(character) ? Known::dropped : Known::kept;
  return known == Known::dropped;
}

}  // namespace tt
