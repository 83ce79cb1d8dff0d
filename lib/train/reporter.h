// Progress of training: lines and a progress bar on stderr, and JSON lines in a log.
//
// Events of the log: "start" (config, parameters), "train", "valid", "rollback", "warning", "end".
// A resumed run appends to the log; updates between its last checkpoint and the interruption then
// appear twice, and the later line counts. All that warn() says becomes an event before the next.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/file.h"
#include "base/report.h"
#include "nn/device.h"
#include "train/run.h"
#include "train/status.h"
#include "train/validation.h"

namespace tt {

class Reporter {
 public:
  // Keeps a reference to the run. `log`: a path, or empty. `stopped`: whether a signal has come,
  // after which nobody waits for the reader of a pipe. Throws Error if the log cannot be written.
  Reporter(const Run& run, const std::string& log, const TrainingSettings& settings,
           const RunState& state, std::function<bool()> stopped);
  ~Reporter();

  // Adds the end to the log of a run that had ended when it was killed before it could say so.
  // Throws Error.
  static void add_end(const std::string& log, const RunState& state);

  void start(const Model& model, const PairStore& pairs, const DeviceChoice& device);
  // Before the first update of this process, of so many parts, of which `at_once` are computed side
  // by side; `epochs`: how far it leads. From then on says once how long the run will take, where
  // its first report is far off; after_batch() may be called by any thread.
  void begin_outlook(std::int64_t parts, int at_once, const RunState& state, double epoch,
                     double epochs);
  bool has_outlook() const { return outlook_.has_value(); }
  void after_batch();
  // Called after every update; every settings.report_every updates it prints a report and clears
  // the window.
  void update(RunState& state, const UpdateResult& result, double epoch);
  // Called after rolling back to state.update because update `diverged` did.
  void rollback(const RunState& state, std::int64_t diverged);
  // `show`: how many sentences of the set are printed with their translations, spread evenly over
  // it.
  void validation(const RunState& state, const ValidationResult& result, bool best, double epoch,
                  double seconds, const DevelopmentSet& set, int show);
  // Throws Error if the end of the log cannot be written. `peak`: the product rate of the machine
  // in FLOP/s, or 0 if it was not measured.
  void end(const RunState& state, const std::string& reason, double peak);

 private:
  // A line that cannot be written is kept, and written with the next: a full disk does not end a
  // run. Where the log was moved or removed, a new one is begun.
  void log(const nlohmann::ordered_json& event);
  void write_log();
  void wait_for_reader();
  void open_log();

  const TrainingSettings& settings_;
  const Run& run_;
  std::string log_path_, unwritten_;
  std::function<bool()> stopped_;
  int pipe_ = -1;                     // the log, where it may be a pipe: not written to
  std::string problem_;               // why the last line could not be written, if so
  std::unique_ptr<Output> log_;       // null: none, or the last line could not be written
  std::optional<FileStatus> opened_;  // of a log that is a regular file
  std::unique_ptr<Progress> bar_;
  std::optional<Outlook> outlook_;
  RunState reported_;  // at the last report, and at the beginning of this process
  const RunState began_;
  Standing standing_;       // at the last report
  double next_status_ = 0;  // the time when it may be written again
};

}  // namespace tt
