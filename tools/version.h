// What a program is and what it was built with, for --version.
#pragma once

#include <string>

namespace tt {

// Lines: "NAME (tt) 0.1.0, commit 1234567" ("unknown" if the sources were no clone of the repository), the BLAS and the
// processor it found, and each optional part, in or out.
std::string version_text(const std::string& name);

}  // namespace tt
