// Completion scripts for shells, made from the options a program declares, so that the two cannot drift apart.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tt {

// The script that completes the program `app`, its options, their values and its subcommands. `shell`: "bash" or "zsh". Throws Error if it
// is another. Values are completed where an option has a few; where it has not, files are offered.
std::string completion(const CLI::App& app, const std::string& shell);

}  // namespace tt
