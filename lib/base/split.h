// Fields of a line or a list.
#pragma once

#include <string_view>
#include <vector>

namespace tt {

// The parts of a text between the separators, empty ones too: one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace tt
