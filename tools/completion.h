// Shell completion scripts, generated from the options a program declares, so that the two cannot diverge.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tt {

// The script that completes the options of the program `app`, their values and its subcommands. `shell`: "bash" or "zsh"; throws
// Error for others. Values are completed for options with a fixed set; for others, files are offered.
std::string completion(const CLI::App& app, const std::string& shell);

}  // namespace tt
