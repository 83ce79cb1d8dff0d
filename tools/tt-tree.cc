// tt-tree: constituency trees as lines that a translator can learn, back again, and how well they
// agree.
#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/formatted.h"
#include "base/report.h"
#include "metrics/parseval.h"
#include "text/phrase_heads.h"
#include "text/tree.h"
#include "tools/main.h"

namespace tt {
namespace {

struct Flags {
  std::string input = "-", other;
  bool tags = false, words = false, score_only = false;
};

int each_tree(const Flags& flags, const auto& write) {
  check_not_read("-", {{flags.input}});
  TreeReader in(flags.input);
  Output out("-");
  while (const auto tree = in.next()) write(*tree, out);
  out.close();
  return kDone;
}

std::string trees_have(std::size_t n) {
  return with_commas(n) + (n == 1 ? " tree has" : " trees have");
}

// "2 0 2": the number of the word that each word depends on.
int write_heads(const Flags& flags) {
  std::size_t number = 0, untagged = 0, first = 0;
  each_tree(flags, [&](const Tree& tree, Output& out) {
    std::string line;
    const auto of = governors(tree);
    for (std::size_t i = 0; i < of.size(); ++i)
      line += (i ? " " : "") + std::to_string(of[i] == i ? 0 : of[i] + 1);
    ++number;
    const auto no_tag = [](const Tree::Leaf& leaf) { return leaf.tag == "XX"; };
    if (std::ranges::all_of(tree.leaves, no_tag) && untagged++ == 0) first = number;
    out.line(line);
  });
  if (untagged == 0) return kDone;
  warn(trees_have(untagged) + " XX for all tags, by which heads are found (first: tree " +
       std::to_string(first) + "); keep the tags (linear --tags)");
  return kDegraded;
}

int parse(const Flags& flags) {
  check_not_read("-", {{flags.input, flags.other}});
  LineReader in(flags.input), sentences(flags.other);
  Output out("-");
  std::string line, sentence;
  std::size_t repaired = 0, first = 0;
  while (in.next(line)) {
    if (!sentences.next(sentence))
      throw Error(in.where(), ": there is no line of words for it in ", flags.other, ", which has ",
                  sentences.line_number());
    const std::vector<std::string> words = split_words(sentence);
    if (words.empty())
      throw Error(sentences.where(), ": no words, and so no tree; take the line out");
    bool broken;
    out.line(
        brackets(read_linear(line, words, broken, flags.words ? LeafForm::word : LeafForm::tag)));
    if (broken && repaired++ == 0) first = in.line_number();
  }
  if (sentences.next(sentence))
    throw Error(sentences.where(), ": there is no tree for this line in ", in.name());
  out.close();
  if (repaired == 0) return kDone;
  warn(with_commas(repaired) + " of " + with_commas(in.line_number()) +
       " trees were malformed, and repaired (first: line " + std::to_string(first) + ")");
  return kDegraded;
}

int score(const Flags& flags) {
  TreeReader in(flags.input), gold_in(flags.other);
  metrics::Parseval result;
  std::size_t others = 0;
  std::string first;  // of them
  while (const auto gold = gold_in.next()) {
    const auto found = in.next();
    const auto number = result.sentences + 1;
    if (!found)
      throw Error(gold_in.where(), ": tree ", number, " has none beside it in ", in.name(),
                  "; give one for each");
    if (found->leaves.size() != gold->leaves.size())
      throw Error(in.where(), ": tree ", number, " has ", count_of(found->leaves.size(), "word"),
                  " where ", gold_in.where(), " has ", gold->leaves.size(),
                  "; give the parser those (tt-tree words)");
    result.add(*gold, *found);
    const auto [right, wrong] = std::ranges::mismatch(gold->leaves, found->leaves, {},
                                                      &Tree::Leaf::word, &Tree::Leaf::word);
    if (right != gold->leaves.end() && others++ == 0)
      first = in.where() + " has " + in_quotes(wrong->word) + " where " + gold_in.where() +
              " has " + in_quotes(right->word);
  }
  if (in.next())
    throw Error(in.where(), ": tree ", result.sentences + 1, " has none beside it in ",
                gold_in.name());
  if (result.sentences == 0)
    throw Error(gold_in.name(), ": no trees; give a file with one at least");
  Output out("-");
  out.line(flags.score_only
               ? formatted("%.2f", result.f1())
               : formatted("F1 = %.2f  recall = %.2f  precision = %.2f  complete = %.2f  "
                           "sentences = %lld",
                           result.f1(), result.recall(), result.precision(), result.complete(),
                           static_cast<long long>(result.sentences)));
  out.close();
  if (others == 0) return kDone;
  warn(trees_have(others) + " other words than those of " + gold_in.name() + ": " + first);
  return kDegraded;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  const Option trees{"FILE", file(flags.input), "trees in brackets; -: stdin"},
      lines{"FILE", file(flags.input), "lines of brackets with labels; -: stdin"};
  const auto command = [&](const char* called, const char* summary, std::vector<Option> rows,
                           std::function<int()> work) {
    return Command{called, summary, {{"Options", std::move(rows)}}, [&flags, work] {
                     check_stdin_once({flags.input, flags.other});
                     return work();
                   }};
  };
  const auto write_words = [](const Tree& tree, Output& out) { out.line(words(tree)); };
  const auto write_linear = [&](const Tree& tree, Output& out) {
    out.line(linear(tree, flags.words  ? LeafForm::word
                          : flags.tags ? LeafForm::tag
                                       : LeafForm::xx));
  };
  const auto write_subtrees = [](const Tree& tree, Output& out) {
    each_subtree(tree, [&](const Tree& part) { out.line(brackets(part)); });
  };
  return run_tool(
      argc, argv,
      {.name = "tt-tree",
       .summary = "Turns constituency trees into lines and back; scores them.",
       .example = "tt-tree linear trees.mrg >lines",
       .commands = {
           command("words", "trees to lines of words", {trees},
                   [&] { return each_tree(flags, write_words); }),
           command("linear", "trees to lines of brackets with labels",
                   {trees,
                    {"--tags", toggle(flags.tags),
                     "parts of speech in the place of words instead of XX", kBrief},
                    {"--words", toggle(flags.words), "the words themselves",
                     excludes("--tags") + kBrief}},
                   [&] { return each_tree(flags, write_linear); }),
           command("subtrees", "each constituent as a tree of its own", {trees},
                   [&] { return each_tree(flags, write_subtrees); }),
           command("heads", "for each word the number of the word that it depends on", {trees},
                   [&] { return write_heads(flags); }),
           command(
               "parse", "lines of brackets with labels to trees over given words",
               {{"WORDS", file(flags.other), "a line of words for each tree; -: stdin", kRequired},
                lines,
                {"--words", toggle(flags.words), "the lines were made with --words", kBrief}},
               [&] { return parse(flags); }),
           command("score", "F1 of trees against others, as evalb counts it",
                   {{"GOLD", file(flags.other), "the right trees; -: stdin", kRequired},
                    {"FILE", file(flags.input), "the trees to score; -: stdin"},
                    {"-b,--score-only", toggle(flags.score_only), "print F1 alone", kBrief}},
                   [&] { return score(flags); }),
       }});
}
