// What is wrong with a command line, in words of our own: those of CLI11 name what nobody sees, and differ from version to version.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tt {

// One line about a command line that `app` has refused with `error`.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tt
