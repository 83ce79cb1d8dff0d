// Names and tags of others in messages.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tt {

// As in_quotes() shows it, without the quotes.
inline std::string shortened(std::string_view found) {
  const std::string quoted = in_quotes(found);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace tt
