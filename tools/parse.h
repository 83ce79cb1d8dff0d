// Reads a command line by a program's table of options.
#pragma once

#include "tools/options.h"

namespace tt {

enum class Ask { work, brief, help, version };

// Reads the values of options and operands from `words`, which follow the program's name. -h,
// --help and --version end the reading. Options of the program may stand behind a command, too.
// `command` becomes the program, or the command that was named, also where words behind that are
// refused. Throws UsageError.
Ask parse(const Command& program, const Words& words, const Command*& command);

}  // namespace tt
