// Progress of training: lines and a progress bar on stderr, and JSON lines in a log.
//
// Events of the log: "start" (config, parameters), "train", "valid", "end". A resumed run appends to the log; updates between its
// last checkpoint and the interruption then appear twice, and the later line counts.
#pragma once

#include <memory>
#include <string>

#include "base/file.h"
#include "base/report.h"
#include "train/run.h"
#include "train/validation.h"

namespace tt {

class Reporter {
 public:
  // `log`: a path, or empty. Throws Error if it cannot be written.
  Reporter(const std::string& log, const Config& config, const RunState& state);

  void start(const Model& model, std::int64_t pairs, std::int64_t source_tokens, std::int64_t target_tokens);
  // Called after every update; every config.report_every updates it prints a report and clears the window.
  void update(RunState& state, const UpdateResult& result, double epoch);
  void validation(const RunState& state, const ValidationResult& result, bool best, double epoch, double seconds);
  // `peak`: the product rate of the machine in FLOP/s, or 0 if it was not measured.
  void end(const RunState& state, const std::string& reason, double peak);

 private:
  void log(const std::string& json_line);

  const Config& config_;
  std::unique_ptr<Output> log_;
  std::unique_ptr<Progress> bar_;
  double report_wall_;  // state.wall at the last report
  std::int64_t report_tokens_;
  double begin_flops_, begin_wall_;  // of this process
  std::int64_t begin_tokens_;
};

}  // namespace tt
