// The codes of subword-nmt: a list of merges of byte-pair encoding that cut one word into pieces,
// as that program applies them.
//
// A merge joins two symbols that stand beside each other; the earlier it stands in the list, the
// sooner it is applied, to all places in a word from the left. The last symbol of a word is another
// one than the same letter inside it. Source: Sennrich et al. (2016), and apply_bpe.py of
// subword-nmt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tt {

class Merges {
 public:
  // Whether bytes are such a list, by their first line.
  static bool are(std::string_view bytes) { return bytes.starts_with("#version: "); }
  // Throws Error, beginning with `name` and the number of the line, if a line is no merge.
  Merges(std::string_view bytes, const std::string& name);

  // The lengths in bytes of the pieces of a word, which is not empty.
  std::vector<std::size_t> cut(std::string_view word) const;

 private:
  struct Joined {
    std::int32_t rank, symbol;
  };
  std::int32_t number(const std::string& symbol);
  std::unordered_map<std::string, std::int32_t> symbols_;
  std::unordered_map<std::uint64_t, Joined> merges_;  // by two symbols
  bool end_apart_ = false;  // the end of a word is a symbol of its own, as in version 0.1
};

}  // namespace tt
