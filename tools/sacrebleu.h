// A command line in sacreBLEU's words, in those of tt-bleu.
//
// sacreBLEU has short options of several letters (-tok, -lc), which tt-bleu's parser would read as one letter and its value, and
// long names of its own for what tt-bleu has, too. The table stands in tt-bleu(1).
#pragma once

#include <string>
#include <vector>

namespace tt {

// The words of a command line, its first word the program, with sacreBLEU's names replaced. What means nothing here is left out
// (--no-color); what is unknown stays as it is, for the parser to refuse.
std::vector<std::string> from_sacrebleu(const std::vector<std::string>& words);

}  // namespace tt
