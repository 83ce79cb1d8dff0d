// The few fields of a serialised SentencePiece model that the library does not expose: the kind of
// model, its treatment of spaces, and the type of each piece. The library itself checks and
// interprets the rest.
//
// Source: sentencepiece_model.proto (field numbers) and the Protocol Buffers encoding. Unknown
// fields are skipped.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

enum class PieceType {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6
};

struct ModelPiece {
  std::string_view text;  // points into the bytes given to read_model_proto()
  float score = 0;
  PieceType type = PieceType::normal;
};

struct ModelProto {
  std::vector<ModelPiece> pieces;
  enum class Kind { unigram = 1, bpe = 2, word = 3, character = 4 } kind = Kind::unigram;
  enum class Plain {
    no,
    words,
    characters
  } plain = Plain::no;  // cut by text/plain_pieces.h, not by SentencePiece
  bool whitespace_as_suffix = false, dummy_prefix = true, remove_extra_whitespace = true,
       escape_whitespace = true;
  int vocabulary =
      0;  // the first pieces, which have numbers; those behind them cut text too, and are unknown
  bool rules_match_spaces =
      false;  // whether a normalisation rule matches a space together with its neighbours
  std::string_view rules;   // of normalisation, inside the bytes that were read
  std::string_view bos;     // the piece that a sentence begins with; empty: <s>
  std::string_view merges;  // that cut plain words into pieces (text/merges.h); empty: none

  // Whether a rule of normalisation that begins at text[begin] may reach beyond text[cut - 1].
  // Requires begin < cut < text.size().
  bool rule_crosses(std::string_view text, std::size_t begin, std::size_t cut) const;
  // The text that a rule puts in place of a character.
  std::optional<std::string_view> rule_for(std::string_view character) const;
};

// How a text is changed before it is cut.
struct Normalisation {
  std::string rules;  // empty: none
  bool dummy_prefix = false, remove_extra_whitespace = false, escape_whitespace = true;
};
// A model without pieces, for with_pieces(). `bytes`: it cuts what is unknown into bytes, each of
// which must have a piece.
std::string empty_model(ModelProto::Kind kind, const Normalisation& normalisation, bool bytes);
// A model without pieces of that kind, for with_pieces(). Of words there may be merges that cut
// them.
std::string plain_model(ModelProto::Plain plain, std::string_view merges = {});
// A model as SentencePiece can cut with it. Requires that read_model_proto() reads `bytes`.
std::string without_plain(std::string_view bytes);

// Reads the fields above. The views live as long as `bytes`. Throws Error, beginning with `name`,
// if the bytes are not a message of this format or hold no pieces.
ModelProto read_model_proto(std::string_view bytes, const std::string& name);

// Names of special pieces; empty: as they were.
struct SpecialPieces {
  std::string unk, bos, eos;
};

// A model with these pieces in place of its own, of which the first `vocabulary` have
// numbers: its normalisation and its kind stay. How many they are stands in a field of our own,
// which SentencePiece does not read. Requires that read_model_proto() reads `bytes`.
std::string with_pieces(std::string_view bytes, std::span<const ModelPiece> pieces,
                        const SpecialPieces& special, int vocabulary);

// A model whose normalisation has this name, and no file that it came from.
std::string with_rule_name(std::string_view bytes, const std::string& name);

}  // namespace tt
