// The logs of tt-train --log, one JSON object per line, and their learning curves.
//
//   {"event": "start", ...}
//   {"event": "train", "update": 100, "epoch": 0.4, "loss": 5.1, "rate": 0.0007, "tokens": 123456, ...}
//   {"event": "valid", "update": 1000, "loss": 4.9, "bleu": 12.3, ...}
//   {"event": "end", ...}
//
// A resumed run appends to its log and may repeat updates: the later record of an update is the one that counts. The last line
// of a log may be broken, because its run was killed or is just writing it. Other events and missing values are passed over; a
// value of null is no number, and leaves a gap.
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
  std::string broken;                              // what is wrong with the last line, if anything
};

// Reads a log; its name is the path. Throws Error if the file cannot be read or a line but the last is no JSON object with an
// event, or has an event that lacks its update.
TrainingLog read_training_log(const std::string& path);

// A run as it is named on a command line: NAME=LOG or LOG.
struct LogSource {
  std::string name, path;
};

// The runs of a command line. What exists as a file is a LOG whatever its name, and so is what has no name without a slash
// before its first '='. A LOG alone is named after its path, without the folders and the file's name that all such have in
// common. Throws Error if two runs have one name.
std::vector<LogSource> log_sources(const std::vector<std::string>& arguments);

// What a panel shows, by the name that --show takes.
struct LogPanel {
  const char* name;
  const char* field;  // of the records
  const char* title;
  bool logarithmic;  // the y axis, always
};
const std::vector<LogPanel>& log_panels();

// Panels from text: names of log_panels(), "loss,bleu". Throws Error for another name.
std::vector<LogPanel> parse_panels(const std::string& text);

// What the curves run over: "update", "epoch", "tokens", "wall" (hours) or "flops".
const std::vector<std::string>& log_axes();

struct LogView {
  std::string axis = "update";        // of log_axes()
  bool log_x = false, log_y = false;  // logarithmic axes, of all panels
  std::string title = {};
};

// The curves of several runs, a panel each for what any of them recorded and the axes can show: none if nothing. Training and validation have
// colours of their own. A validation takes an axis' value that it did not record from the last training record before it.
Figure log_figure(const std::vector<TrainingLog>& logs, const std::vector<LogPanel>& panels, const LogView& view);

}  // namespace tt::plot
