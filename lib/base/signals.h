// Signals that end the program: they remove partial files first, and say which file was made
// shorter while it was in memory.
//
// A handler may not allocate, so the names that it needs are kept in memory of fixed size. Names
// beyond what that holds (16 partial and 64 mapped files) are unknown to it.
#pragma once

#include <cstddef>
#include <string>

namespace tt {

// Makes every signal that ends a program, unless it is ignored or handled, remove the partial files
// before it does so, and SIGBUS, which comes where a mapped file was made shorter, end the program
// with a message and status 1.
void remove_partial_files_on_signals();

// Removes the partial files and ends the program as if it had no handler for the signal.
void end_by(int signal);

// A file to be removed by end_by(): returns its slot, or -1.
int remember_partial_file(const std::string& path);
void forget_partial_file(int& slot);  // which becomes -1

// A file in memory, by the name that messages call it.
void remember_mapped_file(const std::string& name, const void* at, std::size_t size);
void forget_mapped_file(const void* at);

}  // namespace tt
