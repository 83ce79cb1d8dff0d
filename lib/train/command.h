// How a run was started: noted in its states, so that it can go on with nothing but its folder.
#pragma once

#include <string>

#include "model/config.h"
#include "train/inputs.h"

namespace tt {

std::string write_command(const TrainingInputs& inputs, const Config& config);

// Sets what `inputs` does not have (files without a name, numbers) to what the run in a folder was
// started with, and returns the settings of the run. Its files are found from any folder. Throws
// Error as stored_command() does.
Config take_up(TrainingInputs& inputs, const std::string& folder);

// summation_of() the device that the run in a folder computed on; empty if its state does not say.
std::string summation_before(const std::string& folder);

}  // namespace tt
