// Models of the Hugging Face transformers: a folder of MarianMT with config.json, model.safetensors or pytorch_model.bin,
// source.spm, target.spm and vocab.json.
//
// Source: models/marian/modeling_marian.py, configuration_marian.py and tokenization_marian.py of that project. Matrices are
// [outputs, inputs].
#pragma once

#include <string>

#include "exchange/portable.h"

namespace tt {

// Reads a folder. Throws Error, naming the file and what was expected, or the setting that cannot be imported.
PortableModel read_hugging_face(const std::string& folder, const std::string& source_subword, const std::string& target_subword);

// Writes a folder. Throws Error if the model has a setting that the format has not, naming it.
void write_hugging_face(PortableModel model, const std::string& folder);

}  // namespace tt
