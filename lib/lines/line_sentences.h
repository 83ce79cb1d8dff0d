// Lines as the sentences that are translated by themselves, and back.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decode/align.h"
#include "decode/translator.h"
#include "lines/letter_case.h"
#include "text/sentences.h"

namespace tt {

struct SentenceOptions {
  std::string language;      // a line is split by its rules; empty: translated as one sentence
  bool pass_through = true;  // what has no letter stays as it is
  bool letter_case = false;  // what is in capitals, or a title, is read in small letters
};

// A stretch of a line, and what became of it.
struct LineSentence {
  TextRange range;                        // of the line's text
  Request request;                        // its requirements have their places in its own text
  std::vector<std::size_t> requirements;  // which of the line's these are
  bool passes = false;                    // it is its own translation
  bool several = false;                   // it is obviously more than one sentence
  LetterCase letter_case = LetterCase::as_it_is;
  std::string written = {};  // as the line had it, where its text is in small letters now
  Translated result = {};

  const Translation& best(std::size_t b) const;  // the last where there are fewer
};

// The words of a line, where a gap parts words and has none.
std::vector<TextRange> words_between_gaps(const Request& line);

// A translation of a line, and where those of its sentences and the gaps of the line are in it.
struct JoinedText {
  std::string text;
  std::vector<TextRange> sentences, gaps;
};

class SplitLine {
 public:
  // The line as one sentence.
  explicit SplitLine(const Request& line) : sentences{{{0, line.text.size()}, line, {}}} {}
  // One sentence, to be translated by itself, for each range, in order and not overlapping. Those
  // that a requirement stands in stay together; a line without any is one blank sentence.
  SplitLine(const Request& line, std::vector<TextRange> ranges);

  // The results of the sentences as that of the line: translations with the white space between
  // them that was there, or gaps, the best with the best, and so on; of white space around a line
  // only that with an LF or a gap stays. It lacks `replaced`, which means nothing in a text of
  // several sentences.
  Translated joined(const Request& line) const;
  // The text of the b-th of these.
  JoinedText text(const Request& line, std::size_t b) const;
  // Alignments of the b-th translations with the sentences as one with the line; what passed is
  // aligned with itself. Gaps part words and have none.
  SoftAlignment joined(const Request& line, std::size_t b,
                       std::span<const SoftAlignment> of_sentences) const;

  std::vector<LineSentence> sentences;  // at least one
};

// How lines are split. Any number of threads may use it.
class LineSplitter {
 public:
  // Sentences without a letter are translated only if no piece of `source` has a letter.
  LineSplitter(const SentenceOptions& options, const Subword& source);

  // A text is always parted at its LFs and its gaps.
  SplitLine split(const Request& line) const;

 private:
  void read_in_small_letters(LineSentence& sentence) const;

  std::unique_ptr<SentenceSplitter> asked_;
  SentenceSplitter any_language_;
  bool pass_through_, letter_case_, capitals_ = false;  // capitals_: the model reads some
};

// Sets the results of all sentences: by translate() of all that do not pass, in order. Those that
// pass have `count` translations, which are themselves, without pieces.
void translate_sentences(
    std::span<SplitLine> lines, std::size_t count,
    const std::function<std::vector<Translated>(std::span<const Request>)>& translate);

}  // namespace tt
