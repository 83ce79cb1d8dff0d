// Fields of a line or a list, and lists as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt {

// The parts of a text between the separators, empty ones too: one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

// Elements behind each other, each as `text` has it, with others between them.
template <class List, class Text = std::identity>
std::string join(const List& list, std::string_view between, const Text& text = {}) {
  std::string all;
  bool first = true;
  for (const auto& each : list) {
    all += std::exchange(first, false) ? "" : between;
    all += std::invoke(text, each);
  }
  return all;
}

// Without the white space around it.
std::string_view trimmed(std::string_view text);

}  // namespace tt
