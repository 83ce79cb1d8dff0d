// Subword models: text to piece numbers and back. These are SentencePiece models, trained by tt-bpe
// or elsewhere.
//
// Sources: Kudo and Richardson, "SentencePiece" (2018); BPE: Sennrich et al. (2016); unigram: Kudo,
// "Subword Regularization" (2018). A model trained by tt-bpe numbers its pieces <unk> 0, <s> 1,
// </s> 2, and has no padding.
//
// Invariant: a Subword is immutable, so all its functions may be called from several threads at
// once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

class Random;
struct ModelProto;

// Which of the two of a translation model.
enum class SubwordSide { source, target };

inline constexpr std::string_view kSpacePiece = "\u2581";  // stands for a space inside pieces

class Subword {
 public:
  enum class Kind { bpe, unigram, other };

  // Reads a model file. Throws Error if it is missing, not a SentencePiece model, or has no <unk>
  // or </s>.
  static Subword load(const std::string& path);
  // Reads the bytes of a model file, as stored in checkpoints; error messages begin with
  // `name`.
  static Subword parse(std::string bytes, const std::string& name);

  const std::string& bytes() const;  // as given to parse()
  Kind kind() const;
  int size() const;  // number of pieces V; they are numbered from 0 to V - 1 (text/model_proto.h:
                     // its vocabulary)
  int unk() const;
  int bos() const;  // eos() where there is no <s>
  int eos() const;
  // Control pieces but eos(), which no text has and no translation should have.
  const std::vector<std::int32_t>& silent() const;

  // The text of a piece, with U+2581 for the start of a word, and its score. Requires 0 <= id <
  // size().
  std::string piece(int id) const;
  float score(int id) const;
  // The number of the piece of that text; -1 if there is none.
  std::int32_t find(std::string_view piece) const;

  // Sets `ids` to the pieces of a line, without <s> or </s>, which is read as text/invisible.h
  // says: invisible characters make no difference. Invalid UTF-8 is read as U+FFFD.
  void encode(std::string_view line, std::vector<std::int32_t>& ids) const;
  std::vector<std::int32_t> encode(std::string_view line) const;
  // Sets `pieces` to their texts; an unknown piece is given as the characters it stands for.
  void encode(std::string_view line, std::vector<std::string>& pieces) const;

  // Where each piece of encode() stands in the line, and where each of `ids` stands in decode(ids):
  // in bytes, a space before a word with it, and without what a model drops at its ends.
  std::vector<TextRange> encoded_ranges(std::string_view line) const;
  std::vector<TextRange> decoded_ranges(std::span<const std::int32_t> ids) const;

  // Whether normalisation leaves nothing of a character, or a space that it is not.
  bool drops(std::string_view character) const;
  // Whether the pieces are words, and what lies between them is no piece.
  bool has_words() const;

  // Like encode, but samples a segmentation. For a BPE model `strength` is the probability that a
  // merge is dropped (BPE-dropout); for a unigram model a segmentation x has a probability
  // proportional to P(x)^strength (so 0 is uniform, and large values approach encode). The result
  // depends only on the arguments and the state of `random`. Throws Error if the model is of
  // another kind.
  void sample(std::string_view line, float strength, Random& random,
              std::vector<std::int32_t>& ids) const;
  void sample(std::string_view line, float strength, Random& random,
              std::vector<std::string>& pieces) const;

  // The text of a sequence: always one line (an LF spelt by byte pieces becomes a space). Control
  // pieces are skipped; numbers outside [0, size()) are read as unk.
  std::string decode(std::span<const std::int32_t> ids) const;
  // Decodes the texts of pieces; texts without a piece stand for themselves, so that text
  // encode could not represent comes back.
  std::string decode(const std::vector<std::string>& pieces) const;

 private:
  friend class SubwordEncoder;
  struct Model;
  explicit Subword(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  // A part of a text without what the model drops at its ends.
  TextRange read_part(std::string_view text, TextRange r) const;
  std::shared_ptr<const Model> model_;
};

// Encodes many lines. With a BPE model it caches words and is several times as fast as
// Subword::encode, with the same results. Use one per thread.
class SubwordEncoder {
 public:
  explicit SubwordEncoder(const Subword& subword);
  ~SubwordEncoder();
  SubwordEncoder(SubwordEncoder&&) noexcept;

  // Appends the pieces of a line to `ids`.
  void append(std::string_view line, std::vector<std::int32_t>& ids);
  // Appends their texts to `text`, separated by single spaces.
  void append(std::string_view line, std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Those of a translation model; of a joint one both are the same.
struct SubwordPair {
  Subword source, target;
};

}  // namespace tt
