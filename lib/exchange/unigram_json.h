// A SentencePiece model of what tokenizer.json says, where a folder of the Hugging Face
// transformers has no other.
//
// Source: the serialised forms of the project tokenizers, and convert_slow_tokenizer.py of
// transformers, which makes them of SentencePiece models.
#pragma once

#include <string>

namespace tt {

// Throws Error, beginning with the path, if the file cannot be read, or its tokenizer is another
// than a unigram model with the normalisation of SentencePiece.
std::string read_unigram_json(const std::string& path);

}  // namespace tt
