// Reads a document with translations again, and finds those that are read as something else.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "document/format.h"

namespace tt::document {

// The numbers of translations that are not read in `written` as `merged` says that they are meant,
// or that stand before other texts that are not: those that follow each other together, as one may
// have changed the others. Empty: all is well.
std::vector<std::vector<std::uint64_t>> misread_in(std::string_view written, const Editor& merged,
                                                   const Format& format, const Settings& settings);

}  // namespace tt::document
