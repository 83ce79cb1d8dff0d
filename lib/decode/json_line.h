// JSON objects that pass through: what is not asked for is written again byte for byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

struct JsonMember {
  std::string key;
  std::string written;              // key, colon and value, as they are in the line
  std::optional<std::string> text;  // the value, where it is a string
  bool repaired = false;            // the text: half of a surrogate pair is U+FFFD
};

// The members of an object in their order. A number may be of any size. Throws Error that says what
// the line is instead ("not JSON: at byte 7"), with "not a JSON object" for another value.
std::vector<JsonMember> json_members(std::string_view line);

}  // namespace tt
