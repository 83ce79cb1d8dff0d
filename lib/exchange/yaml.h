// Files in YAML, as Marian and COMET have them: keys with a value or a list of values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt {

// The keys of a file in their order, each with a text, a list of texts, or null; a value that is
// deeper is left out. Throws Error, beginning with `name`, and with a line, where it is no YAML.
std::vector<std::pair<std::string, nlohmann::json>> read_yaml(std::string_view text,
                                                              const std::string& name);

}  // namespace tt
