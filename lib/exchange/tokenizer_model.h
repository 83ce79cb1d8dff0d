// A SentencePiece model of what tokenizer.json says, where a folder of the Hugging Face
// transformers has no other.
//
// Source: the serialised forms of the project tokenizers, and convert_slow_tokenizer.py of
// transformers, which makes them of SentencePiece models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tt {

inline constexpr const char* kTokenizer = "tokenizer.json";

// Of the bytes of the file at `path`: its unigram model, or its BPE model, whose merges are the
// order of scores. Throws Error, beginning with the path, if its tokenizer is another, or changes a
// text otherwise than SentencePiece. Merges that SentencePiece would make and this tokenizer does
// not are told in `losses`.
std::string tokenizer_model(std::string_view bytes, const std::string& path,
                            std::vector<std::string>* losses);

}  // namespace tt
