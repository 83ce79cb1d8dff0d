// The terminal and its characters, by the variables of the environment.
#pragma once

#include <string>

namespace tt {

// A variable of the environment; empty if it is not set.
std::string environment(const char* name);

// TERM is "dumb" or not set: the terminal takes no escape sequences.
bool terminal_is_dumb();

// Whether the locale's characters (LC_ALL, LC_CTYPE or LANG) are UTF-8.
bool locale_is_utf8();

}  // namespace tt
