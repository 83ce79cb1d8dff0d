// Training: epochs of batches, updates, validation, checkpoints, reports, and a graceful end.
//
// A run lives in its folder. Called again with the same settings, it is resumed, and gives the same
// parameters, bit for bit, as a run that was not interrupted. Called with other settings, it
// continues if possible: a different model is refused; with another corpus, or other batches of it,
// a new epoch starts.
#pragma once

#include "base/ranks.h"
#include "model/config.h"
#include "tensor/backend.h"
#include "train/inputs.h"

namespace tt {

struct TrainingEnd {
  int signal = 0;  // that ended it
  bool degraded =
      false;  // pairs of the text were skipped, much of it has no pieces, or changes come too late,
              // as the warnings say
};

// Trains until a limit of the configuration, until patience runs out, or until SIGHUP, SIGINT or
// SIGTERM, which save a checkpoint first. Of a run that had ended before nothing is read but its
// folder. Throws Error for problems with files, settings or the folder, and if training diverges.
// Inputs are checked before the folder is made, but for a corpus that is to be stored.
//
// With several ranks, all call this with the same arguments and read the same text. Only rank 0
// reads and writes the folder and the log and validates; where it goes on from, and how validation
// came out, it tells the others. A signal to any of them ends all.
TrainingEnd train(Config config, const TrainingInputs& inputs, const Backend& backend,
                  const Ranks& ranks = Ranks::alone());

}  // namespace tt
