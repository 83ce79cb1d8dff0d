// Whether files can be written, asked before the work whose results go there.
#pragma once

#include <span>
#include <string>

namespace tt {

// Throws Error if AtomicFile could not write `path`, as far as that can be told without touching
// it: it is a folder, or another's in a sticky folder, or it or its folder may not be written.
void check_writable(const std::string& path);

// Throws Error if two of these paths, of which an empty one is none, lead to the standard output,
// or to one file or pipe, whether or not it exists: what is written there would be mixed, or lost.
// Devices may be the same.
void check_written_once(std::span<const std::string> paths);

}  // namespace tt
