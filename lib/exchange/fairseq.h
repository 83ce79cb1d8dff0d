// Transformers of fairseq, by way of safetensors: a folder with model.safetensors (the checkpoint's
// tensors), config.json (the arguments of its model as JSON), and dict.LANGUAGE.txt for both
// languages, or dict.txt.
//
// Source: fairseq/models/transformer, fairseq/modules/sinusoidal_positional_embedding.py,
// fairseq/data/dictionary.py. Matrices are [outputs, inputs].
#pragma once

#include "exchange/format.h"

namespace tt {

// Can only be read. Without SentencePiece models words are pieces.
extern const ForeignFormat kFairseq;

}  // namespace tt
