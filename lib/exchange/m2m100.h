// M2M-100 and NLLB-200 of the Hugging Face transformers: MarianMT's relatives with pieces that
// choose languages.
//
// Source: models/m2m_100/modeling_m2m_100.py and models/nllb/tokenization_nllb.py of that project.
#pragma once

#include "exchange/json_settings.h"
#include "exchange/portable.h"

namespace tt {

// Reads a folder: config.json, which is `settings`, its tensors, sentencepiece.bpe.model, and the
// pieces of tokenizer.json, or of vocab.json and the tokens that are added to it. Throws Error,
// naming the file and what was expected.
PortableModel read_m2m100(const ImportRequest& request, const JsonSettings& settings);

}  // namespace tt
