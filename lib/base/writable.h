// Whether a file can be written, asked before the work whose result goes there.
#pragma once

#include <string>

namespace tt {

// Throws Error if AtomicFile could not write `path`, as far as that can be told without touching
// it: it is a folder, or another's in a sticky folder, or it or its folder may not be written.
void check_writable(const std::string& path);

}  // namespace tt
