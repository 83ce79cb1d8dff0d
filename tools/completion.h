// Shell completion scripts, from the table of a program's options.
#pragma once

#include <string>

#include "tools/options.h"

namespace tt {

// The script that completes a program's options, their known values and its commands; where no
// values are known, files are offered. `shell`: "bash" or "zsh"; or "table", for tests: a line
// "COMMAND TAB --option TAB choices" for each option. Throws Error for others.
std::string completion(const Command& program, const std::string& shell);

}  // namespace tt
