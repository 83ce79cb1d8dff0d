// How a run was started: noted in its states, so that it can go on with nothing but its folder, and
// whatever is not as it was can be told.
#pragma once

#include <string>
#include <vector>

#include "model/config.h"
#include "train/inputs.h"
#include "train/run.h"

namespace tt {

std::string write_command(const TrainingInputs& inputs, const Config& config);

// Sets what `inputs` does not have (files without a name, numbers) to what the run in a folder was
// started with, and returns the settings of the run. Its files are found from any folder. Throws
// Error as stored_command() does.
Config complete_from_run(TrainingInputs& inputs, const std::string& folder);

// All that is not as it was when a run was saved: settings, what is frozen, and, if its state has a
// command, the text, its mix, the precision, and the instructions of products where they have bits
// of their own.
std::vector<Change> changes_since(const SavedRun& saved, const TrainingInputs& inputs);

// "rate is now 0.001, was the paper's (0)"
std::string message_of(const Change& change);

// Throws Error if a run that was begun with other settings would go on, or count as a run of these:
// with any change but of limits that are raised, where the learning rate does not depend on them,
// of files that have moved, and of settings that only reports and the speed depend on.
void require_unchanged(const std::vector<Change>& changes, const RunState& state,
                       const TrainingInputs& inputs, Schedule schedule);

// Whether a run is to begin with another model than it did, which may have been given from another
// folder.
bool begins_elsewhere(const RunState& state, const TrainingInputs& inputs);

// A note of the changes that have no effect, as the run has reached a limit ("max-updates"; empty:
// none); empty if all have one. A run that this limit has not ended before ends by it now, and may
// be validated.
std::string late_changes(const std::vector<Change>& changes, const RunState& state,
                         const TrainingInputs& inputs, std::string limit);

}  // namespace tt
