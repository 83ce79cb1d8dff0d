// BART and its relatives of the Hugging Face transformers: mBART, M2M-100 and NLLB-200, which have
// pieces that choose languages.
//
// Source: models/bart, models/mbart, models/m2m_100 and models/nllb of that project.
#pragma once

#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/portable.h"

namespace tt {

// Whether it is one of them by its "model_type", and those as text.
bool is_bart(const std::string& model_type);
inline constexpr const char* kBartTypes = "\"bart\", \"mbart\", \"m2m_100\"";

// Reads a folder: config.json, which is `settings`, its tensors, a SentencePiece model, and the
// numbers of pieces. Throws Error, naming the file and what was expected.
PortableModel read_bart(const ImportRequest& request, const JsonSettings& settings);

// The kinds of models that these are, and their writer.
std::vector<ForeignKind> bart_kinds();

}  // namespace tt
