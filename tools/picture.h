// The options that all plotting programs share: the destination of a picture.
#pragma once

#include <CLI/CLI.hpp>

#include "plot/show.h"

namespace tt {

// Adds -o/--output, --format and --terminal; returns the first and the last, for options that exclude them.
struct PictureOptions {
  CLI::Option *output, *terminal;
};
PictureOptions add_picture(CLI::App& app, plot::Destination& to);

}  // namespace tt
