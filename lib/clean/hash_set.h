// Which 64-bit hashes have come before, in bounded memory.
//
// Two different lines have the same hash once in 2^64; of a hundred million lines any two of them
// in 3,700.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tt::clean {

class HashSet {
 public:
  // Takes at most `bytes`, also while it grows; a few KiB at least.
  explicit HashSet(std::size_t bytes) : most_(bytes / sizeof(std::uint64_t)) {}

  bool contains(std::uint64_t hash) const { return slots_[find(hash)] != 0; }
  // Whether a hash is new. One that comes when there is no room left is not remembered.
  bool insert(std::uint64_t hash);

  std::size_t size() const { return size_; }
  std::uint64_t left_out() const { return left_out_; }  // new ones that were not remembered

 private:
  std::size_t find(std::uint64_t hash) const;
  bool grow();

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024);  // 0: free
  std::size_t most_, size_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace tt::clean
