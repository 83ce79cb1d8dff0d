// Transformers of fairseq, by way of safetensors: a folder with model.safetensors (the checkpoint's tensors), config.json (the
// arguments of its model as JSON), and dict.LANGUAGE.txt for both languages, or dict.txt.
//
// Source: fairseq/models/transformer, fairseq/modules/sinusoidal_positional_embedding.py, fairseq/data/dictionary.py. Matrices
// are [outputs, inputs].
#pragma once

#include <string>

#include "exchange/portable.h"

namespace tt {

// Reads a folder. Without SentencePiece models words are pieces. Throws Error, naming the file, or the argument that cannot be
// imported.
PortableModel read_fairseq(const std::string& folder, const std::string& source_subword, const std::string& target_subword);

}  // namespace tt
