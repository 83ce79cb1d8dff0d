#include "text/tree.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/error.h"
#include "base/report.h"
#include "base/split.h"

namespace tt {
namespace {

constexpr std::string_view kSpace = " \t\r\f\v";

constexpr std::string_view kTrace = "-NONE-";

// NP-SBJ-1, NP=2 -> NP. What begins with one of these signs is a label of its own: -NONE-, -LRB-.
std::string plain(std::string_view label) {
  const std::size_t end = label.find_first_of("-=");
  return std::string(end == 0 ? label : label.substr(0, end));
}

bool is_top(const std::string& label) { return label.empty() || label == "TOP" || label == "ROOT"; }

// Calls opens(constituent), leaf(index) and closes(constituent) in the order of the text.
template <class Opens, class OnLeaf, class Closes>
void walk(const Tree& tree, const Opens& opens, const OnLeaf& leaf, const Closes& closes) {
  std::vector<const Tree::Constituent*> open;
  auto next = tree.constituents.begin();
  for (std::size_t i = 0; i <= tree.leaves.size(); ++i) {
    for (; !open.empty() && open.back()->end == i; open.pop_back()) closes(*open.back());
    for (; next != tree.constituents.end() && next->begin == i; ++next) {
      opens(*next);
      open.push_back(&*next);
    }
    if (i < tree.leaves.size()) leaf(i);
  }
}

std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; (at = line.find_first_not_of(kSpace, at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kSpace, at), line.size());
    all.push_back(line.substr(at, end - at));
    at = end;
  }
  return all;
}

// Whether a token of a linear form stands for a word.
bool is_place(std::string_view token) { return token.find_first_of("()") == token.npos; }

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kMostPairs = 100'000'000;  // of a place and a word that are compared: 400 MB

// The word of each place, or none.
std::vector<std::size_t> in_order(std::size_t places, std::size_t words) {
  std::vector<std::size_t> word_of;
  for (std::size_t i = 0; i < places; ++i) word_of.push_back(i < words ? i : kNone);
  return word_of;
}

// As above, with the least number of words replaced, left out and put in.
std::vector<std::size_t> aligned(const std::vector<std::string_view>& places,
                                 const std::vector<std::string>& words) {
  std::size_t same = 0;  // at the beginning
  while (same < places.size() && same < words.size() && places[same] == words[same]) ++same;
  const std::size_t m = places.size() - same, n = words.size() - same, row = n + 1;
  std::vector<std::size_t> word_of = in_order(places.size(), words.size());
  if (m * n > kMostPairs) return word_of;
  word_of.resize(same);
  std::vector<std::uint32_t> cost(
      (m + 1) * row);  // of the places from same + i on and the words from same + j on
  const auto other = [&](std::size_t i, std::size_t j) {
    return places[same + i] == words[same + j] ? 0u : 1u;
  };
  for (std::size_t i = m + 1; i-- > 0;)
    for (std::size_t j = n + 1; j-- > 0;) {
      std::uint32_t& least = cost[i * row + j];
      if (i == m || j == n) least = static_cast<std::uint32_t>(m - i + n - j);
      else
        least = std::min(cost[(i + 1) * row + j + 1] + other(i, j),
                         1 + std::min(cost[(i + 1) * row + j], cost[i * row + j + 1]));
    }
  for (std::size_t j = 0; word_of.size() < places.size();) {
    const std::size_t i = word_of.size() - same;
    const std::uint32_t here = cost[i * row + j];
    if (j < n && here == cost[(i + 1) * row + j + 1] + other(i, j)) word_of.push_back(same + j++);
    else if (j == n || here == 1 + cost[(i + 1) * row + j]) word_of.push_back(kNone);
    else ++j;
  }
  return word_of;
}

// Takes out constituents without words, and what stands around the tree.
void prune(Tree& tree) {
  std::erase_if(tree.constituents, [](const Tree::Constituent& c) { return c.begin == c.end; });
  if (tree.constituents.empty()) return;
  const Tree::Constituent& first = tree.constituents.front();
  if (first.begin == 0 && first.end == tree.leaves.size() && is_top(first.label))
    tree.constituents.erase(tree.constituents.begin());
}

