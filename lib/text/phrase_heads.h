// The head word of each phrase of a constituency tree, and with it the word that each word depends
// on.
//
// Source: the rules of Collins 1999, "Head-Driven Statistical Models for Natural Language Parsing",
// appendix A, for the labels of the Penn treebank, after punctuation (tags , : . `` '' -LRB- -RRB-)
// is taken away: it heads nothing but itself. NX is read as NP.
#pragma once

#include <cstddef>
#include <vector>

#include "text/tree.h"

namespace tt {

// For each word the one that governs it: the head of the smallest constituent that holds it and
// whose head is another word. The head of the whole tree governs itself. The rules know words by
// their tags: trees whose tags are lost (XX) have no such heads.
std::vector<std::size_t> governors(const Tree& tree);

}  // namespace tt
