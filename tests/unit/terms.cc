// Terms in a translation, against a reading of their definition that looks at all of them for every
// token.
#include "decode/terms.h"

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace tt {
namespace {

using Words = Terms::Phrase;
using TermList = std::vector<std::vector<Words>>;

struct Reading {
  std::vector<std::size_t> ends, lengths;
  std::size_t met = 0;
  int pieces = 0;
  Words next;
};

// Whether the last of `tokens`, none before `free`, are the first n of a phrase.
bool ends_with(const Words& tokens, std::size_t free, const Words& phrase, std::size_t n,
               const WordPieces* words) {
  if (tokens.size() < free + n) return false;
  const std::size_t begin = tokens.size() - n;
  if (words && begin > 0 && words->glued(tokens[begin - 1], phrase[0])) return false;
  return std::equal(phrase.begin(), phrase.begin() + static_cast<std::ptrdiff_t>(n),
                    tokens.begin() + static_cast<std::ptrdiff_t>(begin));
}

Reading read(const Words& all, const TermList& terms, const WordPieces* words) {
  Reading r;
  r.ends.resize(terms.size());
  r.lengths.resize(terms.size());
  const auto free = [&] { return terms.empty() ? 0 : std::ranges::max(r.ends); };
  Words tokens;
  for (const std::int32_t piece : all) {
    if (words && !tokens.empty() && free() == tokens.size() && words->joined(tokens.back(), piece))
      for (std::size_t& end : r.ends)
        if (end == tokens.size()) end = 0;
    tokens.push_back(piece);
    for (std::size_t t = 0; t < terms.size() && free() < tokens.size(); ++t) {
      if (r.ends[t] > 0) continue;
      std::size_t longest = 0;
      for (const Words& phrase : terms[t])
        if (ends_with(tokens, free(), phrase, phrase.size(), words))
          longest = std::max(longest, phrase.size());
      if (longest > 0) r.ends[t] = tokens.size(), r.lengths[t] = longest;
    }
  }
  std::set<std::int32_t> next;
  std::size_t begun = 0;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (r.ends[t] == 0) r.lengths[t] = 0;
    r.met += r.ends[t] > 0;
    r.pieces += static_cast<int>(r.lengths[t]);
    if (r.ends[t] > 0) continue;
    for (const Words& phrase : terms[t])
      for (std::size_t n = 0; n < phrase.size(); ++n)
        if (ends_with(tokens, free(), phrase, n, words))
          next.insert(phrase[n]), begun = std::max(begun, n);
  }
  r.pieces += static_cast<int>(begun);
  r.next.assign(next.begin(), next.end());
  return r;
}

}  // namespace

TEST_CASE("terms are met as their definition says, token by token") {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<std::int32_t>(random() % n); };
  std::size_t taken_back = 0, together = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto pieces = static_cast<unsigned>(2 + below(4));
    WordPieces words;
    for (unsigned p = 0; p < pieces; ++p) {
      words.begins.push_back(below(3) == 0);
      words.ends.push_back(below(3) == 0);
      words.first += "\0009-h."[below(5)];
      words.last += "\0009-h."[below(5)];
    }
    const WordPieces* const given = below(3) == 0 ? nullptr : &words;
    const auto phrase = [&](int most) {
      Words w(static_cast<std::size_t>(1 + below(static_cast<unsigned>(most))));
      for (std::int32_t& piece : w) piece = below(pieces);
      return w;
    };
    TermList list(static_cast<std::size_t>(1 + below(5)));
    for (auto& alternatives : list)
      for (int n = 1 + below(3); n > 0; --n) alternatives.push_back(phrase(4));
    const Terms terms(list, given);
    Words tokens;
    auto progress = terms.begin();
    std::size_t met = 0;
    for (int n = 0; n < 12; ++n) {
      for (std::int32_t piece = 0; piece < static_cast<std::int32_t>(pieces); ++piece) {
        Words longer = tokens;
        longer.push_back(piece);
        const Reading naive = read(longer, list, given);
        const Fulfilment with = terms.fulfilment_with(progress, tokens, piece);
        REQUIRE(with.rank == naive.pieces);
        REQUIRE(with.met == naive.met);
      }
      tokens.push_back(below(pieces));
      progress = terms.advance(progress, tokens);
      const auto& p = static_cast<const Terms::Progress&>(*progress);
      const Reading naive = read(tokens, list, given);
      REQUIRE(p.ends == naive.ends);
      REQUIRE(p.lengths == naive.lengths);
      REQUIRE(p.met == naive.met);
      REQUIRE(p.pieces == naive.pieces);
      REQUIRE(p.next == naive.next);
      REQUIRE(terms.progress(tokens).next == naive.next);
      taken_back += naive.met < met;
      together += naive.met > 1;
      met = naive.met;
    }
  }
  CHECK(taken_back > 200);
  CHECK(together > 5000);
}

}  // namespace tt
