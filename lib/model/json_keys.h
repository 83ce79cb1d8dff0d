// The keys of a JSON object in the order of its text, also those that a parser drops because they
// are given twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tt {

// Calls `see` for each key of the outermost object, in time linear in the text (the library's own
// callback looks through all elements of an object again at each that ends). Text that is not JSON
// ends the keys early, without an error, and so do more than `most` values at any depth. Returns
// how many values there are, or, of too many, one more than `most`.
std::size_t each_key(std::string_view json, const std::function<void(const std::string&)>& see,
                     std::size_t most = SIZE_MAX - 1);

}  // namespace tt
