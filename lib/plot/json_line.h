// Parsing a line of JSON from a user, with our own error messages.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tt::plot {

// The object on a line. Throws Error with `where`, what was found, and `remedy`, which says what to
// do about it.
nlohmann::json parse_object(std::string_view line, const std::string& where,
                            const std::string& remedy);

// The kind of a value for error messages: "a number", "a list", ...
std::string kind_of(const nlohmann::json& value);

}  // namespace tt::plot
