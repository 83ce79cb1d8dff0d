// Documents of two to four sentences about one person or animal, for models that read context.
//
// The first sentence names who it is. From then on English says "he", "she", "it" or "they", and
// Japanese nothing, so that who it is can only be read in the sentences before; and all sentences
// of a document end politely, or all plainly, which English does not show.
#include <algorithm>

#include "data/grammar.h"

namespace tt::toy {
namespace {

// Somebody whose pronoun Japanese tells: a person by name, of one sex, or an animal; or several.
Np protagonist(Phrases& make) {
  const auto told = [](const Np& np) {
    if (np.kind == kAnimal) return true;
    const auto is = [&](const auto& word) { return np.ja == word.ja; };
    return std::ranges::any_of(kNames, is) ||
           std::ranges::any_of(kNouns,
                               [&](const Noun& n) {
                                 return n.kind == kPerson && n.gender != 'n' && np.ja == n.ja;
                               }) ||
           (np.who == kThey && np.ja.ends_with("たち"));
  };
  for (;;) {
    Np np = make.subject(make.chance(0.7) ? kPerson : kAnimal, false, false);
    // One animal is written as several are.
    if (np.kind == kAnimal && np.who == kThey) continue;
    if (!np.pronoun && np.definite && !np.modified && told(np)) return np;
  }
}

std::string end_of(const Clause& clause, bool polite) {
  return (polite ? japanese_verb(clause) : japanese_plain(clause.vp, clause.mood)) + "。";
}

std::string sentence_of(const Clause& clause) {
  std::string text = english(clause) + ".";
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::vector<DocumentSentence> document(Phrases& make) {
  const Np subject = protagonist(make);
  const bool polite = make.chance(0.5);
  const int length = make.between(2, 4);
  std::vector<DocumentSentence> sentences;
  while (std::ssize(sentences) < length) {
    Clause clause = make.clause({kPast, kPast, kPast, kDoing, kWasDoing}, &subject, true);
    if (clause.vp.object.pronoun) continue;  // "her", who is somebody else
    const bool first = sentences.empty();
    const std::string rest = japanese_arguments(clause.vp),
                      ja = first ? topic(subject) + rest : rest;
    const auto called = [&](Who who) {
      if (first) return sentence_of(clause);
      Clause other = clause;
      other.subject.who = who;
      other.subject.en = kSubjectPronouns[who];
      return sentence_of(other);
    };
    const Who other = subject.who == kHe ? kShe : subject.who == kShe ? kHe : subject.who;
    sentences.push_back({{called(subject.who), ja + end_of(clause, polite)},
                         {called(other), ja + end_of(clause, !polite)}});
  }
  return sentences;
}

}  // namespace tt::toy
