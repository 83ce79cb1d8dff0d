// The ends of a text's sentences.
//
// Candidates are the sentence boundaries of Unicode (Standard Annex 29, by ICU), a full stop before
// a number, a colon in Armenian, and the items of a list in a line. Of these are left out:
// boundaries behind abbreviations and initials (`sentence_words.h`), behind short and Roman numbers
// in languages that write ordinals so, and behind the number of an item; behind ! and ? where small
// letters go on; at three full stops that stand apart, and before punctuation that ends a line;
// before a reference in brackets behind a quotation; inside East Asian brackets, and behind those
// of a quotation where the sentence goes on. A text without capitals, as of lower-cased corpora,
// has no capitals to begin sentences with: there a full stop between spaces, or behind a word of
// more than one letter, ends a sentence. Thai, Lao and Khmer separate sentences by spaces, if at
// all: their text is one sentence.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

// Why no text is split by the rules of a language with this code; empty if it is.
std::string unknown_language(const std::string& code);

class SentenceSplitter {
 public:
  // For a language by its ISO 639 code, such as "de" or "deu"; empty: what holds for all. Throws
  // Error if there is no such language, or ICU lacks its data.
  explicit SentenceSplitter(const std::string& language = "");
  ~SentenceSplitter();

  // The sentences in their order, without the white space around them; none of a text without any
  // other character. Requires valid UTF-8. Any number of threads may call it.
  std::vector<TextRange> split(std::string_view text) const;

  // Whether at least two sentences have two words or more and . ! ? or their like at the end.
  bool obviously_several(std::string_view text) const;

 private:
  struct Rules;
  std::unique_ptr<Rules> rules_;
};

}  // namespace tt
