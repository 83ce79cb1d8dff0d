// Constituency trees as bracketed text, and as the sequences of tokens that a translator can learn
// to write (Vinyals et al. 2015, "Grammar as a Foreign Language"; table 4 of "Attention Is All You
// Need").
//
//   brackets   (S (NP (DT a) (NN dog)) (VP (VBZ barks)) (. .))
//   linear     (S (NP XX XX )NP (VP XX )VP XX )S            XX stands for each word, or its tag
//                                                           does (DT), or the word itself
//
// A tree is flat: its words, and its constituents with the words that they cover. So no depth of
// brackets is too deep.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_reader.h"

namespace tt {

struct Tree {
  struct Leaf {
    std::string tag, word;
  };
  struct Constituent {
    std::string label;
    std::size_t begin, end;  // words [begin, end), one at least

    bool operator==(const Constituent&) const = default;
  };
  std::vector<Leaf> leaves;
  std::vector<Constituent> constituents;  // in the order of their opening brackets
};

// Reads bracketed trees, over any number of lines each. Function tags are cut from labels (NP-SBJ-1
// and NP=2 are NP); traces (tagged -NONE-), and constituents that hold nothing else, are left out,
// and so is a bracket around the tree without a label or with TOP or ROOT.
class TreeReader {
 public:
  explicit TreeReader(const std::string& path) : lines_(path) {}

  // The next tree; none at the end. Throws Error, with the line, if brackets do not pair up, a tree
  // has no words, a word has no tag of its own, or there is text between trees.
  std::optional<Tree> next();

  const std::string& name() const { return lines_.name(); }
  std::string where() const;  // "path:line" of the tree that was returned last

 private:
  bool token(std::string_view& token);

  LineReader lines_;
  std::string line_;
  std::size_t at_ = 0, began_ = 0;  // in line_; the line of the tree's first bracket
};

// "a dog barks ."
std::string words(const Tree& tree);

// The tree in brackets, on one line.
std::string brackets(const Tree& tree);

// Calls f with the tree itself, and with each constituent of more than one word as a tree of its
// own; of those that cover the same words, the outermost. The order is that of the opening
// brackets.
void each_subtree(const Tree& tree, const std::function<void(const Tree&)>& f);

// The item in the place of a word in the linear form.
enum class LeafForm { xx, tag, word };

std::string linear(const Tree& tree, LeafForm form = LeafForm::xx);

// The tree that a linear form stands for, over these words; its tags are what stands in their
// places, or XX if words do. What is malformed is repaired, and `repaired` then set: a closing
// bracket closes the constituent that was opened last, whatever its label, or nothing if none is
// open; a trace's tag becomes XX; constituents that hold no word are left out; brackets that are
// still open close at the end. Places are those of the words in their order; where words stand in
// them, of those that they agree with in the least number of words replaced, left out and put in
// (where there are 100 million pairs to compare, in their order). Places that there are too many of
// are left out; a word that has none comes after the one before it, and those at the end in the
// constituent that was opened first if it holds all others. A TOP or ROOT around all is left out,
// as TreeReader does.
Tree read_linear(std::string_view line, const std::vector<std::string>& words, bool& repaired,
                 LeafForm form = LeafForm::xx);

// Words as trees have them: a bracket is -LRB- or -RRB-.
std::vector<std::string> split_words(std::string_view line);

}  // namespace tt
