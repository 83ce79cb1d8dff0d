// How a run stands, for those who look at its folder while it works: in a file of its own,
// "status", which is written with reports, at most once a second, and with each validation, and
// which nothing depends on.
#pragma once

#include <optional>
#include <string>

#include "model/config.h"
#include "train/run.h"

namespace tt {

// A run's standing, which a report gives beside the state.
struct Standing {
  double epoch = 0;    // with its fraction
  double loss = 0;     // since the report before
  double rate = 0;     // target tokens per second, since then
  double seconds = 0;  // per update, since then; 0: nothing was reported yet
};

// Seconds until the limit that comes first, if there is one.
std::optional<double> time_left(const Config& config, const RunState& state,
                                const Standing& standing);

// Notes where a run stands in its folder; what cannot be written is left out.
void write_status(const Run& run, const Config& config, const RunState& state,
                  const Standing& standing);

// The limits of a run that goes on, in what was noted before, if anything was.
void update_status(const std::string& folder, const Config& config);

// The run in one line: "run: update 3,000 of 100,000  loss 3.412  dev BLEU 21.30  2,345 tokens/s
// 12:03 left  running". Only reads, and takes no lock. Throws Error if the folder is that of no
// run.
std::string status_line(const std::string& folder);

}  // namespace tt
