// Marian's own models of COMET and its kind (cometoid, chrfoid; Gowda et al. 2023), which pymarian
// scores with, and those of COMET that were converted for it.
//
// Source: src/models/comet_qe.h, src/layers_new/transformer.h, src/data/corpus_base.cpp and
// scripts/comet/comet2marian.py of marian-nmt/marian-dev (1.12.42). Matrices are [inputs, outputs].
#pragma once

#include <string>

#include "exchange/comet.h"

namespace tt {

// Whether it is a file of Marian with a model of a metric, or a folder with one in "checkpoints".
bool is_marian_comet(const std::string& path);

// Reads the model, but for its name and licence. Throws Error as read_comet() does.
PortableComet read_marian_comet(const ImportRequest& request);

}  // namespace tt
