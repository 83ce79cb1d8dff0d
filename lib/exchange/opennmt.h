// Transformers of OpenNMT-py, a checkpoint (.pt), and of its successor eole, a folder with
// config.json, vocab.json and model.00.safetensors.
//
// Source: onmt/encoders/transformer.py, onmt/decoders/transformer.py, onmt/modules and
// onmt/models/model_saver.py of OpenNMT-py; the same folders of eole. Matrices are [outputs,
// inputs]. Their layers normalise before each sub-layer, with a last norm; sources do not end with
// </s>.
#pragma once

#include "exchange/format.h"

namespace tt {

// Whether a folder is one of eole.
bool is_eole(const std::string& folder);

// Can only be read. Without SentencePiece models words are pieces.
extern const ForeignFormat kOpenNmt;

}  // namespace tt
