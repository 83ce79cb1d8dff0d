#include "text/phrase_heads.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace tt {
namespace {

// A word, or a constituent whose head is known.
struct Child {
  std::string label;
  std::size_t head;
  bool punctuation;  // and nothing else
};
using Children = std::vector<Child>;

// Labels in the order in which they are sought, each from the left or from the right; where there
// is none of them, the first child from that side is the head.
struct Rule {
  bool from_left;
  std::vector<std::string_view> labels;
};

const std::map<std::string_view, Rule>& rules() {
  static const std::map<std::string_view, Rule> all = {
      {"ADJP",
       {true,
        {"NNS", "QP", "NN", "$", "ADVP", "JJ", "VBN", "VBG", "ADJP", "JJR", "NP", "JJS", "DT", "FW",
         "RBR", "RBS", "SBAR", "RB"}}},
      {"ADVP",
       {false,
        {"RB", "RBR", "RBS", "FW", "ADVP", "TO", "CD", "JJR", "JJ", "IN", "NP", "JJS", "NN"}}},
      {"CONJP", {false, {"CC", "RB", "IN"}}},
      {"FRAG", {false, {}}},
      {"LST", {false, {"LS", ":"}}},
      {"NAC",
       {true,
        {"NN", "NNS", "NNP", "NNPS", "NP", "NAC", "EX", "$", "CD", "QP", "PRP", "VBG", "JJ", "JJS",
         "JJR", "ADJP", "FW"}}},
      {"PP", {false, {"IN", "TO", "VBG", "VBN", "RP", "FW"}}},
      {"PRT", {false, {"RP"}}},
      {"QP", {true, {"$", "IN", "NNS", "NN", "JJ", "RB", "DT", "CD", "NCD", "QP", "JJR", "JJS"}}},
      {"RRC", {false, {"VP", "NP", "ADVP", "ADJP", "PP"}}},
      {"S", {true, {"TO", "IN", "VP", "S", "SBAR", "ADJP", "UCP", "NP"}}},
      {"SBAR",
       {true, {"WHNP", "WHPP", "WHADVP", "WHADJP", "IN", "DT", "S", "SQ", "SINV", "SBAR", "FRAG"}}},
      {"SBARQ", {true, {"SQ", "S", "SINV", "SBARQ", "FRAG"}}},
      {"SINV", {true, {"VBZ", "VBD", "VBP", "VB", "MD", "VP", "S", "SINV", "ADJP", "NP"}}},
      {"SQ", {true, {"VBZ", "VBD", "VBP", "VB", "MD", "VP", "SQ"}}},
      {"UCP", {false, {}}},
      {"VP",
       {true,
        {"TO", "VBD", "VBN", "MD", "VBZ", "VB", "VBG", "VBP", "VP", "ADJP", "NN", "NNS", "NP"}}},
      {"WHADJP", {true, {"CC", "WRB", "JJ", "ADJP"}}},
      {"WHADVP", {false, {"CC", "WRB"}}},
      {"WHNP", {true, {"WDT", "WP", "WP$", "WHADJP", "WHPP", "WHNP"}}},
      {"WHPP", {false, {"IN", "TO", "FW"}}},
  };
  return all;
}

// A word of punctuation is the head of punctuation alone.
bool is_punctuation(std::string_view tag) {
  static constexpr std::array<std::string_view, 7> kTags = {",",  ":",     ".",    "``",
                                                            "''", "-LRB-", "-RRB-"};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// The first child from one side with one of these labels; none if there is none.
std::size_t first_of(const Children& children, bool from_left,
                     const std::vector<std::string_view>& labels) {
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::size_t at = from_left ? i : children.size() - 1 - i;
    if (std::find(labels.begin(), labels.end(), children[at].label) != labels.end()) return at;
  }
  return kNone;
}

std::size_t head_of_noun_phrase(const Children& children) {
  if (children.back().label == "POS") return children.size() - 1;
  const std::pair<bool, std::vector<std::string_view>> steps[] = {
      {false, {"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"}},
      {true, {"NP"}},
      {false, {"$", "ADJP", "PRN"}},
      {false, {"CD"}},
      {false, {"JJ", "JJS", "RB", "QP"}}};
  for (const auto& [from_left, labels] : steps)
    if (const std::size_t at = first_of(children, from_left, labels); at != kNone) return at;
  return children.size() - 1;
}

std::size_t head_of(const std::string& label, const Children& children) {
  std::size_t at = kNone;
  if (label == "NP" || label == "NX") {
    at = head_of_noun_phrase(children);
  } else {
    const auto found = rules().find(label);
    const bool from_left = found == rules().end() || found->second.from_left;
    if (found != rules().end())
      for (const std::string_view one : found->second.labels)
        if ((at = first_of(children, from_left, {one})) != kNone) break;
    if (at == kNone) at = from_left ? 0 : children.size() - 1;
  }
  // The head of two phrases with a conjunction between them is that of the first.
  if (at >= 2 && children[at - 1].label == "CC") at -= 2;
  return at;
}

}  // namespace

std::vector<std::size_t> governors(const Tree& tree) {
  const std::size_t words = tree.leaves.size(), count = tree.constituents.size();
  std::vector<std::size_t> governor(words, kNone), head(count + 1);
  std::vector<bool> punctuation(count + 1);  // nothing else is inside
  // The constituent around each, `count` being the whole tree; `ends` of those that are open.
  std::vector<std::vector<std::size_t>> inner(count + 1), leaves(count + 1);
  std::vector<std::size_t> open = {count};
  std::size_t next = 0;
  for (std::size_t i = 0; i < words; ++i) {
    while (open.size() > 1 && tree.constituents[open.back()].end <= i) open.pop_back();
    for (; next < count && tree.constituents[next].begin == i; ++next) {
      inner[open.back()].push_back(next);
      open.push_back(next);
    }
    leaves[open.back()].push_back(i);
  }
  const auto close = [&](std::size_t c) {
    // Its words and constituents in their order.
    Children children;
    auto leaf = leaves[c].begin();
    for (std::size_t k = 0; k <= inner[c].size(); ++k) {
      const std::size_t until = k < inner[c].size() ? tree.constituents[inner[c][k]].begin : words;
      for (; leaf != leaves[c].end() && *leaf < until; ++leaf)
        children.push_back({tree.leaves[*leaf].tag, *leaf, is_punctuation(tree.leaves[*leaf].tag)});
      if (k == inner[c].size()) continue;
      const std::size_t part = inner[c][k];
      children.push_back({tree.constituents[part].label, head[part], punctuation[part]});
    }
    Children heads;
    std::copy_if(children.begin(), children.end(), std::back_inserter(heads),
                 [](const Child& child) { return !child.punctuation; });
    punctuation[c] = heads.empty();
    if (heads.empty()) heads = children;
    head[c] = heads[head_of(c < count ? tree.constituents[c].label : "TOP", heads)].head;
    for (const Child& child : children)
      if (child.head != head[c]) governor[child.head] = head[c];
  };
  // Inner phrases come later in the order of opening brackets.
  for (std::size_t c = count; c-- > 0;) close(c);
  close(count);
  governor[head[count]] = head[count];
  return governor;
}

}  // namespace tt
