// A figure as a page of HTML that can be looked into: values under the pointer and to the keys,
// zoom, and curves that are shown or not. It is one file, which loads nothing.
#pragma once

#include <string>
#include <string_view>

#include "plot/figure.h"

namespace tt::plot {

// The files of lib/plot/page as they were when the library was built.
namespace page_files {
extern const std::string_view html, style, script;
}

std::string html_of(const Figure& figure);

}  // namespace tt::plot
