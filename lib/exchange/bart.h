// BART and its relatives of the Hugging Face transformers: mBART, M2M-100 and NLLB-200, which have
// pieces that choose languages.
//
// Source: models/bart, models/mbart, models/m2m_100 and models/nllb of that project.
#pragma once

#include "exchange/json_settings.h"
#include "exchange/portable.h"

namespace tt {

// Whether it is one of them by its "model_type", and those as text.
bool is_bart(const std::string& model_type);
inline constexpr const char* kBartTypes = "\"bart\", \"mbart\", \"m2m_100\"";

// Reads a folder: config.json, which is `settings`, its tensors, a SentencePiece model, and the
// numbers of pieces. Throws Error, naming the file and what was expected.
PortableModel read_bart(const ImportRequest& request, const JsonSettings& settings);

// Writes a folder of the one that the model is: BART, mBART, or with sinusoids M2M-100. Its
// tokenizer is that of NLLB-200, which has any languages, of M2M-100 for the languages of that, or
// one without languages. Throws Error if the pieces of languages, or of padding, stand otherwise.
void write_bart(PortableModel model, const std::string& folder);

}  // namespace tt
