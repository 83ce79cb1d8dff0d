// tokenizer.json: a SentencePiece model as the tokenizers of the Hugging Face transformers cut with
// it, and that of a folder which has no other.
//
// Source: the serialised forms of normalizers, pre_tokenizers, models and processors of the
// project tokenizers, and convert_slow_tokenizer.py of transformers (which of them a SentencePiece
// model becomes).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exchange/vocabulary.h"

namespace tt {

inline constexpr const char* kTokenizer = "tokenizer.json";

// Of the bytes of the file at `path`: its unigram model, or its BPE model, whose merges are the
// order of scores. Throws Error, beginning with the path, if its tokenizer is another, or changes a
// text otherwise than SentencePiece. Merges that SentencePiece would make and this tokenizer does
// not are told in `losses`.
std::string tokenizer_model(std::string_view bytes, const std::string& path,
                            std::vector<std::string>* losses);

// The file for the pieces of `vocabulary`, which are those of the subword model `bytes` in their
// order. `before` and `behind` are pieces that a source begins and ends with. Throws Error,
// beginning with the vocabulary's path, if no tokenizer there cuts as the model does.
std::string make_tokenizer_json(const std::string& bytes, const Vocabulary& vocabulary,
                                const std::vector<std::string>& before,
                                const std::vector<std::string>& behind);

}  // namespace tt
