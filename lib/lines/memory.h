// Translation memories: lines whose translations are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace tt {

// The lines "source TAB translation" of a file, which stays mapped; other columns are passed over.
// Beside the file it takes 11 to 21 bytes for each line.
class Memory {
 public:
  // Lines without a source or a translation, or that are not UTF-8, are left out with a warning and
  // counted, but empty ones. Throws Error if the file cannot be mapped.
  explicit Memory(const std::string& path);

  std::size_t left_out() const { return left_out_; }

  struct Found {
    std::string_view translation;  // the last of the file
    bool several = false;          // there are others
  };
  // The translation of a source that is there to the letter. Any number of threads may call it.
  std::optional<Found> find(std::string_view source) const;

 private:
  std::size_t slot_of(std::string_view source, std::uint64_t hash) const;
  std::string_view line_at(std::uint64_t slot) const;

  std::optional<MappedFile> file_;  // none: it is empty
  std::string_view text_;
  // The beginnings of lines, by the hash of their source: its upper bits, whether there are
  // several, and the place from 1; 0: free. More than a quarter of them are.
  std::vector<std::uint64_t> slots_;
  std::size_t left_out_ = 0;
};

}  // namespace tt
