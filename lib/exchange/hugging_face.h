// Models of the Hugging Face transformers: a folder of MarianMT with config.json, model.safetensors
// or pytorch_model.bin, source.spm, target.spm and vocab.json; the others are in exchange/bart.h.
//
// Source: models/marian/modeling_marian.py, configuration_marian.py and tokenization_marian.py of
// that project. Matrices are [outputs, inputs].
#pragma once

#include "exchange/format.h"

namespace tt {

extern const ForeignFormat kHuggingFace;

}  // namespace tt
