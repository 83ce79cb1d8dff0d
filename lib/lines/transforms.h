// All transforms of lines, in the order of the walk, and what may be asked of them.
//
// A new one is a file that defines its maker, a line of kTransforms, and an option in
// tools/lines.cc.
#pragma once

#include <optional>
#include <string>

#include "lines/glossary.h"
#include "lines/markup_line.h"
#include "lines/memory.h"
#include "lines/transform.h"
#include "text/kept.h"

namespace tt {

class Flaws;
class LineLanguages;

// How lines are to be read.
struct LineOptions {
  enum class Second { none, prefix, target } second = Second::none;  // what stands behind an LF
  bool json = false;  // a line is a JSON object, whose "text" is to be translated, and whose
                      // "prefix", where it has one, to be begun with; "from" and "to" are languages
  int column = 0;  // a line has columns with TABs between them, of which this one, from 1, is to be
                   // translated; 0: it has none
  int from_column = 0, to_column = 0;  // columns that name its languages; 0: none does
  int document_column = 0;             // the column that names its document; 0: none does
  MarkupKind markup = MarkupKind::none;
  bool accelerators = false;  // a line may have the sign of one, which its translation has too
  Keep keep;
  const Memory* memory = nullptr;      // lines with their translations; null: none
  const Glossary* glossary = nullptr;  // terms that translations must have; null: none
  bool whole = false;                  // it is never split, and nothing in it passes
  std::string sentences;     // it is split by the rules of this language; empty: only where it must
  bool pass_through = true;  // what has no letter stays as it is
  std::optional<int> context =
      {};                    // sentences before it that are read; not given: as the model does
  bool letter_case = false;  // what is in capitals, or a title, is read in small letters
  std::vector<std::string> flaws = {};  // that are looked for in translations (flaws.h)
  bool retry = false;                   // a sentence whose translation has one is searched again

  bool may_need_alignment() const {
    return markup != MarkupKind::none || accelerators || letter_case;
  }
};

// The models that translate, as transforms see them, which they must outlive.
struct LineModels {
  std::vector<const Subword*> sources;  // the first is that of the first model
  const Subword* target;
  std::int64_t longest = 1024;               // pieces of a sentence; longer ones are cut
  const LineLanguages* languages = nullptr;  // null: lines have none
  const Flaws* flaws = nullptr;              // that are reported; null: none
};

// Null: it is not asked for.
using MakeTransform = Transform(const LineOptions&, const LineModels&);

// Invalid bytes become U+FFFD, and what stands behind an LF is taken off. Reports what the models
// do not know or do not read, of the source outside of what is kept, a term, or passes, and of what
// the line gives as a prefix or as a translation; and unknown pieces of what is written.
MakeTransform characters_transform;
// The text of an object; the answer is the object with what was found.
MakeTransform json_transform;
// The text of a column; the answer is the line with another text in its place.
MakeTransform column_transform;
// A text that a memory has is taken out as a whole, and its translation put in its place.
MakeTransform memory_transform;
// Text without tags (markup_line.h). Without it tags are text, and missing ones are reported.
MakeTransform markup_transform;
MakeTransform accelerator_transform;
// Kept stretches become requirements, and line breaks that are spelled stay between sentences.
MakeTransform kept_transform;
MakeTransform glossary_transform;
MakeTransform languages_transform;
// The sentences of a line (sentences.h).
MakeTransform sentences_transform;
// Sentences in small letters (letter_case.h).
MakeTransform case_transform;
// Nothing is taken; loops, copies and omissions are reported (flaws.h).
MakeTransform flaws_transform;

inline constexpr MakeTransform* kTransforms[] = {
    characters_transform, json_transform,        column_transform, memory_transform,
    markup_transform,     accelerator_transform, kept_transform,   glossary_transform,
    languages_transform,  sentences_transform,   case_transform,   flaws_transform,
};

}  // namespace tt
