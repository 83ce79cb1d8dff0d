#include "text/respell.h"

#include <algorithm>

#include "text/languages.h"

namespace tt {
namespace {

SpeltSentence sentence(const Subword& subword, const Sequences& side, std::size_t b) {
  const auto begin = side.tokens.begin() + side.offsets[b],
             end = side.tokens.begin() + side.offsets[b + 1];
  const auto silent = [&](std::int32_t piece) {
    return std::ranges::count(subword.silent(), piece) > 0;
  };
  const auto no_text = [&](auto piece) { return silent(piece) || language_of(subword, piece); };
  const auto ends = [&](auto piece) { return piece == subword.eos() || no_text(piece); };
  auto first = std::find_if_not(begin, end, no_text);
  const auto last =
      std::find_if_not(std::make_reverse_iterator(end), std::make_reverse_iterator(first), ends)
          .base();
  // The sentence's own text is behind that of its context.
  first = std::find_if(std::make_reverse_iterator(last), std::make_reverse_iterator(first), silent)
              .base();
  return {{begin, first}, {first, last}, {last, end}};
}

void put(Sequences& side, const SpeltSentence& s) {
  for (const auto* part : {&s.before, &s.pieces, &s.behind})
    side.tokens.insert(side.tokens.end(), part->begin(), part->end());
  end_sentence(side);
}

struct Words {
  std::size_t count;
  std::vector<WordRange> of_pieces;
};

Words words(const Subword& subword, const SpeltSentence& s) {
  const auto found = words_of(subword.decode(s.pieces));
  return {found.size(), words_behind(subword.decoded_ranges(s.pieces), found)};
}

// Links of rows, which lead from text to text, as those of the text's pieces, or back.
void shift(std::vector<TokenLink>& links, std::int64_t source, std::int64_t target) {
  for (TokenLink& link : links) {
    link.source += static_cast<std::int32_t>(source);
    link.target += static_cast<std::int32_t>(target);
  }
}

}  // namespace

bool has_no_unknown(const Subword& subword, const std::vector<std::int32_t>& pieces) {
  return std::find(pieces.begin(), pieces.end(), subword.unk()) == pieces.end();
}

void respell(Batch& batch, const Subword& source, const Subword& target, const Spell& spell) {
  if (batch.size() == 0) return;
  Batch after;
  for (std::size_t b = 0; b < batch.sentences.size(); ++b) {
    const SpeltSentence from = sentence(source, batch.source, b),
                        to = sentence(target, batch.target_out, b);
    SpeltSentence new_from = from, new_to = to;
    spell(batch.sentences[b], new_from, new_to);
    std::vector<TokenLink> links;
    if (!batch.links.begins.empty()) links = links_of(batch, b);
    if (!links.empty() && (new_from.pieces != from.pieces || new_to.pieces != to.pieces)) {
      const auto before_source = static_cast<std::int64_t>(from.before.size()),
                 before_target = static_cast<std::int64_t>(to.before.size());
      const Words old_source = words(source, from), old_target = words(target, to),
                  new_source = words(source, new_from), new_target = words(target, new_to);
      if (old_source.count == new_source.count && old_target.count == new_target.count) {
        shift(links, -before_source, -before_target);
        links = between_pieces(between_words(links, old_source.of_pieces, old_target.of_pieces),
                               new_source.of_pieces, new_target.of_pieces);
        shift(links, before_source, before_target);
      } else {
        new_from = from, new_to = to;
      }
    }
    put(after.source, new_from);
    put(after.target_out, new_to);
    if (!batch.links.begins.empty()) append_links(after, links);
  }
  after.target_in = shifted(after.target_out, batch.target_in.tokens.front());
  after.sentences = std::move(batch.sentences);
  after.twice = batch.twice;
  batch = std::move(after);
}

}  // namespace tt
