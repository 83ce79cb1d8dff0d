// Models of Marian: .npz or .bin, with the options of training inside, and vocabularies beside it.
//
// Source: src/models/transformer.h of that project (names and their meaning), src/common/binary.cpp
// (.bin), src/data/default_vocab.cpp (vocabularies). Matrices are [inputs, outputs].
#pragma once

#include "exchange/format.h"

namespace tt {

// Reads a model file, or the one of a folder with a decoder.yml; vocabularies that are not given
// are those that decoder.yml names, or the model's own options. Writes model.npz, its vocabularies
// and a decoder.yml.
extern const ForeignFormat kMarian;

}  // namespace tt
