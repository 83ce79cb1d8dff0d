// Numbers in text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace tt {

// The number that a whole text is, decimal and as in C; none where it is another, or none.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace tt
