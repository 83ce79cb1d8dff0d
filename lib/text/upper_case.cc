#include "text/upper_case.h"

#include <set>

#include "base/capitals.h"
#include "base/random.h"
#include "base/setting.h"
#include "base/utf8.h"
#include "text/respell.h"

namespace tt {
namespace {

constexpr std::uint32_t kStream = 0x63757475;  // of random numbers

// The small letters of a subword model's pieces, and those whose capitals are unknown to it.
struct SmallLetters {
  std::size_t all = 0, lacking = 0;
  std::string first;  // some that lack
};

SmallLetters small_letters(const Subword& subword) {
  std::set<std::string> letters;
  for (int i = 0; i < subword.size(); ++i)
    if (const std::string piece = subword.piece(i); !piece.starts_with('<'))
      for (const char *at = piece.data(), *end = at + piece.size(); at < end;) {
        const char* const begin = at;
        next_code_point(at, end);
        const std::string letter(begin, at);
        if (in_capitals(letter) != letter) letters.insert(letter);
      }
  SmallLetters found;
  std::vector<std::int32_t> pieces;
  for (const std::string& letter : letters) {
    ++found.all;
    subword.encode(in_capitals(letter), pieces);
    if (has_no_unknown(subword, pieces)) continue;
    if (++found.lacking <= 10) found.first += (found.first.empty() ? "" : " ") + letter;
  }
  return found;
}

}  // namespace

bool has_character(const Subword& subword, bool (*is_it)(char32_t)) {
  for (int i = 0; i < subword.size(); ++i)
    if (const std::string piece = subword.piece(i); !piece.starts_with('<'))
      for (const char *at = piece.data(), *end = at + piece.size(); at < end;)
        if (is_it(next_code_point(at, end))) return true;
  return false;
}

bool has_capitals(const Subword& subword) { return has_character(subword, is_capital); }

UpperCase::UpperCase(const Subword& source, const Subword& target, double share, std::uint64_t seed,
                     std::int64_t max_length)
    : source_(source), target_(target), share_(share), seed_(seed), max_length_(max_length) {
  if (share <= 0) return;
  for (const auto& [subword, side] : {std::pair(&source, "source"), {&target, "target"}}) {
    const SmallLetters letters = small_letters(*subword);
    if (letters.all > 0 && !has_capitals(*subword))
      throw SettingError(Setting{"upper_case"}, " needs capitals, but the subword model of the ",
                         side, " has none; set it to 0, or train that on text with capitals");
    if (letters.lacking > 0)
      remarks_.push_back("the subword model of the " + std::string(side) +
                         " lacks the capitals of " + std::to_string(letters.lacking) + " of " +
                         std::to_string(letters.all) + " letters (" + letters.first +
                         (letters.lacking > 10 ? " ..." : "") +
                         "): pairs with these are never read in capitals");
  }
}

void UpperCase::apply(Batch& batch, std::int64_t update) const {
  if (share_ <= 0) return;
  const auto in_capitals_too = [&](const Subword& subword, const SpeltSentence& sentence,
                                   std::vector<std::int32_t>& capitals) {
    subword.encode(in_capitals(subword.decode(sentence.pieces)), capitals);
    return has_no_unknown(subword, sentence.pieces) && has_no_unknown(subword, capitals) &&
           !capitals.empty() && sentence.has_room(capitals.size(), max_length_);
  };
  respell(batch, source_, target_,
          [&](std::int64_t number, SpeltSentence& source, SpeltSentence& target) {
            Random random(
                seed_,
                static_cast<std::uint64_t>(update) << 32 | static_cast<std::uint64_t>(number),
                kStream);
            std::vector<std::int32_t> from, to;
            if (static_cast<double>(random.uniform()) < share_ &&
                in_capitals_too(source_, source, from) && in_capitals_too(target_, target, to))
              source.pieces.swap(from), target.pieces.swap(to);
          });
}

}  // namespace tt
