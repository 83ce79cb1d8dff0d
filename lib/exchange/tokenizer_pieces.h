// The pieces of a tokenizer of the Hugging Face transformers, by their numbers.
//
// Source: tokenization_utils_base.py, and the tokenizers of NLLB, M2M-100, mBART and T5 of that
// project.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exchange/vocabulary.h"

namespace tt {

// How numbers follow from a SentencePiece model where no other file has them: its own, or those of
// fairseq, which has <s>, <pad>, </s>, <unk> in front of the others.
enum class PieceNumbers { own, fairseq };

// Reads those of tokenizer.json; or of vocab.json, or else of the SentencePiece model at `subword`,
// and the pieces that are added by tokenizer_config.json, added_tokens.json and
// special_tokens_map.json: as many as the model has embeddings, empty where a number has none.
// Throws Error if a piece has no number below `rows`.
Vocabulary read_tokenizer_pieces(const std::string& folder, std::int64_t rows,
                                 const std::string& subword, PieceNumbers numbers);

// Those of a tokenizer.json. Throws Error as above.
Vocabulary read_tokenizer_json(const std::string& path, std::int64_t rows);

// The pieces of the languages of M2M-100, whose tokenizer alone knows them: "__af__" and others, in
// the order of their numbers.
std::vector<std::string> m2m_languages();

}  // namespace tt
