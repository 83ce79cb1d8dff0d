// How a run was started: noted in its states, so that it can go on with nothing but its folder.
#pragma once

#include <string>
#include <vector>

#include "model/config.h"
#include "train/inputs.h"
#include "train/run.h"

namespace tt {

std::string write_command(const TrainingInputs& inputs, const Config& config);

// Sets what `inputs` does not have (files, numbers that are 0) to what the run in a folder was
// started with, and returns the settings of the run. Its files are found from any folder. Throws
// Error as stored_command() does.
Config take_up(TrainingInputs& inputs, const std::string& folder);

// All that is not as it was when a run was saved: settings, what is frozen, and, if its state has a
// command, the text, its mix and the precision.
std::vector<Change> changes_since(const SavedRun& saved, const TrainingInputs& inputs);

}  // namespace tt
