// The best path of words through a line, under the costs of a MeCab dictionary.
//
// It is MeCab's search, ties included, over the words that MeCab finds in the dictionary, with
// three differences that MeCab leaves no room for. MeCab looks at each character for the end of
// those of the same kind, which takes time with the square of a line of one character: here it sees
// only as far as matters. MeCab refuses lines whose costs exceed 32 bits. And MeCab-ko lets words
// of some parts of speech cost more after white space, since Korean particles follow their noun
// without a space; the costs are in the dictionary's dicrc:
//     left-space-penalty-factor = POSID,COST,POSID,COST,...
#pragma once

#ifdef TT_MECAB

#include <mecab.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt::metrics {

using SpacePenalty = std::pair<unsigned short, long>;  // part of speech, cost

// The penalties of a dictionary. Throws Error if its dicrc cannot be read or has none.
std::vector<SpacePenalty> read_space_penalties(const std::string& folder);

// Appends the words of `text` to `words`. `boundaries`: places in `text` that no word crosses,
// ascending. `lattice` keeps what MeCab finds meanwhile. Requires a dictionary without words of
// over kWindow bytes.
void append_words(const MeCab::Model& model, std::span<const SpacePenalty> penalties,
                  std::span<const std::size_t> boundaries, std::string_view text,
                  MeCab::Lattice& lattice, std::vector<std::string_view>& words);

inline constexpr std::size_t kWindow = 1024;

}  // namespace tt::metrics

#endif
