// Links between the words of a pair of sentences, and between their pieces: what guided alignment
// learns from.
//
// Words are those of words_of() (text/words.h), in the line as it was given, counted from 0.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

struct TokenLink {
  std::int32_t target = 0, source = 0;  // numbers of words, or of pieces
  auto operator<=>(const TokenLink&) const = default;
};

// Reads "0-0 1-2", a word of the source before one of the target. `bad` becomes the first that is
// no link, or of a word that is not there: it is left out; empty if there is none.
std::vector<TokenLink> read_links(std::string_view line, std::size_t source_words,
                                  std::size_t target_words, std::string& bad);

// The links of pieces, whose words are given: each piece of a word is linked to all pieces of the
// words that this is linked to. In order, each once. And back: of the words of linked pieces.
std::vector<TokenLink> between_pieces(std::span<const TokenLink> words,
                                      std::span<const WordRange> source,
                                      std::span<const WordRange> target);
std::vector<TokenLink> between_words(std::span<const TokenLink> pieces,
                                     std::span<const WordRange> source,
                                     std::span<const WordRange> target);

}  // namespace tt
