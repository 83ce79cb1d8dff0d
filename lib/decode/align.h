// Which words of a source a translation's words come from, as a model's attention has it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "decode/translator.h"
#include "model/attended.h"

namespace tt {

enum class AlignmentKind { none, hard, soft };

struct AlignmentOptions {
  AlignmentKind kind = AlignmentKind::none;
  const char* of = "markup";         // the setting that needs it, where the kind is none
  std::vector<AttentionHead> heads;  // whose mean it is; empty: see alignment_heads()
};

// Where the pieces of a translation but its </s> stand in its text; of one that was scored, those
// behind the pieces of its language.
std::vector<TextRange> places_of_pieces(const Translation& translation, const Subword& target,
                                        bool scored);

// Weights [target words][source words] of a sentence; the words are those of words_of(). A row sums
// to one, or is zero where nothing is known.
using SoftAlignment = std::vector<std::vector<float>>;
// Whether anything is known of a word.
bool is_known(const SoftAlignment& alignment);

// Bytes of a text that has alignments: weights, and the time in which the library finds the places
// of unknown pieces, grow with the square of its length.
inline constexpr std::size_t kLongestText = 1 << 15;

// The heads whose mean is an alignment: those that are asked for, the one that was trained to
// align, or all of the upper half of the layers. Throws Error if the model does not attend to its
// source, or has not these heads.
std::vector<AttentionHead> alignment_heads(const Model& model, const AlignmentOptions& options);

class Aligner {
 public:
  Aligner(const Member& member, const Subword& target, std::vector<AttentionHead> heads)
      : member_(member), target_(target), heads_(std::move(heads)) {}

  // The alignments of `translations` with the texts that they are of: by the attention that search
  // has found, or read once more by the model.
  // A translation that was made in parts, or not scored, has none, nor has a text of over 32 KiB.
  // `batch_tokens`: rows that are computed together.
  struct Pair {
    const std::string* source;
    const Translation* translation;
    bool scored;  // its text, of which the pieces were made
    const LanguagePieces* languages;
  };
  std::vector<SoftAlignment> align(std::span<const Pair> pairs, Tape& tape,
                                   std::int64_t batch_tokens) const;

 private:
  // Of some of the pairs, by number, whose sources are as the model ends them.
  void align_batch(std::span<const std::size_t> numbers, std::span<const Pair> pairs,
                   std::span<const std::vector<std::int32_t>> sources, Tape& tape,
                   std::span<SoftAlignment> results) const;
  SoftAlignment over_words(const Pair& pair, std::span<const float> weights,
                           std::size_t sources) const;

  Member member_;
  const Subword& target_;
  std::vector<AttentionHead> heads_;
};

// "0-0 1-2": for each target word, the source word with the most weight; words are counted from 0,
// the source's first.
std::string hard_alignment(const SoftAlignment& soft);
// "0.9,0.1 0.2,0.8": for each target word the weights of the source words.
std::string soft_alignment(const SoftAlignment& soft);

}  // namespace tt
