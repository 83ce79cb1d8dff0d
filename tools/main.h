// Shared by all programs: options that mean the same everywhere, one place that catches errors, exit codes.
//
// Exit status: 0 done, 1 failed, 2 usage, 3 done but something had to be degraded (and stderr says what).
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "nn/device.h"

namespace tt {

inline constexpr int kDone = 0, kFailed = 1, kUsage = 2, kDegraded = 3;

// A program: `declare` adds its options to the parser and returns the function to call once they are parsed, which returns the
// exit status. --help, --version and -q/--quiet are added for all programs. Ends the process: does not return.
using Declare = std::function<std::function<int()>(CLI::App& app)>;
int run_tool(int argc, char** argv, const char* name, const char* summary, const Declare& declare);

// Shared options, with the same names, meaning and help everywhere.
CLI::Option* add_model(CLI::App& app, std::string& path);
CLI::Option* add_threads(CLI::App& app, int& threads);  // default: all processors
CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed);
void add_device(CLI::App& app, DeviceChoice& device);  // --device and --precision

}  // namespace tt
