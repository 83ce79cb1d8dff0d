// Vocabularies: lists of pieces, in the order of a model's embeddings, and the SentencePiece models
// that go with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/model_proto.h"
#include "text/subword.h"

namespace tt {

inline constexpr const char *kBos = "<s>", *kPad = "<pad>", *kMask = "<mask>";
// With which the vocabularies of fairseq begin.
inline constexpr const char* kFairseqSpecials[] = {kBos, kPad, "</s>", "<unk>"};

inline const char* name_of(SubwordSide side) {
  return side == SubwordSide::source ? "source" : "target";
}

struct Vocabulary {
  std::string path;  // of the file that it was read from
  std::vector<std::string> pieces;
  std::string eos = "</s>", unk = "<unk>";
  std::string start;                // what the decoder reads first; empty: no piece
  std::vector<std::string> silent;  // pieces that no text has and no translation, such as <pad>
  // The kind of pieces where no SentencePiece model goes with them.
  ModelProto::Plain plain = ModelProto::Plain::words;
};

// A SentencePiece model, `bytes`, for a vocabulary: the same pieces of any text, numbered as the
// vocabulary has them; pieces that it has not are unknown. Gives `bytes` back where their order is
// that of the vocabulary already. With empty bytes the pieces are words or characters, as the
// vocabulary says. Throws Error, beginning with `name`, if the bytes are no SentencePiece model, or
// one of another vocabulary, and beginning with the vocabulary's path if that has no </s> or <unk>,
// or a piece twice. Where it has less than 95 % of the SentencePiece model's pieces, `losses` says
// so.
std::string number_pieces(const std::string& bytes, const Vocabulary& vocabulary, SubwordSide side,
                          const std::string& name, std::vector<std::string>* losses = nullptr);

// The names in use for a side's SentencePiece model; and the Error where there is none, which names
// `folder`, and with `both` says that the other side has none either.
std::vector<std::string> subword_names(SubwordSide side);
[[noreturn]] void refuse_without_subword(const std::string& folder, SubwordSide side,
                                         bool both = false);

// The path of a side's SentencePiece model: `given`, or where it is empty a file of the folder by
// one of the names in use. Throws Error if there is none.
std::string find_subword(const std::string& folder, SubwordSide side, const std::string& given);

// The bytes of a SentencePiece model, or of the one that a tokenizer.json says: see
// tokenizer_model(). Throws Error if it cannot be read or is empty.
std::string read_subword(const std::string& path, std::vector<std::string>* losses = nullptr);

// The bytes of the file that find_subword() finds, or nothing if it finds none.
std::string subword_if_any(const std::string& folder, SubwordSide side, const std::string& given);

// The pieces of a vocabulary without a SentencePiece model: characters if each is one, but for
// those in <angle brackets>, else words.
ModelProto::Plain plain_kind(const Vocabulary& vocabulary);
const char* name_of(ModelProto::Plain plain);  // "words" or "characters"

// Whether it has pieces such as ">>deu<<", or several such as "<2de>", which choose the target's
// language and stand before a source.
bool chooses_target(const Vocabulary& vocabulary);

// Pieces that are languages, such as "deu_Latn" and ">>deu<<".
std::vector<std::string> language_pieces(const Vocabulary& vocabulary);

// Throws Error if one of these files is in the folder: what reads it would take it for one of the
// model that is written there.
void check_absent(const std::string& folder, const std::vector<std::string>& names);

// Whether a subword model alone is a vocabulary: a SentencePiece model without pieces that have no
// number.
bool is_whole_subword(const std::string& bytes);

// The pieces of a subword model in their order, and what is special among them: number_pieces()
// backwards. With `marked` it is for a program that cuts text with the model itself: words have the
// mark that they have inside it. Throws Error, beginning with `name`, if that program would cut
// them into several.
Vocabulary vocabulary_of(const std::string& bytes, const std::string& name, bool marked = false);

// Throws Error if a vocabulary has another number of pieces than the model's embeddings have rows.
void check_rows(const Vocabulary& vocabulary, std::int64_t rows);

// A list of pieces as JSON: ["piece", ...] or {"piece": number, ...}. Throws Error, beginning with
// `path`, if it is neither, or a number is there twice or missing.
std::vector<std::string> read_json_vocabulary(std::string_view json, const std::string& path);
// As YAML: lines of `piece: number`, as Marian writes them.
std::vector<std::string> read_yaml_vocabulary(std::string_view yaml, const std::string& path);
std::string yaml_vocabulary(const std::vector<std::string>& pieces);

}  // namespace tt
