// Traces as pages of HTML, each of which needs nothing but itself.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace tt {

// The files of lib/trace/page as they were when the library was built, and the functions of the
// models that it shows, in JSON.
namespace page_files {
extern const std::string_view html, style, script, english, japanese, code;
}

// The page shows the first trace, beside it the `second`, if it is not 0; the others can be chosen.
std::string page_of(std::span<const Trace> traces, std::size_t second);

// A page for each trace, 1.html and so on, and index.html, which lists them: all appear, or none.
void write_pages(const std::string& folder, std::span<const Trace> traces);

}  // namespace tt
