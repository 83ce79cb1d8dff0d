// Models of Marian: .npz or .bin, with the options of training inside, and vocabularies beside it.
//
// Source: src/models/transformer.h of that project (names and their meaning), src/common/binary.cpp (.bin),
// src/data/default_vocab.cpp (vocabularies). Matrices are [inputs, outputs].
#pragma once

#include <string>
#include <vector>

#include "exchange/portable.h"

namespace tt {

// What belongs to a model and lies beside it. Empty: what decoder.yml in the model's folder says, or the model's own options.
struct MarianFiles {
  std::vector<std::string> vocabularies;       // .spm, .yml, .json or one piece per line; one for both sides, or two
  std::string source_subword, target_subword;  // SentencePiece models for vocabularies that are none; else words are pieces
};

// Reads a model file, or the one of a folder with a decoder.yml. Throws Error, naming the file, or the option that cannot be
// imported.
PortableModel read_marian(const std::string& path, const MarianFiles& files);

// Writes `folder`/model.npz, its vocabularies and a decoder.yml. Throws Error if the model has a setting that Marian has not,
// naming it.
void write_marian(PortableModel model, const std::string& folder);

}  // namespace tt
