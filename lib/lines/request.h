// Lines of input as requests.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decode/translator.h"
#include "lines/accelerator.h"
#include "lines/glossary.h"
#include "lines/markup_line.h"
#include "text/kept.h"

namespace tt {

// How lines are to be read.
struct InputOptions {
  bool json = false;  // a line is a JSON object, whose "text" is to be translated, and whose
                      // "prefix", where it has one, to be begun with; "from" and "to" are languages
  std::uint64_t first_line = 1;  // the number of the first, where it is a part of a text
  int column = 0;  // a line has columns with TABs between them, of which this one, from 1, is to be
                   // translated; 0: it has none
  int from_column = 0, to_column = 0;  // columns that name its languages; 0: none does
  const Glossary* glossary = nullptr;  // terms that translations must have; null: none
  Keep keep;
  MarkupKind markup = MarkupKind::none;
  bool accelerators = false;  // a line may have the sign of one, which its translation has too
  enum class Second { none, prefix, target } second = Second::none;  // what stands behind an LF
};

// Why a line is degraded: a reason, which other lines may share, and what it is in this line, or
// nothing. In a reason # stands for a number: "# characters that ...".
struct Problem {
  std::string reason, details;
  std::size_t number = 0;
};
std::string text_of(const Problem& problem);

struct InputLine {
  std::string raw;  // without what stands behind an LF, its UTF-8 repaired
  Request request;
  LanguageNames languages;  // that it names
  std::vector<std::string> no_languages =
      {};                  // fields of an object that should, but are no strings
  bool answerable = true;  // false: there is no text in it
  bool object =
      false;  // `raw` is a JSON object, to which the answer, or what is wrong, can be added
  std::optional<Accelerator> accelerator;    // of its text
  std::shared_ptr<const MarkupLine> markup;  // of its text; null: it has none
  std::vector<Problem> problems;             // each reason once
};

// Reads line `number`, from 1. What is wrong with it is among its problems.
InputLine read_line(std::string_view line, std::uint64_t number, const InputOptions& options);

// The line with another text in a column, from 1, that it has.
std::string replace_column(const std::string& line, int column, const std::string& by);

}  // namespace tt
