#include "clean/pair.h"

#include <algorithm>
#include <cstring>

#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/character.h"

namespace tt::clean {
namespace {

constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15;

struct Characters {
  const Character* basic = basic_characters().data();

  Character operator[](char32_t c) const { return c < 0x10000 ? basic[c] : character_of(c); }
};

// The words and the key of a line, as its characters come.
struct Reading {
  Side& side;
  std::uint64_t word = 0, key = 0;
  bool counts = false;         // of the word: it has letters or numbers
  bool small = false;          // the character before is a letter, and no capital
  std::size_t characters = 0;  // of the word

  void end_word() {
    if (counts) side.words.push_back(word);
    side.lone += counts && characters == 1;
    side.longest = std::max(side.longest, characters);
    word = 0, counts = small = false, characters = 0;
  }

  // Of ASCII `length` and `marks` are constants, which makes it faster.
  void add(const Character& c, std::size_t length, std::uint64_t marks) {
    side.length += length;
    word = (word ^ c.folded) * kPrime + marks;
    if (!c.in_key) return;
    key = (key ^ c.folded) * kPrime + marks;
    counts |= c.in_words;
    side.digits |= c.digit;
    side.looks |= c.look;
    side.inner_capitals += c.capital && small;
    small = c.in_words && !c.capital;
    ++characters;
  }

  void read_ascii(const Character& c) {
    if (c.kind == Kind::plain) add(c, 1, 0);
    else if (c.kind == Kind::space) end_word();
    else side.stray = true;
  }

  void read(const Character& c) {
    switch (c.kind) {
      case Kind::plain: return add(c, c.length, c.marks);
      case Kind::unspaced:
        end_word();
        add(c, c.length, c.marks);
        return end_word();
      case Kind::extending:
        side.length += c.length;
        (word == 0 && !side.words.empty() ? side.words.back() : word) += c.marks;
        key += c.marks;
        return;
      case Kind::space: return end_word();
      case Kind::stray: side.stray = true; return;
      case Kind::several:
      case Kind::ignorable: return;
    }
  }
};

// A hash of a line's digits, with the signs before them and with what stands between two of them,
// such as -5, $-5, .5, 2.5, 1:30 and "3, 5": first marks of punctuation, whatever spaces are there.
// Text behind the last digit does not matter, nor any before the last letter before the first one.
std::uint64_t hash_of_numbers(std::string_view line, const Characters& characters) {
  const auto may_be_digit = [](unsigned char c) { return c >= 128 || (c >= '0' && c <= '9'); };
  const char *const first = std::ranges::find_if(line, may_be_digit), *end = line.end(),
                    *at = first;
  while (end > first && !may_be_digit(static_cast<unsigned char>(end[-1]))) --end;
  const auto in_ascii_word = [&](char c) {
    return characters.basic[static_cast<unsigned char>(c)].in_words;
  };
  while (at > line.begin() && !in_ascii_word(at[-1])) --at;
  std::uint64_t key = 0, sign = 0;
  const auto add = [](std::uint64_t& to, std::uint64_t what) { to = (to ^ what) * kPrime; };
  bool behind_digit = false, in_word = at > line.begin();
  char32_t between = 0, before = in_word ? U'a' : 0;
  while (at < end) {
    const Character c = characters[next_code_point(at, end)];
    if (c.kind == Kind::ignorable) continue;
    const bool space = c.kind == Kind::space, mark = !space && !c.in_key;
    if (c.digit) {
      if (between != 0) add(key, between);
      if (sign != 0) add(key, sign);
      add(key, c.folded);
      behind_digit = true, between = 0;
    } else if (c.in_key) {
      behind_digit = false, between = 0;
    } else if (mark && behind_digit && between == 0) {
      between = c.folded;
    }
    // As in "-.5", behind a space or a bracket; F-16 and No.5 have hyphens and points of words.
    if (mark && !in_word && (c.folded == U'-' || (c.folded == U'.' && before != U'.')))
      add(sign, c.folded);
    else if (!c.in_key || c.in_words) sign = 0;
    if (c.kind != Kind::extending) in_word = c.in_words && c.kind != Kind::unspaced;
    before = space ? 0 : c.folded;
  }
  return key;
}

}  // namespace

std::uint64_t hash(std::uint64_t one, std::uint64_t other) {
  return mixed((one ^ kPrime) * kPrime ^ other);
}

std::uint64_t hash(std::string_view text, std::uint64_t before) {
  std::uint64_t h = before ^ text.size();
  const char* at = text.data();
  std::uint64_t eight;
  std::size_t left = text.size();
  for (; left >= sizeof eight; left -= sizeof eight, at += sizeof eight) {
    std::memcpy(&eight, at, sizeof eight);
    h = (h ^ eight) * kPrime;
    h ^= h >> 32;
  }
  eight = 0;
  std::memcpy(&eight, at, left);
  return mixed((h ^ eight) * kPrime);
}

void read_side(std::string_view line, Side& side) {
  side.length = side.lone = side.longest = side.inner_capitals = side.looks = 0;
  side.words.clear();
  side.stray = side.digits = false, side.ascii = true;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  side.text = line;
  const Characters characters;
  Reading reading{side};
  std::uint64_t low = 0, high = 0;  // of `seen`; as variables they stay in registers, as does `at`
  const char *at = line.data(), *const end = at + line.size();
  while (at < end) {
    if (const auto byte = static_cast<unsigned char>(*at); byte < 128) {
      const std::uint64_t bit = std::uint64_t{1} << (byte % 64);
      low |= byte < 64 ? bit : 0, high |= byte < 64 ? 0 : bit;
      reading.read_ascii(characters.basic[byte]);
      ++at;
      continue;
    }
    side.ascii = false;
    const char* next = at;
    const char32_t code = next_code_point(next, end);
    at = next;
    Character rare;
    const Character& c = code < 0x10000 ? characters.basic[code] : (rare = character_of(code));
    if (c.kind != Kind::several) {
      reading.read(c);
    } else {
      for (const char32_t part : fold_case(c.folded)) reading.read(characters[part]);
    }
  }
  reading.end_word();
  side.seen = {low, high};
  if (side.digits) reading.key = hash(reading.key, hash_of_numbers(line, characters));
  side.key = reading.key != 0 ? mixed(reading.key) : hash(line, 1);
}

}  // namespace tt::clean
