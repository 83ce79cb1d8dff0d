// Packages of Argos Translate and LibreTranslate: a zip archive (.argosmodel), or the folder that
// it becomes, with metadata.json, a model of CTranslate2 in model/ and sentencepiece.model.
//
// Source: argostranslate/package.py and translate.py of that project.
#pragma once

#include "exchange/format.h"

namespace tt {

// Whether a file or folder is one.
bool is_argos(const std::string& path);

extern const ForeignFormat kArgos;

}  // namespace tt
