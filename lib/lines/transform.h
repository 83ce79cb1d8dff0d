// A pair: what takes something out of a line, and what puts it back into the translation.
//
// The walk of a line: each Transform reads the text that those before it have left, and leaves an
// Undo. When the sentences that remain are translated, the undos run from the last to the first:
// all say what the translation lacks (check), then all put back what they took (put_back), then
// what is outside of the text (answer).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "decode/align.h"
#include "lines/line_text.h"

namespace tt {

// The translations of a line.
struct LineTranslation {
  Translated result;                      // of all its sentences
  std::size_t written = 1;                // of its translations
  std::vector<SoftAlignment> alignments;  // of these, or none: with the words of the line
  std::vector<std::vector<SoftAlignment>> of_sentences = {};  // of these: of each sentence
};

// Each of these may be null.
struct Undo {
  bool needs_alignment = false;  // to know which words come from which
  // Reports what the best translation lacks. `text` is the one that the model wrote, with spaces in
  // the place of what was not translated.
  std::function<void(const LineTranslation&, const std::string& text, LineText&)> check = {};
  // Puts what was taken into the translations, and reports what has no place there.
  std::function<void(LineTranslation&, LineText&)> put_back = {};
  // The line around an answer, which is its translation or what was found out about it.
  std::function<std::string(const std::string& found)> answer = {};
};

// Takes something out of the text; what is wrong with a line is added to its problems.
using Transform = std::function<Undo(LineText& line)>;

}  // namespace tt
