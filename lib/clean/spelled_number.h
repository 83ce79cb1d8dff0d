// Numbers in words, as "twenty-five", "fünfhundert" and 二十五, by ICU's rules for spelling.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tt::clean {

class SpelledNumbers {
 public:
  // In these languages, by their ISO 639 codes; without any in those of which most text is.
  explicit SpelledNumbers(const std::vector<std::string>& languages);
  ~SpelledNumbers();

  // Whether a text has a number in words, as a cardinal, an ordinal or a year.
  bool has(std::string_view text, std::uint64_t number);

 private:
  struct Rules;  // ICU's
  std::unique_ptr<Rules> rules_;
};

}  // namespace tt::clean
