// Reads a command line by a program's table of options.
#pragma once

#include "tools/options.h"

namespace tt {

struct Parsed {
  enum class Ask { work, brief, help, version };
  const Command* command;  // the program, or the command that was named
  Ask ask;
};

// Reads the values of options and operands from `words`, which follow the program's name. -h,
// --help and --version end the reading. Options of the program may stand behind a command, too.
// Throws UsageError.
Parsed parse(const Command& program, const Words& words);

}  // namespace tt
