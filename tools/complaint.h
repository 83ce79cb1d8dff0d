// Our own error messages for command lines: CLI11's use internal names, and differ between versions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tt {

// A one-line message about a command line that `app` has refused with `error`.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tt
