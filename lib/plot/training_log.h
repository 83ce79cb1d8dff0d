// The logs of tt-train --log, one JSON object per line, and their learning curves.
//
//   {"event": "start", ...}
//   {"event": "train", "update": 100, "epoch": 0.4, "loss": 5.1, "rate": 0.0007, "tokens": 123456, ...}
//   {"event": "valid", "update": 1000, "loss": 4.9, "bleu": 12.3, ...}
//   {"event": "end", ...}
//
// A resumed run appends to its log and may repeat updates: the later record of an update is the one that counts. The last line
// of a log may be broken, because its run was killed or is just writing it. Other events, and values that are missing or null,
// are passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plot/figure.h"

namespace tt::plot {

using LogRecord = std::map<std::string, double>;  // the numbers of one record by name

struct TrainingLog {
  std::string name;                                // in the legend
  std::map<std::int64_t, LogRecord> train, valid;  // by update
  std::size_t lines = 0;                           // read so far
  bool ended = false;                              // the last event is "end"
};

// Reads a log. Throws Error if the file cannot be read or a line but the last is no JSON object with an event, or has an
// event that lacks its update.
TrainingLog read_training_log(const std::string& path);

// What a panel shows, by the name that --show takes.
struct LogPanel {
  const char* name;
  const char* field;  // of the records
  const char* title;
  bool logarithmic;  // the y axis
};
const std::vector<LogPanel>& log_panels();

// Panels from text: names of log_panels(), "loss,bleu". Throws Error for another name.
std::vector<LogPanel> parse_panels(const std::string& text);

// What the curves run over: "update", "epoch", "tokens", "wall" (hours) or "flops".
const std::vector<std::string>& log_axes();

// The curves of several runs, a panel each for what any of them recorded: no panels if nothing. Training and validation have
// colours of their own. A validation takes an axis' value that it did not record from the last training record before it.
Figure log_figure(const std::vector<TrainingLog>& logs, const std::vector<LogPanel>& panels, const std::string& axis);

// Short names for files: their paths without the folders that all share.
std::vector<std::string> short_names(const std::vector<std::string>& paths);

}  // namespace tt::plot
