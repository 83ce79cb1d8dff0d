// The names of enumerators, of which the enumeration itself is the list: there is no name without a
// value, and no value without a name.
#pragma once

#include <string_view>

namespace tt {

// As the code spells it; empty for a number that no enumerator has.
template <auto value>
constexpr std::string_view enumerator_name() {
  // "... [with auto value = tt::NormPlace::pre; ...", or "(tt::NormPlace)2" where there is none
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("value = ") + 8);
  name = name.substr(0, name.find_first_of(";]"));
  name.remove_prefix(name.rfind(':') + 1);  // of none: 0
  return name.find(')') == name.npos ? name : "";
}

}  // namespace tt
