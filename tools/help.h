// The text of --help. Not left to CLI11, whose versions lay it out differently: manual pages, completion and scripts are checked
// against it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tt {

// The help of a program or of one of its commands; `name` is the full command ("tt-bpe train").
std::string help(const CLI::App& app, const std::string& name);

}  // namespace tt
