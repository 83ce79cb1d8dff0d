#include "plot/json_line.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace tt::plot {

nlohmann::json parse_object(std::string_view line, const std::string& where,
                            const std::string& remedy) {
  using nlohmann::json;
  if (line.empty()) throw Error(where, ": the line is empty; ", remedy);
  json parsed;
  try {
    parsed = json::parse(line);
  } catch (const json::parse_error& error) {
    // Its byte is counted from 1, and past the end if the line is incomplete.
    if (error.byte > line.size())
      throw Error(where, ": the line is incomplete, with ", line.size(), " bytes; ", remedy);
    std::size_t at = std::max<std::size_t>(error.byte, 1) - 1;
    while (at > 0 && std::isalnum(static_cast<unsigned char>(line[at - 1])))
      --at;  // to the beginning of a word
    throw Error(where, ": not JSON from byte ", at + 1, " on, ", in_quotes(line.substr(at)), "; ",
                remedy);
  } catch (const json::exception&) {
    throw Error(where, ": a number is too large; ", remedy);
  }
  if (!parsed.is_object())
    throw Error(where, ": found ", kind_of(parsed), " instead of an object; ", remedy);
  return parsed;
}

std::string kind_of(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return "the text " + in_quotes(value.get_ref<const std::string&>());
  if (value.is_number() || value.is_boolean()) return value.dump();
  return "null";
}

}  // namespace tt::plot
