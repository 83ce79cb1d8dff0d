// Accelerators of menus and buttons in translations.
#pragma once

#include <string>
#include <string_view>

#include "decode/align.h"
#include "text/accelerator.h"

namespace tt {

// A translation with the sign, in the word that comes from its word if it can be
// (mark_accelerator()).
std::string with_accelerator(const std::string& translation, const Accelerator& accelerator,
                             std::string_view source, const SoftAlignment& alignment);

}  // namespace tt
