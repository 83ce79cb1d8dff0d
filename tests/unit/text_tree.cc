// Trees: read, written in both forms, repaired, and scored against cases that are worked out by
// hand.
#include "base/error.h"
#include "metrics/parseval.h"
#include "tests/catch.h"
#include "tests/unit/text_fixture.h"
#include "text/phrase_heads.h"
#include "text/tree.h"

namespace tt {
namespace {

std::vector<Tree> trees(const std::string& text) {
  const Scratch folder;
  TreeReader in(folder.file("trees", text));
  std::vector<Tree> all;
  while (auto tree = in.next()) all.push_back(std::move(*tree));
  return all;
}

Tree tree(const std::string& text) {
  const auto all = trees(text);
  REQUIRE(all.size() == 1);
  return all[0];
}

std::string refusal_of(const std::string& text) {
  try {
    trees(text);
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.substr(what.find("trees"));
  }
  return "(no error)";
}

const char kDog[] =
    "( (S\n    (NP-SBJ-1 (DT the) (NN dog) )\n    (VP (VBZ barks)\n      (S (NP-SBJ (-NONE- *-1) "
    ")))\n    (. .) ))\n";

// By hand, after Collins's rules: the head of S is its VP's, of NP the last noun, of PP the
// preposition; of "cats and dogs" the first; a possessive is the head of its phrase; a label
// without a rule has its first child for a head.
TEST_CASE("Words depend on the heads of their phrases") {
  using Words = std::vector<std::size_t>;
  CHECK(governors(tree("(NN dog)")) == Words{0});
  //                        0       1        2                 3         4             5       6 7
  CHECK(governors(tree("(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ eats) (PP (IN in) (NP (DT the) "
                       "(NN house)))) (. .))")) == Words{2, 2, 3, 3, 3, 6, 4, 3});
  CHECK(governors(tree("(S (NP (NNS cats) (CC and) (NNS dogs)) (VP (VBP eat)))")) ==
        Words{3, 0, 0, 3});
  CHECK(governors(tree("(NP (NP (NNP Ann) (POS 's)) (JJ small) (NN dog))")) == Words{1, 3, 3, 3});
  CHECK(governors(tree("(VP (TO to) (VP (VB see) (NP (PRP it))))")) == Words{0, 0, 1});
  CHECK(governors(tree("(ADVP (RB very) (RB often))")) == Words{1, 1});
  CHECK(governors(tree("(NP (CD 5) (JJ red))")) == Words{0, 0});
  CHECK(governors(tree("(ODD (A a) (B b))")) == Words{0, 0});
  // Punctuation is the head of punctuation alone, and stands in no conjunction's way.
  CHECK(governors(tree("(PP (PP (IN in) (NN x)) (, ,) (CC and) (PP (IN out) (NN y)))")) ==
        Words{0, 0, 0, 0, 0, 4});
  CHECK(governors(tree("(NP (NN a) (, ,) (CC and) (NNS b))")) == Words{0, 0, 0, 0});
  CHECK(governors(tree("(FRAG (NP (NN a)) (. .))")) == Words{0, 0});
  CHECK(governors(tree("(PRN (-LRB- -LRB-) (S (VP (VB go))) (-RRB- -RRB-))")) == Words{1, 1, 1});
  CHECK(governors(tree("(S (NP (: -) (, ,)) (X a))")) == Words{1, 2, 2});
  CHECK(governors(tree("(: (: -) (: -))")) == Words{0, 0});
  // Without a bracket around all, and chains of phrases of one word.
  CHECK(governors(tree("(TOP (NP (NN a)) (S (NP (NN b)) (VP (VB c))))")) == Words{0, 2, 0});
  CHECK(governors(tree("(S (S (S (VP (VB go)))) (. !))")) == Words{0, 0});
}

}  // namespace

TEST_CASE("trees are read over many lines, without function tags and traces") {
  const Tree dog = tree(kDog);
  CHECK(words(dog) == "the dog barks .");
  CHECK(brackets(dog) == "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))");
  CHECK(linear(dog) == "(S (NP XX XX )NP (VP XX )VP XX )S");
  CHECK(linear(dog, LeafForm::tag) == "(S (NP DT NN )NP (VP VBZ )VP . )S");
  CHECK(trees(std::string(kDog) + kDog).size() == 2);
  CHECK(brackets(tree(brackets(dog))) == brackets(dog));
  // Chains of constituents over the same words, labels that begin with a hyphen, and several trees
  // in one.
  CHECK(linear(tree("(S (VP (NP=2 (-LRB- -LRB-) (NN x) (-RRB- -RRB-))))"), LeafForm::tag) ==
        "(S (VP (NP -LRB- NN -RRB- )NP )VP )S");
  CHECK(linear(tree("(TOP (A (B b)) (C (D d)))")) == "(A XX )A (C XX )C");
  CHECK(brackets(tree("(NN dog)")) == "(TOP (NN dog))");
  CHECK(trees("").empty());
  CHECK(trees("\n \r\n").empty());
}

TEST_CASE("trees that are none are refused with their line") {
  CHECK(refusal_of("\n(S (A a)") ==
        "trees:2: the tree that begins here lacks 1 closing bracket; put them in, or read a file "
        "that is not cut off");
  CHECK(refusal_of("(S (A a)\n(B b") ==
        "trees:1: the tree that begins here lacks 2 closing brackets; put them in, or read a file "
        "that is not cut off");
  CHECK(refusal_of("(S (A a)))\n") ==
        "trees:1: a closing bracket that nothing was opened for; take it out, or put in the "
        "opening one");
  CHECK(refusal_of("(A a)\nhello") ==
        "trees:2: \"hello\" stands between trees; take it out, a tree is in brackets");
  CHECK(refusal_of("(S\n())") ==
        "trees:2: empty brackets; give them a word, (NN dog), or take them out");
  CHECK(refusal_of("(S (NP))") ==
        "trees:1: brackets without a word, labelled \"NP\"; give them a word, (NN dog), or take "
        "them out");
  CHECK(refusal_of("(S (NP the dog))") ==
        "trees:1: the word \"dog\" has no tag of its own; write (NN dog)");
  CHECK(refusal_of("(S (NP the (NN dog)))") ==
        "trees:1: the word \"the\" stands beside brackets; give it a tag: (NN dog)");
  CHECK(refusal_of("(S (NP (NN dog) the))") ==
        "trees:1: the word \"the\" has no tag of its own; write (NN dog)");
  CHECK(refusal_of("(A a)\n(S (-NONE- *))") == "trees:2: a tree without words; take it out");
  CHECK(refusal_of("(S ((A a) (B b)))") ==
        "trees:1: a constituent without a label, which only the outermost bracket may be; write "
        "(NP (NN dog))");
  CHECK(refusal_of("(" + std::string(100000, '(')) != "(no error)");  // deep, and no recursion
}

TEST_CASE("constituents of more than one word are trees of their own") {
  const auto parts = [](const char* text) {
    std::string all;
    each_subtree(tree(text), [&](const Tree& part) { all += brackets(part).substr(5) + "\n"; });
    return all;
  };
  CHECK(parts(kDog) ==
        "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n(NP (DT the) (NN dog)))\n");
  // Chains over the same words, once; what holds no other word than its constituent is that chain
  // too.
  CHECK(parts("(S (NP (NN x)) (VP (V v) (S (VP (TO to) (VP (VB go) (RB on))))))") ==
        "(S (NP (NN x)) (VP (V v) (S (VP (TO to) (VP (VB go) (RB on)))))))\n"
        "(VP (V v) (S (VP (TO to) (VP (VB go) (RB on))))))\n(S (VP (TO to) (VP (VB go) (RB "
        "on)))))\n(VP (VB go) (RB on)))\n");
  // A tree that no constituent covers, and trees of one word.
  CHECK(parts("(TOP (A (B b) (C c)) (D d))") == "(A (B b) (C c)) (D d))\n(A (B b) (C c)))\n");
  CHECK(parts("(S (NP (NN dog)))") == "(S (NP (NN dog))))\n");
  CHECK(parts("(NN dog)") == "(NN dog))\n");
}

TEST_CASE("a linear form is read back, and repaired where it is malformed") {
  const std::vector<std::string> three = {"a", "b", "c"};
  bool repaired;
  const auto read = [&](const char* line) {
    return brackets(read_linear(line, three, repaired)).substr(4);
  };
  CHECK(read("(S (X XX )X XX (Y (Z XX )Z )Y )S") == " (S (X (XX a)) (XX b) (Y (Z (XX c)))))");
  CHECK(!repaired);
  CHECK(read("(S DT NN . )S") == " (S (DT a) (NN b) (. c)))");
  CHECK(!repaired);
  const auto repair = [&](const char* line) {
    std::string found = read(line);
    CHECK(repaired);
    return found;
  };
  CHECK(repair("(S (X XX )Y XX XX )S") == " (S (X (XX a)) (XX b) (XX c)))");  // another label
  CHECK(repair("(S XX XX )S )X XX") == " (S (XX a) (XX b)) (XX c))");         // closes nothing
  CHECK(repair("(S XX (X XX XX") == " (S (XX a) (X (XX b) (XX c))))");        // never closed
  CHECK(repair("(S XX XX XX XX )S") == " (S (XX a) (XX b) (XX c)))");         // a place too many
  CHECK(repair("(S (X XX )X )S") == " (S (X (XX a)) (XX b) (XX c)))");        // two places missing
  CHECK(repair("XX (X XX )X") ==
        " (XX a) (X (XX b)) (XX c))");  // and no constituent that holds all
  CHECK(repair("(S (X )X XX XX XX )S") ==
        " (S (XX a) (XX b) (XX c)))");  // a constituent without words
  CHECK(repair("(S XX ( XX (a)b XX )S") == " (S (XX a) (XX b) (XX c)))");  // tokens that are none
  CHECK(repair("") == " (XX a) (XX b) (XX c))");
  // Words in their places are those with which they agree best.
  const auto by_words = [&](const char* line, bool whole) {
    std::string found = brackets(read_linear(line, three, repaired, LeafForm::word)).substr(4);
    CHECK(repaired != whole);
    return found;
  };
  CHECK(by_words("(S (X a )X b (Y c )Y )S", true) == " (S (X (XX a)) (XX b) (Y (XX c))))");
  CHECK(by_words("(S (X a )X (Y c )Y )S", false) ==
        " (S (X (XX a) (XX b)) (Y (XX c))))");  // b after a
  CHECK(by_words("(S (X a a )X b (Y c )Y )S", false) ==
        " (S (X (XX a)) (XX b) (Y (XX c))))");  // one too many
  CHECK(by_words("(S (X a )X z (Y c )Y )S", false) ==
        " (S (X (XX a)) (XX b) (Y (XX c))))");  // another
  CHECK(by_words("(S (X b )X (Y c )Y )S", false) ==
        " (S (X (XX a) (XX b)) (Y (XX c))))");  // none before the first
  CHECK(by_words("(S (X a )X )S", false) == " (S (X (XX a)) (XX b) (XX c)))");
  CHECK(by_words("(S a (X z )X (Y c )Y )S", false) == " (S (XX a) (X (XX b)) (Y (XX c))))");
  CHECK(by_words("(S )S", false) == " (S (XX a) (XX b) (XX c)))");
  // Too many to compare are taken in their order.
  std::string many;
  for (int i = 0; i < 11000; ++i) many += "z ";
  const Tree in_order = read_linear("(S " + many + ")S", std::vector<std::string>(11000, "a"),
                                    repaired, LeafForm::word);
  CHECK((in_order.leaves.size() == 11000 && in_order.constituents.size() == 1 &&
         in_order.constituents[0].end == 11000 && repaired));
  // A word may look like a trace.
  CHECK(brackets(read_linear("(S -NONE- )S", {"-NONE-"}, repaired, LeafForm::word)) ==
        "(TOP (S (XX -NONE-)))");
  CHECK(!repaired);
  CHECK(split_words(" a (b)  c ") == std::vector<std::string>{"a", "-LRB-b-RRB-", "c"});
}

// By hand, with the words numbered from 0: brackets are label[begin, end).
TEST_CASE("labelled brackets are counted as evalb counts them") {
  const auto count = [](const std::string& gold, const std::string& found) {
    metrics::Parseval p;
    p.add(tree(gold), tree(found));
    return p;
  };
  const std::string gold =
      "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))";
  // S[0,5) NP[0,2) VP[2,5) NP[3,5): the full stop is no word.
  auto p = count(gold, gold);
  CHECK((p.gold == 4 && p.found == 4 && p.agreeing == 4 && p.whole == 1));
  // A found S that leaves the full stop outside is the same S; other tags do not matter.
  p = count(gold, "(TOP (S (NP (XX the) (XX dog)) (VP (XX sees) (NP (XX a) (XX cat)))) (XX .))");
  CHECK((p.agreeing == 4 && p.whole == 1));
  // S[0,5) agrees; NP[0,2) is now NP[0,3); VP[2,5) is missing; NP[3,5) agrees: 2 of 3 found, 2 of 4
  // in the gold.
  p = count(gold, "(TOP (S (NP (A the) (B dog) (C sees)) (NP (D a) (E cat)) (. .)))");
  CHECK((p.gold == 4 && p.found == 3 && p.agreeing == 2 && p.whole == 0));
  CHECK(p.recall() == 50);
  CHECK(p.precision() == Approx(200.0 / 3));
  CHECK(p.f1() == Approx(400.0 / 7));
  // A label that is another; a bracket of punctuation alone, which is none.
  p = count(gold, "(S (NP (A the) (B dog)) (VP (C sees) (PP (D a) (E cat))) (X (. .)))");
  CHECK((p.agreeing == 3 && p.found == 4));
  // ADVP and PRT are the same; twice there counts twice, but agrees once.
  p = count("(S (VP (A a) (PRT (B b))))", "(S (VP (A a) (ADVP (ADVP (B b)))))");
  CHECK((p.gold == 3 && p.found == 4 && p.agreeing == 3));
  p = count("(S (N a) (N b))", "(S (. (N a)) (N b))");
  CHECK((p.gold == 1 && p.found == 1 && p.agreeing == 1));
  // Punctuation in the middle: quotes and commas. S[0,3) X[0,1) Y[1,3) in both.
  p = count("(S (X (`` ``) (A a)) (, ,) (Y (B b) (: ;) (C c) ('' '')))",
            "(S (`` ``) (X (A a) (, ,)) (Y (B b) (: ;) (C c)) ('' ''))");
  CHECK((p.gold == 3 && p.found == 3 && p.agreeing == 3));
  // Sums over sentences, not means.
  p.add(tree(gold), tree("(X (A the) (B dog) (C sees) (D a) (E cat) (F .))"));
  CHECK((p.sentences == 2 && p.gold == 7 && p.found == 4 && p.agreeing == 3));
  // Punctuation alone is no sentence to be right about: of the two with words one is whole.
  p = count(gold, gold);
  p.add(tree("(TOP (NP (. .)))"), tree("(TOP (NP (. .)))"));
  p.add(tree("(TOP (NP (NN a)))"), tree("(TOP (VP (NN a)))"));
  CHECK((p.sentences == 3 && p.worded == 2 && p.whole == 1 && p.gold == 5 && p.complete() == 50));
  CHECK(metrics::Parseval().f1() == 0);
}

}  // namespace tt
