// A small synchronous grammar of English and Japanese: every derivation makes a sentence and its
// translation together.
//
// Invariant: the Japanese is a function of the English. Wherever the grammar chooses, the choice
// shows in the English (an article, a number, the position of a time), or the English alternatives
// share one translation ("because", "so").
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "data/japanese.h"
#include "data/lexicon.h"

namespace tt::toy {

struct Pair {
  std::string en, ja;
};

// Who a noun phrase is: for agreement, and the index of its pronouns.
enum Who { kI, kYou, kHe, kShe, kIt, kWe, kThey };
inline constexpr const char* kSubjectPronouns[] = {"I", "you", "he", "she", "it", "we", "they"};
inline constexpr const char* kObjectPronouns[] = {"me", "you", "him", "her", "it", "us", "them"};
inline constexpr const char* kPossessives[] = {"my", "your", "his", "her", "its", "our", "their"};
inline constexpr const char* kJapanesePronouns[] = {"私",   "あなた", "彼",  "彼女",
                                                    "それ", "私たち", "彼ら"};
inline bool first_person(Who who) { return who == kI || who == kWe; }
inline bool plural(Who who) { return who == kWe || who == kThey; }

// A noun phrase. `count` ("三匹") follows the particle or precedes the noun.
struct Np {
  std::string en, ja, count;
  Who who = kIt;
  bool definite = true;
  bool modified = false;  // by a clause, to which a following adverb would attach
  unsigned kind = kPerson;
  bool pronoun = false;
};

// A verb with everything around it except subject, tense and times. The English parts follow the
// verb, the Japanese ones precede it, each language in its own order.
struct Vp {
  const Verb* verb = nullptr;
  Np object;
  Pair receiver, place, with, by, lasting, manner;
  bool to_me = false;  // the receiver is the first person: くれる, not あげる
};

enum Mood { kPresent, kPast, kDoing, kWasDoing, kFuture, kCan, kWant, kMust };

struct Clause {
  Np subject;
  Vp vp;
  Mood mood = kPast;
  bool negative = false;
  Pair time, often;
  bool time_first = false;
};

// English (data/english.cc). Empty parts leave no space.
std::string join(const std::vector<std::string>& words);
std::string article(const std::string& words);      // with "a" or "an" before them
std::string english_number(int n);                  // Requires 1 <= n <= 99.
std::string third_person(const std::string& verb);  // "takes care of"
std::string be(Who who, bool past);
std::string english_tail(const Vp& vp);              // everything after the verb
std::string english_verb(const Clause& clause);      // "does not often eat": the finite verb
std::string english(const Clause& clause);           // without capital and full stop
std::string english_question(const Clause& clause);  // with the auxiliary before the subject

// Japanese (data/japanese.cc).
std::string with_particle(const Np& np, const std::string& particle);  // 本を三冊, 三冊の本に
std::string topic(const Np& np);                      // with は, or with が if it is new
std::string japanese_arguments(const Vp& vp);         // everything before the verb
std::string japanese_plain(const Vp& vp, Mood mood);  // before nouns: 食べた, 食べている
std::string japanese_verb(const Clause& clause);      // its polite end
std::string japanese(const Clause& clause);           // without 。
Stems stems(const Vp& vp);
std::string place_particle(const Verb& verb);  // で; を for places one passes through

// Makes random phrases (data/phrases.cc), from which data/sentences.cc makes sentences.
class Phrases {
 public:
  explicit Phrases(Random& random) : random_(random) {}

  const Noun& noun(unsigned kind);
  const Place& place(unsigned site);
  // A subject of one of the kinds kPerson and kAnimal. may_be_new: also "a dog", "three dogs".
  Np subject(unsigned kind, bool may_be_new, bool may_be_modified, const Np& about = {});
  // Somebody who is not `subject`.
  Np somebody(const Np& subject, bool may_be_counted);
  // "my mother", "Tom's older sister"; the mother of `about` is called his, and in Japanese
  // nobody's.
  Np relative(const Np& about);
  Np object(const Verb& verb, const Np& subject, bool negative, bool may_be_modified);
  // "the", "this", "these", an adjective; located: also "on the desk".
  Np thing(const Noun& noun, bool may_be_located, bool may_be_many = true);
  Np counted(const Noun& noun, bool definite);
  // All of a kind: "cats", "coffee".
  Np generic(const Noun& noun);
  // A clause after the English noun and before the Japanese one: "the book that Tom bought".
  Np modified(const Noun& noun);
  const Verb& verb(unsigned subject, unsigned traits, unsigned without);
  Vp verb_phrase(const Verb& verb, const Np& subject, Mood mood, bool negative, bool plain);
  // A clause in one of the moods, about `subject` when it is given. plain: without times and
  // clauses inside.
  Clause clause(const std::vector<Mood>& moods, const Np* subject, bool plain, unsigned traits = 0,
                unsigned without = 0);

  bool chance(double p) { return random_.uniform() < p; }
  int between(int least, int most) {
    return least + static_cast<int>(random_.below(static_cast<std::uint32_t>(most - least + 1)));
  }
  template <class List>
  const auto& pick(const List& list) {
    return list[random_.below(static_cast<std::uint32_t>(std::size(list)))];
  }

 private:
  Np owned(const Noun& noun, const Np& subject, bool others);
  Pair adjective(unsigned kind, double probability);
  void add_time(Clause& clause);

  Random& random_;
};

// One sentence and its translation, of 4 to 16 English words.
Pair sentence(Phrases& phrases);

// A sentence of a document, and what it would be with "she" for "he", or "he" for "she", and in the
// other style. (The first has no pronoun.)
struct DocumentSentence {
  Pair right, other;
};
std::vector<DocumentSentence> document(Phrases& phrases);

}  // namespace tt::toy
