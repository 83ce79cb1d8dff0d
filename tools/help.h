// The text of -h and --help, at most 80 columns wide.
#pragma once

#include <string>

#include "tools/options.h"

namespace tt {

// "tt-bpe", "tt-bpe train".
std::string full_name(const Command& program, const Command& command);

// How a program, or one of its commands, is called, and its options by groups, the most used first.
// Of a group of very many there are only the names, unless it is the `section`, named by the first
// word of its title, or that is "all".
std::string help(const Command& program, const Command& command, const std::string& section);

// Help in short: required options, those most used, and an example.
std::string brief_help(const Command& program, const Command& command);

}  // namespace tt