// Prunes a tree that has been read.
void finish(Tree& tree, const std::string& where) {
  if (tree.leaves.empty()) throw Error(where, ": a tree without words; take it out");
  prune(tree);
  for (const Tree::Constituent& c : tree.constituents)
    if (c.label.empty())
      throw Error(where,
                  ": a constituent without a label, which only the outermost bracket may be; write "
                  "(NP (NN dog))");
}

void check_beginning(std::string_view text, const LineReader& lines) {
  if (text == ")")
    throw Error(
        lines.where(),
        ": a closing bracket that nothing was opened for; take it out, or put in the opening one");
  if (text.starts_with("\xEF\xBB\xBF"))
    throw Error(lines.where(), ": a byte-order mark stands before the tree; take it out");
  if (text != "(")
    throw Error(lines.where(), ": ", in_quotes(text),
                " stands between trees; take it out, a tree is in brackets");
}

}  // namespace

bool TreeReader::token(std::string_view& token) {
  while ((at_ = line_.find_first_not_of(kSpace, at_)) == line_.npos) {
    if (!lines_.next(line_)) return false;
    at_ = 0;
  }
  const char c = line_[at_];
  const std::size_t end = c == '(' || c == ')'
                              ? at_ + 1
                              : std::min(line_.find_first_of("() \t\r\f\v", at_), line_.size());
  token = std::string_view(line_).substr(at_, end - at_);
  at_ = end;
  return true;
}

std::string TreeReader::where() const { return lines_.name() + ":" + std::to_string(began_); }

std::optional<Tree> TreeReader::next() {
  // An open bracket: what it has so far. One with a word is a leaf.
  struct Bracket {
    std::size_t constituent;  // its place in the tree
    std::string label, word;
    bool labelled, filled;  // filled: with brackets
  };
  Tree tree;
  std::vector<Bracket> open;
  std::string_view text;
  do {
    const bool more = token(text);
    if (open.empty()) {
      if (!more) return std::nullopt;
      began_ = lines_.line_number();
      check_beginning(text, lines_);
    } else if (!more) {
      throw Error(where(), ": the tree that begins here lacks ",
                  count_of(open.size(), "closing bracket"),
                  "; put them in, or read a file that is not cut off");
    }
    if (text == "(") {
      if (!open.empty() && !open.back().word.empty())
        throw Error(lines_.where(), ": the word ", in_quotes(open.back().word),
                    " stands beside brackets; give it a tag: (NN dog)");
      if (!open.empty()) open.back().labelled = open.back().filled = true;
      open.push_back({tree.constituents.size(), "", "", false, false});
      tree.constituents.push_back({"", tree.leaves.size(), 0});
    } else if (text != ")") {
      Bracket& b = open.back();
      if (!b.labelled) {
        b.label = text;
        b.labelled = true;
      } else if (b.word.empty() && !b.filled) {
        b.word = text;
      } else {
        throw Error(lines_.where(), ": the word ", in_quotes(text),
                    " has no tag of its own; write (NN dog)");
      }
    } else {
      const Bracket b = std::move(open.back());
      open.pop_back();
      Tree::Constituent& c = tree.constituents[b.constituent];
      if (!b.filled && b.word.empty())
        throw Error(lines_.where(),
                    b.label.empty() ? ": empty brackets"
                                    : ": brackets without a word, labelled " + in_quotes(b.label),
                    "; give them a word, (NN dog), or take them out");
      if (b.filled) {
        c.label = plain(b.label);
        c.end = tree.leaves.size();
      } else {
        if (b.label != kTrace) tree.leaves.push_back({plain(b.label), b.word});
        c.end = c.begin;  // a leaf is no constituent
      }
    }
  } while (!open.empty());
  finish(tree, where());
  return tree;
}

std::string words(const Tree& tree) { return join(tree.leaves, " ", &Tree::Leaf::word); }

std::string brackets(const Tree& tree) {
  std::string line = "(TOP";
  walk(
      tree, [&](const auto& c) { line += " (" + c.label; },
      [&](std::size_t i) { line += " (" + tree.leaves[i].tag + " " + tree.leaves[i].word + ")"; },
      [&](const auto&) { line += ")"; });
  return line + ")";
}

