// A line on its way to a model: what is left of it to be translated, and what must stay.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decode/problem.h"
#include "decode/translator.h"

namespace tt {

// A stretch of a line that is translated by itself, and what became of it.
struct LineSentence {
  TextRange range;                        // of the line's text
  Request request;                        // its requirements have their places in its own text
  std::vector<std::size_t> requirements;  // which of the line's these are; none: as the line's
  bool passes = false;                    // it is its own translation
  bool several = false;                   // it is obviously more than one sentence
  std::vector<LanguagePieces> context_pieces = {};  // by member, with a context: documents.h
  Translated result = {};

  const Translation& best(std::size_t b) const;  // the last where there are fewer
};

struct LineText {
  std::uint64_t number = 0;  // of the line, from 1
  std::string text;
  std::string prefix;    // text that its translation begins with
  std::string target;    // its translation, if that is to be scored
  std::string document;  // the name of that it is in; empty: it has none
  // Sentences before it and their translations, where it gives them itself.
  std::optional<std::vector<std::pair<std::string, std::string>>> context;
  bool wrong_context = false;                  // what it gives as that is something else
  LanguageNames languages;                     // that it names
  std::vector<std::string> unnamed_languages;  // fields that should name one, and are no strings
  std::span<const LanguagePieces> pieces;      // of its languages, by member
  std::vector<Requirement> requirements;       // on its translation
  std::vector<TextRange> untranslated;         // between sentences, in order: they stay
  std::vector<TextRange> untouched;            // the model reads them; they stay nevertheless
  std::vector<LineSentence> sentences;         // at least one
  bool remembered = false;                     // its translation is in a memory: no text is left
  bool answerable = true;                      // false: there is no text in it
  Problems problems;

  // It cannot be answered, and is left as it is.
  void refuse(Problem why);
};

// The words of a line, where an untranslated stretch parts words and has none.
std::vector<TextRange> translated_words(const LineText& line);

}  // namespace tt
