// A line of JSON that a user brings: what is wrong with it, in words of ours.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tt::plot {

// The object on a line. Throws Error: `where`, what was found, and `remedy`, which says what to do about it.
nlohmann::json parse_object(std::string_view line, const std::string& where, const std::string& remedy);

// What a value is, for the text of an error: "a number", "a list", ...
std::string kind_of(const nlohmann::json& value);

}  // namespace tt::plot
