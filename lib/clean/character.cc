#include "clean/character.h"

#include <string_view>

#include "base/capitals.h"
#include "base/unicode.h"

namespace tt::clean {
namespace {

// They tell flags of regions apart.
bool is_tag(char32_t c) { return c >= 0xE0020 && c <= 0xE007F; }

// Signs that Unicode has among the punctuation, and people read as words.
bool is_read(char32_t c) {
  constexpr std::u32string_view kSigns = U"#%&@\u00A7\u066A\u2030\u2031";
  return kSigns.find(c) != kSigns.npos;
}

// Hyphens and dashes that stand for a minus sign, and it for them, and an apostrophe; letters and
// symbols are themselves.
char32_t plain(char32_t c) {
  if ((c >= 0x2010 && c <= 0x2013) || c == 0x2212 || c == 0xFE63) return U'-';
  return c == 0x2019 ? U'\'' : c;
}

bool is_kana(char32_t c) { return (c >= 0x3041 && c <= 0x30FF) || (c >= 0xFF66 && c <= 0xFF9F); }

// The middle dots of Japanese stand inside words, and between digits.
bool is_dot(char32_t c) { return c == 0x30FB || c == 0xFF65; }

std::uint8_t look_of(char32_t c) {
  constexpr std::u32string_view kLikeLatin = U"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο";  // as mu and pi do not
  if (c >= 0x400 && c < 0x530) return 4;
  if (kLikeLatin.find(c) != kLikeLatin.npos) return 2;
  return is_letter(c) && c != 0xB5 && (c < 0x250 || (c >= 0x1E00 && c < 0x1F00));
}

// The two stand for quotation marks.
bool is_accent(char32_t c) { return c == U'`' || c == 0xB4; }

}  // namespace

Character character_of(char32_t c) {
  const auto unread = [&](Kind kind) {
    return Character{kind, 0, false, false, false, false, 0, c, 0};
  };
  if (c != U'\t' && is_stray(c)) return unread(Kind::stray);
  if (is_space(c)) return unread(Kind::space);
  if (is_tag(c)) return {Kind::extending, 0, false, true, false, false, 0, c, mixed(c)};
  if (is_default_ignorable(c)) return unread(Kind::ignorable);

  std::uint64_t marks = 0;
  std::u32string rest;
  for (const char32_t part : fold_case(c)) {
    if (is_combining(part)) marks += mixed(part);
    else rest += part;
  }
  // Full-width forms of ASCII are written with spaces as ASCII is, or inside one word of it.
  const bool wide = c >= 0xFF01 && c <= 0xFF5E;
  const char32_t first = rest.empty() ? c : rest[0], like = plain(wide ? c - 0xFEE0 : first);
  const bool in_words = is_letter(like) || is_mark(like) || is_number(like);
  const bool in_key = in_words || (is_symbol(like) && !is_accent(like)) || is_read(like);
  const bool unspaced = is_unspaced(c) && !wide;
  Character made{
      Kind::plain, !unspaced ? std::uint8_t{1} : is_kana(c) ? std::uint8_t{2} : std::uint8_t{3},
      in_words,    in_key,
      is_digit(c), is_capital(c),
      look_of(c),  in_key ? first : like,
      marks};
  if (rest.size() > 1) made.kind = Kind::several, made.folded = c, made.length = 0;
  else if (rest.empty()) made.kind = Kind::extending;
  else if (unspaced && is_extender(c)) made.kind = Kind::extending, made.marks += mixed(first);
  else if (unspaced && !is_number(c) && !is_dot(c)) made.kind = Kind::unspaced;
  return made;
}

const std::vector<Character>& basic_characters() {
  static const auto all = [] {
    std::vector<Character> made;
    for (char32_t c = 0; c < 0x10000; ++c) made.push_back(character_of(c));
    return made;
  }();
  return all;
}

}  // namespace tt::clean
