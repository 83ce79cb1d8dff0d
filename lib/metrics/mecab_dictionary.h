// Which dictionary a folder of MeCab's files holds, told before MeCab reads it: MeCab trusts every
// number in these files, and a damaged one crashes it or changes scores.
#pragma once

#include <cstdint>
#include <string>

namespace tt::metrics {

struct MecabDictionary {
  std::uint32_t entries = 0;
  std::string charset;         // in small letters
  std::uint64_t checksum = 0;  // of words, parts of speech, costs, characters and settings
};

// Reads the dictionary in a folder. Equal checksums mean equal words: mecab-dict-index writes those
// that are spelt alike in the order in which a file system lists the files of the source, so the
// files of equal dictionaries may differ. Throws Error if a file cannot be read or contradicts
// itself.
MecabDictionary read_mecab_dictionary(const std::string& folder);

}  // namespace tt::metrics
