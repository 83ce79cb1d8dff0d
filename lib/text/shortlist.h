// Shortlists: for each source piece the target pieces that its translations may have, so that an
// output layer need not look at all. The file is the one that Marian, Bergamot and Firefox call
// lex.s2t.bin, and is mapped:
//
//   u64 magic, checksum; u64 first, best, offsets, numbers     little-endian
//   u64 [offsets]   where the list of each source piece begins; one more than there are pieces
//   u32 [numbers]   target pieces, ascending within a list
//
// The checksum is of all whole u64 behind it. A line may have the pieces of its source's lists, and
// the first `first` pieces of the target vocabulary, where frequent pieces and </s> are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"

namespace tt {

class Shortlist {
 public:
  // Maps a file. Throws Error if it is none, or damaged.
  explicit Shortlist(const std::string& path);

  // Throws Error, beginning with the path, if it was made for vocabularies of other sizes.
  void check_pieces(int source_pieces, int target_pieces) const;

  int source_pieces() const { return static_cast<int>(offsets_.size()) - 1; }
  int first() const { return first_; }
  // The list of a piece. Requires that it is one of source_pieces().
  std::span<const std::uint32_t> of(std::int32_t piece) const {
    const auto at = static_cast<std::size_t>(piece);
    return numbers_.subspan(offsets_[at], offsets_[at + 1] - offsets_[at]);
  }

  // The pieces that the translation of a line may have, ascending. `joint`: both sides have one
  // vocabulary, so that a piece may stay as it is. `also`: pieces that it may have in any case.
  std::vector<std::int32_t> pieces_for(std::span<const std::int32_t> source, int target_pieces,
                                       bool joint, std::span<const std::int32_t> also = {}) const;

 private:
  std::string path_;
  MappedFile file_;
  int first_ = 0;
  std::span<const std::uint64_t> offsets_;
  std::span<const std::uint32_t> numbers_;
};

// The bytes of such a file. Requires lists in ascending order.
std::string shortlist_bytes(const std::vector<std::vector<std::int32_t>>& lists, int first,
                            int best);

}  // namespace tt
