// Translation of sacreBLEU's command lines into those of tt-bleu.
//
// sacreBLEU has short options of several letters (-tok, -lc), which tt-bleu's parser would read as
// one letter and its value, and other long names for some options. The table is in tt-bleu(1).
#pragma once

#include <string>
#include <vector>

namespace tt {

// The words of a command line, starting with the program, with sacreBLEU's names replaced.
// Options without meaning here are dropped (--no-color); unknown ones are kept, for the parser to
// refuse.
std::vector<std::string> from_sacrebleu(const std::vector<std::string>& words);

}  // namespace tt