void each_subtree(const Tree& tree, const std::function<void(const Tree&)>& f) {
  f(tree);
  std::size_t begin = 0, end = tree.leaves.size();  // of the last one
  for (auto c = tree.constituents.begin(); c != tree.constituents.end(); ++c) {
    if (c->end - c->begin < 2 || (c->begin == begin && c->end == end)) continue;
    begin = c->begin;
    end = c->end;
    Tree part;
    for (std::size_t i = begin; i < end; ++i) part.leaves.push_back(tree.leaves[i]);
    for (auto inner = c; inner != tree.constituents.end() && inner->begin < end; ++inner)
      part.constituents.push_back({inner->label, inner->begin - begin, inner->end - begin});
    f(part);
  }
}

std::string linear(const Tree& tree, LeafForm form) {
  std::string line;
  const auto add = [&](const std::string& token) { line += (line.empty() ? "" : " ") + token; };
  const auto leaf = [&](const Tree::Leaf& at) {
    return form == LeafForm::tag ? at.tag : form == LeafForm::word ? at.word : "XX";
  };
  walk(
      tree, [&](const auto& c) { add("(" + c.label); },
      [&](std::size_t i) { add(leaf(tree.leaves[i])); },
      [&](const auto& c) { add(")" + c.label); });
  return line;
}

Tree read_linear(std::string_view line, const std::vector<std::string>& words, bool& repaired,
                 LeafForm form) {
  Tree tree;
  std::vector<std::size_t> open;
  repaired = false;
  const std::vector<std::string_view> tokens = fields(line);
  std::vector<std::string_view> places;
  std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(places), is_place);
  const std::vector<std::size_t> word_of =
      form == LeafForm::word ? aligned(places, words) : in_order(places.size(), words.size());
  std::size_t at = 0;  // in places
  std::vector<std::size_t> next_word(
      word_of.size(), kNone);  // of each place the word of it, or of the next place that has one
  for (std::size_t i = word_of.size(); i-- > 0;)
    next_word[i] = word_of[i] != kNone || i + 1 == word_of.size() ? word_of[i] : next_word[i + 1];
  const auto leaf = [&](std::string_view tag) {
    const std::size_t i = tree.leaves.size();
    tree.leaves.push_back({std::string(tag), words[i]});
  };
  // Words without a place, up to that of the next place that has one.
  const auto leaves_before = [&](std::size_t next) {
    if (next == word_of.size() || next_word[next] == kNone) return;
    for (; tree.leaves.size() < next_word[next]; repaired = true) leaf("XX");
  };
  for (const std::string_view token : tokens) {
    const std::string_view label = token.substr(1);
    if (is_place(token)) {
      leaves_before(at);
      const std::size_t word = word_of[at++];
      if (word == kNone || (form == LeafForm::word ? token != words[word] : token == kTrace))
        repaired = true;
      if (word == kNone) continue;
      leaf(form == LeafForm::word || token == kTrace ? "XX" : token);
      leaves_before(at);
    } else if (token[0] == '(' && !label.empty() && label.find_first_of("()") == label.npos) {
      open.push_back(tree.constituents.size());
      tree.constituents.push_back({std::string(label), tree.leaves.size(), 0});
    } else if (token[0] == ')' && !open.empty()) {
      Tree::Constituent& c = tree.constituents[open.back()];
      if (c.label != label) repaired = true;
      c.end = tree.leaves.size();
      if (c.begin == c.end) repaired = true;
      open.pop_back();
    } else {
      repaired = true;
    }
  }
  const std::size_t placed = tree.leaves.size();
  if (!open.empty() || placed < words.size()) repaired = true;
  while (tree.leaves.size() < words.size()) leaf("XX");
  for (const std::size_t i : open) tree.constituents[i].end = placed;
  // The phrase that was opened first takes the words without a place, if it holds all others.
  if (placed < words.size() && !tree.constituents.empty()) {
    Tree::Constituent& first = tree.constituents.front();
    if (first.begin == 0 && first.end == placed) first.end = words.size();
  }
  prune(tree);
  return tree;
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> all;
  for (const std::string_view word : fields(line)) {
    std::string safe;
    for (const char c : word)
      safe += c == '(' ? std::string("-LRB-") : c == ')' ? std::string("-RRB-") : std::string(1, c);
    all.push_back(std::move(safe));
  }
  return all;
}

}  // namespace tt
