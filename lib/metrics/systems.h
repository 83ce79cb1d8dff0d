// The files of systems as they are given on a command line: FILE, or NAME=FILE, and some perhaps
// twice.
#pragma once

#include "metrics/segments.h"

namespace tt::metrics {

// Replaces each NAME=FILE in `files.systems` by FILE, and fills `files.names`. A name has no slash;
// what is the path of a file is never taken for NAME=FILE. In a paired test the first system is
// left out where it is given again without a name, as by "first *", which is reported on stderr.
// Throws Error if two others have the same name.
void name_systems(SegmentFiles& files, bool paired);

}  // namespace tt::metrics
