// Accelerators of menus and buttons in translations.
#pragma once

#include <span>
#include <string>

#include "decode/align.h"
#include "text/accelerator.h"

namespace tt {

// A translation with the sign, in the word that comes from its word if it can be
// (mark_accelerator()). The words are those that are aligned.
std::string with_accelerator(const std::string& translation, std::span<const TextRange> words,
                             const Accelerator& accelerator,
                             std::span<const TextRange> source_words,
                             const SoftAlignment& alignment);

}  // namespace tt
