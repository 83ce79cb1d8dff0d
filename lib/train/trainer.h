// Training: epochs of batches, updates, validation, checkpoints, reports, and an orderly end.
//
// A run is its folder. Called again with the same settings it goes on where it was, and the parameters then are, bit for bit, those of a
// run that was not stopped. Called with other settings it goes on as far as they agree with what it has: another model is refused; another
// corpus, or other batches of it, begin with a new epoch.
#pragma once

#include <string>

#include "model/config.h"
#include "tensor/backend.h"

namespace tt {

struct TrainingInputs {
  std::string train_source, train_target;      // files, or "-" and "" for TSV on stdin
  std::string dev_source, dev_target;          // empty: no validation
  std::string source_subword, target_subword;  // model files; the same path: one joint model
  std::string folder;
  std::string log;  // JSON lines; empty: none
  int threads = 1;
  bool profile = false;  // print the time of each kernel at the end
};

// Trains until a limit of the configuration, until patience ends, or until SIGINT or SIGTERM, which save a checkpoint first. Returns the
// signal that ended it, or 0. Throws Error for what is wrong with files, settings or the folder, and when training diverges. What is wrong
// with the inputs is found before the folder is made.
int train(Config config, const TrainingInputs& inputs, const Backend& backend);

}  // namespace tt
