// The pairs that each rule would drop by itself, with examples.
#pragma once

#include "base/output.h"
#include "clean/cleaner.h"
#include "text/pair_reader.h"

namespace tt::clean {

// Asks all rules about all pairs, and writes for each how many it drops, how many of these no other
// rule does, and three of them, chosen at random but always the same ones. Throws Error as the
// reader and the output do.
void dry_run(PairReader& in, Cleaner& cleaner, Output& out);

}  // namespace tt::clean
