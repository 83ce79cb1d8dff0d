// Which words of the embedded corpus's pairs certainly belong together: a gold standard for
// alignments.
#pragma once

#include <string>

#include "data/grammar.h"

namespace tt::toy {

// The nouns and names that stand once in a sentence, and whose translation stands once in the
// other: "s-t" for the English word and each character of the Japanese, words counted from 0 as
// words_of() (text/words.h) has them.
std::string sure_links(const Pair& pair);

}  // namespace tt::toy
