// A line of HTML or XML as the text that is translated, and its markup in the translation.
//
// Inline tags are taken out of the text, and entities become the characters that they stand for.
// Markup between sentences stays in it untranslated: block tags of HTML with all that is between
// two of them where there is no text, and inline tags that have a block tag inside. In a
// translation, an element encloses one stretch: the one that agrees best with the words that come
// from those that it encloses, inside the element around it, and beside its siblings. What encloses
// nothing stands before the word that comes from the one behind it, or behind that of the one
// before. So every tag of the line is in the translation once, and elements are nested as they
// were.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decode/align.h"
#include "markup/tags.h"
#include "text/words.h"

namespace tt {

enum class MarkupKind { none, html, xml };

// A translation of the text, and which of its words come from where.
struct MarkedTranslation {
  std::string_view text;
  std::vector<TextRange> untranslated;         // where those of the source are in it, in order
  std::vector<TextRange> source_words, words;  // of both texts, none of them untranslated
  const SoftAlignment* alignment = nullptr;    // null, or without rows: not known
  std::vector<TextRange> kept = {};            // of the text, in order: no tag stands inside of one
  // Other stretches of the source that stay, in order, and where they are in it.
  std::vector<std::pair<TextRange, TextRange>> stays = {};
};

class MarkupLine {
 public:
  MarkupLine(std::string_view line, MarkupKind kind);

  const std::string& text() const { return text_; }
  const std::vector<TextRange>& untranslated() const { return untranslated_; }  // of the text
  // Stretches that are not translated: text that stands for <code> and the like, and entities
  // whose character is not known.
  std::vector<TextRange> untouched() const;
  const std::vector<Problem>& problems() const { return problems_; }
  bool needs_alignment() const { return !nodes_.empty(); }

  // The translation with the markup of the line. Appends tags that no word of the translation says
  // the place of.
  std::string put_back(const MarkedTranslation& translation,
                       std::vector<std::string>& unplaced) const;

 private:
  friend class MarkupPlacement;
  // An element, or what stands alone, inside of a segment: the text between two
  // untranslated stretches.
  struct Node {
    std::string open, close;  // what stands alone, or is untouched, is all in `open`
    TextRange range;          // of the text, that it encloses
    bool element = false;
    bool untouched = false;  // what it encloses stands for it, and is none of the translation
    bool space = false;      // it is one itself, as &nbsp;
    bool space_before = false, space_behind = false;  // white space or an end of the line is there
    std::size_t segment = 0;
    std::vector<std::size_t> inside = {};  // nodes, in order
  };
  class Builder;

  std::string text_;
  std::vector<TextRange> untranslated_;
  std::vector<Node> nodes_;                // in the order in which they begin
  std::vector<std::size_t> outermost_;     // nodes
  std::map<char32_t, std::string> spelt_;  // characters that the line writes as entities
  markup::Syntax references_;              // of its entities
  bool raw_ampersand_ = false, raw_less_ = false, raw_greater_ = false;  // in its text
  std::vector<Problem> problems_;
};

}  // namespace tt
