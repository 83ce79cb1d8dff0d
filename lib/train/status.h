// How a run stands and how long it will take, for those who wait for it: before its first report,
// where that is far off, and in a file of its folder, "status", which is written with reports, at
// most once a second, and with each validation, and which nothing depends on.
#pragma once

#include <cstdint>
#include <mutex>
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
std::optional<double> time_left(const TrainingSettings& settings, const RunState& state,
                                const Standing& standing);

// Notes where a run stands in its folder; what cannot be written is left out.
void write_status(const Run& run, const TrainingSettings& settings, const RunState& state,
                  const Standing& standing);

// The limits of a run that goes on, in what was noted before, if anything was.
void update_status(const std::string& folder, const TrainingSettings& settings);

// The run in one line: "run: update 3,000 of 100,000  loss 3.412  dev BLEU 21.30  2,345 tokens/s
// 12:03 left  running". Only reads, and takes no lock. Throws Error if the folder is that of no
// run.
std::string status_line(const std::string& folder);

// How long a run will take: known once, in its first minute.
class Outlook {
 public:
  // Before an update of so many parts, of which `at_once` are computed side by side. `updates`: how
  // many there will be; 0: nobody knows. `late`: seconds without a report. Keeps a reference to the
  // settings.
  Outlook(const TrainingSettings& settings, std::int64_t parts, int at_once, double updates,
          double late = 10);

  // A part of the first update is done, or an update. Each returns a message once, when it is late
  // and no report has come; empty text otherwise. The first may be called by any thread.
  std::string part();
  std::string update(std::int64_t number);

 private:
  std::string message(double share);  // `share`: of an update, or how many are done
  const TrainingSettings& settings_;
  const double began_, updates_, late_;
  const std::int64_t parts_, at_once_;
  std::int64_t done_ = 0, updates_done_ = 0;
  bool open_ = true;  // there may be a message
  std::mutex mutex_;
};

}  // namespace tt
