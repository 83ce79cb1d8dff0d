// Characters of a line that the normalisation of a subword model drops, so that no model learns
// them: unread() (text/unread.h) says which and where; this one only whether, for a whole corpus.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/subword.h"

namespace tt {

class DroppedCharacters {
 public:
  explicit DroppedCharacters(const Subword& subword) : subword_(subword) {}

  // Controls and U+FFFD, say, but no white space, and nothing that as_read() takes out. Requires
  // UTF-8.
  bool in(std::string_view line);

 private:
  bool found(std::string_view text);
  bool drops(char32_t c, std::string_view character);

  Subword subword_;
  enum class Known : char { no_answer, kept, dropped };
  std::vector<Known> known_ = std::vector<Known>(0x10000);  // of the characters of most text
  std::string store_;
};

}  // namespace tt
