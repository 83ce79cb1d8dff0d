// Training a subword model: lines of any number of files in, a SentencePiece model out.
//
// Pieces are numbered <unk> 0, <s> 1, </s> 2, then the user's symbols, then the bytes (with byte fallback), then what was
// learnt; there is no padding. Invariant: the model depends on the lines and the options only, not on the machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/subword.h"

namespace tt {

struct SubwordOptions {
  std::string type = "bpe";                // bpe or unigram
  int vocab_size = 8000;                   // pieces V, all counted
  double coverage = 0.9995;                // of all characters read, the part that becomes pieces: 0.98 to 1
  bool byte_fallback = false;              // spell other characters as bytes instead of <unk>
  std::vector<std::string> user_symbols;   // pieces that are never cut
  std::string normalisation = "nmt_nfkc";  // one of normalisations()
  std::int64_t lines = 0;                  // train on so many, drawn at random; 0: all
  std::uint64_t seed = 1;                  // for drawing them
  int longest_line = 4192;                 // bytes; longer lines are left out, and say() tells how many
};

// nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf, identity (cf: case folding).
const std::vector<std::string>& normalisations();

// Trains on the lines of the given files ("-": stdin; gzip is read). Throws Error if a file cannot be read or is not UTF-8, if
// there is no text, or if the options do not suit each other or the text.
Subword train_subword(const std::vector<std::string>& paths, const SubwordOptions& options);

}  // namespace tt
