// Models of CTranslate2: a folder with model.bin, config.json, vocabularies as JSON or text, and
// beside them SentencePiece models.
//
// Source: python/ctranslate2/specs/transformer_spec.py, common_spec.py and attention_spec.py (the
// names), and src/layers of that project (their meaning). Matrices are [outputs, inputs].
#pragma once

#include "exchange/format.h"
#include "exchange/model_files.h"

namespace tt {

// Reads a model of files that lie elsewhere; weights of 8 and 16 bits become float32. Throws Error,
// naming the file and what was expected.
PortableModel read_ctranslate2(const ModelFiles& files, const ImportRequest& request);

}  // namespace tt
