// The options that all plotting programs share: the destination of a picture.
#pragma once

#include "plot/show.h"
#include "tools/options.h"

namespace tt {

// -o/--output, --format and --terminal.
Group picture_group(plot::Destination& to);

}  // namespace tt
