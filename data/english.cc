// The English side: agreement of verbs with their subjects, auxiliaries, articles, numbers, and the
// order of a clause.
#include <cstring>
#include <utility>

#include "base/error.h"
#include "data/grammar.h"

namespace tt::toy {
namespace {

// The finite verb in two parts, since questions draw the first before the subject.
std::pair<std::string, std::string> finite(const Clause& clause, bool question) {
  const Verb& verb = *clause.vp.verb;
  const Who who = clause.subject.who;
  const bool third = who == kHe || who == kShe || who == kIt, helped = question || clause.negative;
  const std::string no = clause.negative ? "not" : "", often = clause.often.en;
  switch (clause.mood) {
    case kPresent:
      if (helped) return {third ? "does" : "do", join({no, often, verb.en})};
      return {"", join({often, third ? third_person(verb.en) : verb.en})};
    case kPast:
      if (helped) return {"did", join({no, verb.en})};
      return {"", verb.past};
    case kDoing: return {be(who, false), join({no, verb.ing})};
    case kWasDoing: return {be(who, true), join({no, verb.ing})};
    case kFuture: return {"will", join({no, verb.en})};
    case kCan: return {clause.negative ? "cannot" : "can", verb.en};
    case kWant:
      if (helped) return {third ? "does" : "do", join({no, "want to", verb.en})};
      return {"", join({third ? "wants to" : "want to", verb.en})};
    case kMust: return {"must", verb.en};
  }
  return {};
}

}  // namespace

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!word.empty()) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string article(const std::string& words) {
  const bool vowel = !words.empty() && std::strchr("aeiouE", words[0]) && words.rfind("use", 0) &&
                     words.rfind("uni", 0);
  return (vowel ? "an " : "a ") + words;
}

std::string english_number(int n) {
  static const char* const small[] = {"",        "one",     "two",       "three",    "four",
                                      "five",    "six",     "seven",     "eight",    "nine",
                                      "ten",     "eleven",  "twelve",    "thirteen", "fourteen",
                                      "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  static const char* const tens[] = {"",      "",      "twenty",  "thirty", "forty",
                                     "fifty", "sixty", "seventy", "eighty", "ninety"};
  TT_CHECK(n >= 1 && n <= 99);
  if (n < 20) return small[n];
  return std::string(tens[n / 10]) + (n % 10 ? std::string("-") + small[n % 10] : "");
}

std::string third_person(const std::string& verb) {
  const std::size_t space = verb.find(' ');
  if (space != std::string::npos) return third_person(verb.substr(0, space)) + verb.substr(space);
  if (verb == "have") return "has";
  const char last = verb.back(), previous = verb[verb.size() - 2];
  if (last == 'y' && !std::strchr("aeiou", previous))
    return verb.substr(0, verb.size() - 1) + "ies";
  const bool hisses = std::strchr("sxo", last) || (last == 'h' && std::strchr("cs", previous));
  return verb + (hisses ? "es" : "s");
}

std::string be(Who who, bool past) {
  if (past) return who == kYou || plural(who) ? "were" : "was";
  return who == kI ? "am" : who == kYou || plural(who) ? "are" : "is";
}

std::string english_tail(const Vp& vp) {
  return join({vp.verb->prep, vp.receiver.en, vp.object.en, vp.manner.en, vp.lasting.en,
               vp.place.en, vp.with.en, vp.by.en});
}

std::string english_verb(const Clause& clause) {
  const auto [first, rest] = finite(clause, false);
  return join({first, rest});
}

std::string english(const Clause& clause) {
  return join({clause.time_first ? clause.time.en + "," : "", clause.subject.en,
               english_verb(clause), english_tail(clause.vp),
               clause.time_first ? "" : clause.time.en});
}

std::string english_question(const Clause& clause) {
  const auto [first, rest] = finite(clause, true);
  return join({first, clause.subject.en, rest, english_tail(clause.vp), clause.time.en});
}

}  // namespace tt::toy
