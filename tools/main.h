// Shared by all programs: options that mean the same everywhere, one place that catches errors,
// exit codes.
//
// Exit status: 0 done, 1 failed, 2 usage, 3 done but something had to be degraded (and stderr says
// what).
#pragma once

#include <cstdint>
#include <string>

#include "nn/device.h"
#include "tools/options.h"

namespace tt {

inline constexpr int kDone = 0, kFailed = 1, kUsage = 2, kDegraded = 3;

// Runs a program, to whose options -h, --help, --version and -q/--quiet are added; argv[0] is not
// looked at. What its options set must live until then. Ends the process, but returns under
// sanitizers, which look for leaks then.
int run_tool(int argc, char** argv, Command program);

void print(const std::string& text);  // to stdout

// Shared options, with the same names, meaning and help everywhere.
Option model_option(std::string& path);   // -m/--model, or TT_MODEL in the environment
Option threads_option(int& threads);      // default: all processors
Option seed_option(std::uint64_t& seed);  // of all random numbers
std::vector<Option> device_options(DeviceChoice& device);  // --device and --precision

// --cost, of filters, which report what they cost on a terminal, and elsewhere, as in cron's mail,
// only where it is asked for.
Option cost_option(bool& asked);
bool reports_cost(bool asked);

}  // namespace tt
