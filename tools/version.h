// The text of --version: the version of a program and the libraries it was built with.
#pragma once

#include <string>

namespace tt {

// Lines: "NAME (tt) 0.1.0, commit 1234567" ("unknown" if the sources were not a clone of the
// repository), the BLAS and the processor it found, the version of ICU, and whether the optional
// parts are built in.
std::string version_text(const std::string& name);

}  // namespace tt
