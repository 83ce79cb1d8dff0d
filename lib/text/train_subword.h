// Training a subword model: lines of any number of files in, a SentencePiece model out.
//
// Pieces are numbered <unk> 0, <s> 1, </s> 2, then those of languages, the user symbols, the
// bytes (with byte fallback) and the learnt pieces; there is no padding piece. Invariant: the model
// depends only on the lines and the options, not on the machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/subword.h"

namespace tt {

struct SubwordOptions {
  std::string type = "bpe";    // bpe or unigram
  int vocab_size = 8000;       // V, the number of all pieces
  double coverage = 0.9995;    // fraction of the characters read that pieces must cover: 0.98 to 1
  bool byte_fallback = false;  // spell other characters as bytes instead of <unk>
  std::vector<std::string> user_symbols;  // pieces that are never split or merged
  bool separator = false;                 // has <sep>, for models that read context
  std::vector<std::string> languages;     // names of those that a model chooses by pieces, which
                                          // no text has
  std::string normalisation = "nmt_nfc";  // one of normalisations()
  std::int64_t lines = 0;                 // number of lines to sample for training; 0: all
  std::uint64_t seed = 1;                 // for sampling lines
  int longest_line = 4192;  // bytes; longer lines are skipped, and warn() reports them
};

// nmt_nfc (text/canonical_rules.h), and those of the library: nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf
// (cf: case folding), identity.
const std::vector<std::string>& normalisations();

// Trains on the lines of the given files ("-": stdin; gzip is decompressed). Throws Error if a file
// cannot be read or is not UTF-8, if there is no text, or if the options do not fit each other or
// the text. Says what share of some 2,000 lines does not come back from its pieces as it was, also
// where quiet() if normalisation changes more than one in a hundred; `degraded` becomes whether it
// does, or lines were skipped.
Subword train_subword(const std::vector<std::string>& paths, const SubwordOptions& options,
                      bool* degraded = nullptr);

}  // namespace tt
