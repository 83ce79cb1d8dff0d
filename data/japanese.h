// Inflection of Japanese words, as far as needed by the embedded corpus.
#pragma once

#include <string>

namespace tt::toy {

// The stems of a verb. Of 書く: masu 書き, te 書いて, ta 書いた, nai 書か.
struct Stems {
  std::string masu, te, ta, nai;
};

// Inflects a verb's dictionary form. group: '1' drops る, '5' changes its last kana, 's' ends in
// する. Requires that the verb belongs to the group.
Stems inflect(const std::string& verb, char group);

// The polite end of a sentence, from a verb's masu stem.
std::string polite(const std::string& masu, bool past, bool negative);

// The polite end of a sentence whose predicate is an adjective in the form that stands before
// nouns. group: 'i' (高い), 'n' (静かな), 't' (a verb that is a state: 疲れている).
std::string polite_adjective(const std::string& adjective, char group, bool past, bool negative);

// The form inside a sentence, in front of ので.
std::string plain_adjective(const std::string& adjective, char group, bool past);

// In kanji: 23 is 二十三. Requires 1 <= n <= 99.
std::string kanji_number(int n);

}  // namespace tt::toy
