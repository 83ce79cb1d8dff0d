// Models of CTranslate2: a folder with model.bin, config.json, vocabularies as JSON or text, and beside them SentencePiece
// models.
//
// Source: python/ctranslate2/specs/transformer_spec.py, common_spec.py and attention_spec.py (the names), and src/layers of that
// project (their meaning). Matrices are [outputs, inputs].
#pragma once

#include <string>

#include "exchange/portable.h"

namespace tt {

// Reads a folder. Weights of 8 and 16 bits become float32. Throws Error, naming the file and what was expected.
PortableModel read_ctranslate2(const ImportRequest& request);

// Writes a folder, in float32. Throws Error if the model has a setting that the format has not, naming it, or if files cannot be
// written.
void write_ctranslate2(PortableModel model, const std::string& folder);

}  // namespace tt
