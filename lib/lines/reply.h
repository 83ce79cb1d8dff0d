// The reply to a line of input, as it is written.
#pragma once

#include <string>

#include "lines/pipeline.h"

namespace tt {

enum class OutputFormat { text, moses, json };

struct OutputOptions {
  OutputFormat format = OutputFormat::text;
  bool with_text = false;      // in JSON, the line itself, too: it is no object
  bool list = false;           // all translations of a line, not the first alone
  bool scoring = false;        // the translations were given: their scores are the answer
  bool token_scores = false;   // in JSON, the pieces of a translation and their log-probabilities
  AlignmentOptions alignment;  // what comes from where
  bool confidence = false;     // how sure the model is: see confidence()
  // In JSON, numbers from which the quality of a translation can be expected; with that of the
  // model's name.
  bool features = false;
  std::int64_t model = 0;
  double length = 1;  // of its translations: TargetText::length
};

// The geometric mean of the probabilities of a translation's pieces, from 0 to 1; 1 where there are
// none.
double confidence(const Translation& translation);

// The lines, with an LF between them, that answer a line of input.
//   text   the translation, or its score, with the other columns of the line; behind it, after a
//          TAB each, what else is wanted
//   moses  for each translation "number ||| text ||| LogProb= x Length= n ||| score", the number
//          counted from 0
//   json   the object that was read, or a new one, with what was found
std::string reply(const Line& line, const Subword& target, const OutputOptions& options);

}  // namespace tt
