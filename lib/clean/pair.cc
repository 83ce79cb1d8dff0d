#include "clean/pair.h"

#include <cstring>

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt::clean {
namespace {

constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15;

// The last steps of MurmurHash3.
std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD;
  h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53;
  return h ^ h >> 33;
}

enum class Kind : std::uint8_t { word, mark, space, unspaced, ignorable, stray };

struct Class {
  Kind kind;
  bool counts;  // in the key: letters, their marks, numbers
  bool digit;
  char32_t folded;
};

Class class_of(char32_t c) {
  if (c == U'\t') return {Kind::space, false, false, c};
  if (is_stray(c)) return {Kind::stray, false, false, c};
  if (is_space(c)) return {Kind::space, false, false, c};
  if (is_default_ignorable(c)) return {Kind::ignorable, false, false, c};
  const bool counts = is_letter(c) || is_mark(c) || is_number(c);
  const Kind kind = is_unspaced(c) ? Kind::unspaced : counts ? Kind::word : Kind::mark;
  return {kind, counts, is_digit(c), fold_case(c)};
}

// Of all characters of two bytes: asking for each takes longer than all the rest.
const Class& known_class(char32_t c) {
  static const auto classes = [] {
    std::vector<Class> all;
    for (char32_t i = 0; i < 0x10000; ++i) all.push_back(class_of(i));
    return all;
  }();
  return classes[c];
}

// The words and the key of a line, as its characters come.
struct Reading {
  Side& side;
  std::uint64_t word = 0, key = 0;
  bool counts = false;  // of the word: it has letters or numbers

  void end_word() {
    if (counts) side.words.push_back(word);
    word = 0, counts = false;
  }

  void read(const Class& c) {
    if (c.kind > Kind::mark) return read_rare(c);
    ++side.length;
    word = (word ^ c.folded) * kPrime;
    if (!c.counts) return;
    key = (key ^ c.folded) * kPrime;
    counts = true;
    side.digits |= c.digit;
  }

  void read_rare(const Class& c) {
    if (c.kind == Kind::stray) side.stray = true;
    if (c.kind == Kind::space) end_word();
    if (c.kind != Kind::unspaced) return;
    end_word();
    side.length += 3;
    word = (word ^ c.folded) * kPrime;
    side.digits |= c.digit;
    if (c.counts) key = (key ^ c.folded) * kPrime, counts = true;
    end_word();
  }
};

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
  side.length = 0, side.words.clear(), side.seen = {};
  side.stray = side.digits = false, side.ascii = true;
  const auto around = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty() && around(line.front())) line.remove_prefix(1);
  while (!line.empty() && around(line.back())) line.remove_suffix(1);
  side.text = line;
  Reading reading{side};
  const Class* const known = &known_class(0);
  const char *at = line.data(), *const end = at + line.size();
  while (at < end) {
    if (const auto byte = static_cast<unsigned char>(*at); byte < 128) {
      side.seen[byte / 64] |= std::uint64_t{1} << (byte % 64);
      reading.read(known[byte]);
      ++at;
      continue;
    }
    side.ascii = false;
    const char32_t c = next_code_point(at, end);
    if (c < 0x10000) reading.read(known[c]);
    else reading.read(class_of(c));
  }
  reading.end_word();
  side.key = reading.key != 0 ? mixed(reading.key) : hash(line, 1);
}

}  // namespace tt::clean
