// T5 and its relatives of the Hugging Face transformers: Flan-T5, mT5, MADLAD-400, whose pieces
// choose the language, and ByT5, whose pieces are bytes.
//
// Source: models/t5, models/mt5 and models/byt5 of that project; Raffel et al. 2020.
#pragma once

#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/portable.h"
#include "exchange/vocabulary.h"

namespace tt {

// Whether it is one of them by its "model_type", and those as text.
bool is_t5(const std::string& model_type);
inline constexpr const char* kT5Types = "\"t5\" and \"mt5\"";

// Reads a folder: config.json, which is `settings`, its tensors, and a SentencePiece model or, if
// there is none, tokenizer.json; bytes need neither. Throws Error, naming the file and what was
// expected.
PortableModel read_t5(const ImportRequest& request, const JsonSettings& settings);

// The subword model of ByT5 of so many pieces: <pad>, </s> and <unk>, the bytes, and pieces that no
// text has. Requires rows >= 259.
std::string byte_subword(int rows);

// Whether pieces are those of ByT5: characters up to U+00FF for its bytes, behind three others.
bool is_of_bytes(const std::vector<std::string>& pieces);
// Makes "<extra_id_0>" and its like pieces that no text has. Of one that is there twice, as
// CTranslate2's converter fills up a vocabulary, the second loses its name.
void silence_sentinels(Vocabulary& vocabulary);

// The kind of models that T5 is, with relative positions, and its writer.
ForeignKind t5_kind();

}  // namespace tt
