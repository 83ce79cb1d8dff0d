// The logs of tt-train --log (base/log_format.h), and their learning curves.
//
// A resumed run appends to its log and may repeat updates: the later record of an update counts. A
// run that went back, with {"event": "rollback", "to": 500}, has no records after that update until
// they come again. The last line of a log may be incomplete, because its run was killed or is still
// writing it, and where power was lost, NULs may stand in place of what was written last. Other
// events and missing values are ignored; a null value leaves a gap.
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
  std::string broken;                              // the error in the last line, if any
  std::vector<std::string> lost;  // a warning for each line that a power loss has damaged
};

// Reads a log; its name is the path. Throws Error if the file cannot be read, or if a line before
// the last is not a JSON object with an event, or lacks the update of its event.
TrainingLog read_training_log(const std::string& path);

// A run as given on a command line: NAME=LOG or LOG.
struct LogSource {
  std::string name, path;
};

// The runs of a command line. An argument is a LOG without a NAME if it exists as a file, or has a
// slash before its first '='. Such a run is named after its path, without the folders and the file
// name that all of them share. Throws Error if two runs have the same name.
std::vector<LogSource> log_sources(const std::vector<std::string>& arguments);

// The contents of a panel, by its name in --show.
struct LogPanel {
  const char* name;
  const char* field;  // of the records
  const char* title;
  bool logarithmic;  // the y axis, always
};
const std::vector<LogPanel>& log_panels();

// Parses names of log_panels(), such as "loss,bleu". Throws Error for an unknown name.
std::vector<LogPanel> parse_panels(const std::string& text);

// The possible x axes: "update", "epoch", "tokens", "wall" (hours) or "flops".
const std::vector<std::string>& log_axes();

struct LogView {
  std::string axis = "update";        // of log_axes()
  bool log_x = false, log_y = false;  // logarithmic axes, in all panels
};

// The curves of several runs, with panels only for values that some run recorded and the axes can
// show. Training and validation of a run have its colour, and validation is dashed. If a validation
// lacks the value of the x axis, it is taken from the last training record before it.
Figure log_figure(const std::vector<TrainingLog>& logs, const std::vector<LogPanel>& panels,
                  const LogView& view);

// Why logs have no curve in the figure that log_figure() made of them: a text for each such log.
// `panels` is the list of names.
std::vector<std::string> undrawn(const Figure& figure, const std::vector<TrainingLog>& logs,
                                 const std::string& panels, const LogView& view);

}  // namespace tt::plot
