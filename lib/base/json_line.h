// JSON objects that pass through: what is not asked for is written again byte for byte.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

struct JsonMember {
  std::string key;
  std::string written;              // key, colon and value, as they are in the line
  std::size_t at = 0;               // where that begins in the line
  std::size_t value_at = 0;         // where the value begins in it
  std::optional<std::string> text;  // the value, where it is a string
  bool repaired = false;            // the text: half of a surrogate pair is U+FFFD

  std::string_view value() const { return std::string_view(written).substr(value_at); }
};

// The members of an object in their order. A number may be of any size. Throws Error that says what
// the line is instead ("not JSON: at byte 7"), with "not a JSON object" for another value.
std::vector<JsonMember> json_members(std::string_view line);

// The elements of an array as they are written in it, which outlives them. Throws Error for what is
// not JSON, and for another value ("not a JSON array").
std::vector<std::string_view> json_elements(std::string_view array);

// An object as it is written with the members of another, `more`, behind its own, of which those
// with the same keys are left out. Throws Error as json_members() does.
std::string json_with(const std::string& object, const std::string& more);

}  // namespace tt
