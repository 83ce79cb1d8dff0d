#include "decode/spelling.h"

#include <algorithm>

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

// A search takes time by the square of its steps, of which each piece is one.
constexpr std::size_t kLongestPhrase = 256, kLongestVerbatim = 64;

void shorten(Terms::Phrase& phrase) {
  if (phrase.size() <= kLongestVerbatim) return;
  constexpr auto kHalf = static_cast<std::ptrdiff_t>(kLongestVerbatim / 2);
  phrase.erase(phrase.begin() + kHalf, phrase.end() - kHalf);
}

}  // namespace

const WordPieces& Spelling::words() const {
  std::call_once(words_once_, [&] {
    const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80 ? c : '\0'; };
    for (std::int32_t p = 0; p < target_.size(); ++p) {
      const std::string piece = target_.piece(p);
      words_.begins.push_back(word_goes_on("x" + piece, 1));
      words_.ends.push_back(word_goes_on(piece + "x", piece.size()));
      words_.first += piece.empty() ? '\0' : ascii(piece.front());
      words_.last += piece.empty() ? '\0' : ascii(piece.back());
    }
  });
  return words_;
}

std::vector<Terms::Phrase> Spelling::phrases(const Requirement& requirement) const {
  std::vector<Terms::Phrase> phrases;
  for (const std::string& alternative : requirement.alternatives)
    append(alternative, requirement.verbatim, phrases);
  if (requirement.verbatim)
    for (Terms::Phrase& phrase : phrases) shorten(phrase);
  std::erase_if(phrases,
                [](const Terms::Phrase& phrase) { return phrase.size() > kLongestPhrase; });
  return phrases;
}

void Spelling::append(const std::string& alternative, bool verbatim,
                      std::vector<Terms::Phrase>& phrases) const {
  const Terms::Phrase phrase = target_.encode(alternative);
  const bool known = std::ranges::find(phrase, target_.unk()) == phrase.end();
  if (phrase.empty() || (!known && !verbatim)) return;
  phrases.push_back(phrase);
  const char* at = alternative.data();
  if (!verbatim && !is_unspaced(next_code_point(at, at + alternative.size()))) return;
  const Terms::Phrase bare = behind_another(alternative);
  // If a mark alone is before the same pieces, the model knows best whether to write it.
  if (!bare.empty() && !verbatim && std::ranges::equal(std::span(phrase).subspan(1), bare))
    phrases.pop_back();
  if (!bare.empty()) phrases.push_back(bare);
  else if (const Terms::Phrase unmarked = without_mark(phrase); !unmarked.empty())
    phrases.push_back(unmarked);
}

// The pieces of a text that has no space before it; none where they depend on what is there.
Terms::Phrase Spelling::behind_another(const std::string& text) const {
  for (const char* other : {"、", "の", "("}) {
    const Terms::Phrase before = target_.encode(other);
    Terms::Phrase all = target_.encode(other + text);
    if (before.size() >= all.size() || !std::equal(before.begin(), before.end(), all.begin()))
      continue;
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before.size()));
    if (std::ranges::find(all, target_.unk()) == all.end()) return all;
  }
  return {};
}

// A phrase without the mark of a word's beginning; none where it has no mark, or no piece is
// so.
Terms::Phrase Spelling::without_mark(const Terms::Phrase& phrase) const {
  const std::string first = target_.piece(phrase[0]);
  if (!first.starts_with(kSpacePiece)) return {};
  if (first.size() == kSpacePiece.size()) return {phrase.begin() + 1, phrase.end()};
  const std::int32_t bare = target_.find(std::string_view(first).substr(kSpacePiece.size()));
  if (bare < 0) return {};
  Terms::Phrase other = phrase;
  other[0] = bare;
  return other;
}

}  // namespace tt
