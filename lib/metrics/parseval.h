// How much of a tree a parser has found: labelled brackets that agree, counted as the program evalb
// does with the parameters of Collins (Black et al. 1991, "A Procedure for Quantitatively Comparing
// the Syntactic Coverage of English Grammars").
//
//   recall = agreeing / gold,  precision = agreeing / found,  F1 = 2 agreeing / (gold + found),
//   over all sentences together
//
// A bracket is a label and the words that it covers; one that is there twice counts twice. Left out
// are TOP, brackets of a single word (its tag), and punctuation: words that the gold tree tags , :
// `` '' or . are no words, and a bracket that holds no others, or has such a label, is none. ADVP
// and PRT are the same label. A sentence of punctuation alone is in no number but that of
// sentences.
#pragma once

#include <cstdint>

#include "text/tree.h"

namespace tt::metrics {

struct Parseval {
  std::int64_t sentences = 0, agreeing = 0, gold = 0, found = 0;  // the last three are brackets
  std::int64_t worded = 0;  // sentences that have more than punctuation
  std::int64_t whole = 0;   // and of these, whose brackets all agree, with none too many

  // Counts a sentence. Requires the same number of words.
  void add(const Tree& gold, const Tree& found);

  // In percent; 0 where there are no brackets.
  double recall() const;
  double precision() const;
  double f1() const;
  double complete() const;  // of the sentences with words those that are whole
};

}  // namespace tt::metrics
