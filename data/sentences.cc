// The kinds of sentences, each with its own way from one word order to the other.
#include <algorithm>
#include <sstream>

#include "data/grammar.h"

namespace tt::toy {
namespace {

const std::vector<Mood> kAllMoods = {kPresent,  kPresent, kPast, kPast, kPast, kDoing,
                                     kWasDoing, kFuture,  kCan,  kWant, kMust};
const std::vector<Mood> kAskedMoods = {kPresent, kPast, kPast, kDoing, kFuture, kCan};

Pair statement(Phrases& make) {
  const Clause clause = make.clause(kAllMoods, nullptr, false);
  return {english(clause) + ".", japanese(clause) + "。"};
}

// A clause to ask about: not negated, with a known subject.
Clause asked(Phrases& make, unsigned traits) {
  Np subject;
  do subject = make.subject(make.chance(0.9) ? kPerson : kAnimal, false, false);
  while (subject.who == kI);  // one knows that oneself
  Clause clause = make.clause(kAskedMoods, &subject, true, traits, kUnwilled);
  if (clause.subject.who == kYou && clause.mood == kFuture) clause.mood = kWant;
  return clause;
}

Pair question(Phrases& make) {
  const Clause clause = asked(make, 0);
  return {english_question(clause) + "?", japanese(clause) + "か。"};
}

// Asks for one part by leaving it out of the English and putting its question word in the Japanese.
Pair wh_question(Phrases& make) {
  Clause clause = asked(make, 0);
  const Verb& verb = *clause.vp.verb;
  std::string word;
  const int choice = make.between(0, 4);
  if (choice == 0) {
    word = "when";
    if (verb.traits & kState) return question(make);
    if (clause.mood == kDoing || clause.mood == kPresent || clause.mood == kCan)
      clause.mood = kPast;
    clause.time = {"", "いつ"};
  } else if (choice == 1 && verb.traits & kGoing) {
    word = "where";
    clause.vp.object = {};
    clause.vp.object.ja = "どこ";
    clause.vp.by = {};
    clause.vp.verb = &verb;
    const Pair with = clause.vp.with;  // "go to" loses its preposition: take the verb by itself
    return {"where " +
                [&] {
                  std::string text = english_question(clause);
                  const std::string lost = " " + std::string(verb.prep);
                  const std::size_t at =
                      with.en.empty() ? text.rfind(lost) : text.rfind(lost + " " + with.en);
                  return text.erase(at, lost.size());
                }() +
                "?",
            japanese(clause) + "か。"};
  } else if (choice == 2 && verb.site) {
    word = "where";
    clause.vp.place = {"", "どこ" + place_particle(verb)};
    clause.vp.lasting = {};
  } else if (choice == 3 && !(verb.traits & (kOne | kState | kGoing)) && verb.object != 0 &&
             verb.object != kTidy && verb.object != kPlace) {
    word = "how many ";
    const Noun& noun = make.noun(verb.object);
    if (!*noun.plural) return question(make);
    word += noun.plural;
    clause.vp.object = {};
    clause.vp.object.ja = noun.ja;
    clause.vp.object.count = std::string("何") + noun.counter;
    clause.vp.lasting = clause.vp.manner = {};
  } else if (verb.object != 0 && verb.object != kPlace && verb.object != kTidy &&
             !(verb.traits & kGiving)) {
    word = verb.object == kPerson ? "who" : "what";
    clause.vp.object = {};
    clause.vp.object.ja = verb.object == kPerson ? "誰" : "何";
    clause.vp.lasting = {};
  } else {
    word = "who";  // the subject itself, which needs no auxiliary
    clause.subject = {};
    clause.subject.who = kHe;
    clause.subject.en = "who";
    clause.subject.ja = "誰";
    clause.subject.definite = false;
    if (clause.vp.object.who == kYou || clause.mood == kCan) clause.mood = kPast;
    Clause settled = make.clause({clause.mood}, &clause.subject, true, 0, kGiving);
    return {english(settled) + "?", japanese(settled) + "か。"};
  }
  return {join({word, english_question(clause)}) + "?", japanese(clause) + "か。"};
}

// いる for living things, ある for others.
Pair existence(Phrases& make) {
  const bool past = make.chance(0.35), living = make.chance(0.6);
  Pair where;
  const Noun* noun;
  if (living && make.chance(0.6)) {
    const Place& place = make.place(kOutdoors | kShop | kJob);
    where = {join({place.in, "the", place.en}), place.ja};
    noun = &make.noun(place.site & kOutdoors ? kPerson | kAnimal | kTree | kPlant : kPerson);
  } else {
    const Noun& support = make.noun(kFurniture);
    const Phrase& side = make.pick(kWhere);
    where = {join({side.en, "the", support.en}), std::string(support.ja) + "の" + side.ja};
    do noun = &make.noun(living ? kAnimal : kText | kTool | kFruit | kWear);
    while (noun->counter == std::string("頭"));
  }
  const std::string verb = noun->kind & (kPerson | kAnimal) ? "い" : "あり";
  Np np;
  const int choice = make.between(0, 9);
  if (choice == 0) {  // "there are no cats"
    return {join({"there", be(kThey, past), "no", noun->plural, where.en}) + ".",
            where.ja + "に" + noun->ja + "は" + polite(verb, past, true) + "。"};
  }
  if (choice == 1) {
    return {
        join({"how many", noun->plural, be(kThey, past), "there", where.en}) + "?",
        where.ja + "に" + noun->ja + "が何" + noun->counter + polite(verb, past, false) + "か。"};
  }
  if (choice < 5) {
    np.en = article(noun->en);
    np.ja = noun->ja;
  } else {
    np = make.counted(*noun, false);
  }
  const std::string is = be(np.who, past),
                    ja = where.ja + "に" + with_particle(np, "が") + polite(verb, past, false);
  if (choice == 2) return {join({is, "there", np.en, where.en}) + "?", ja + "か。"};
  return {join({"there", is, np.en, where.en}) + ".", ja + "。"};
}

const Adjective& adjective_for(Phrases& make, unsigned kind) {
  for (;;) {
    const Adjective& adjective = make.pick(kAdjectives);
    if (adjective.kind & kind) return adjective;
  }
}

Pair description(Phrases& make) {
  const bool person = make.chance(0.4), past = make.chance(0.2), no = make.chance(0.2);
  Np np;
  unsigned kind = kPerson;
  if (person) {
    np = make.subject(kPerson, false, false);
  } else if (make.chance(0.2)) {
    const Place& place = make.pick(kPlaces);
    np.en = std::string(make.chance(0.5) ? "the " : "that ") + place.en;
    np.ja = (np.en[2] == 'a' ? std::string("その") : std::string()) + place.ja;
    kind = place.site & (kWater | kHome) ? 0u : unsigned{kPlace};
  } else {
    const Noun& noun = make.noun(~unsigned{kPerson | kOpen | kSubject});
    np = *noun.plural && make.chance(0.35) ? make.modified(noun)
                                           : make.thing(noun, make.chance(0.4));
    kind = noun.kind;
  }
  kind &= kPerson | kAnimal | kFood | kDrink | kText | kShow | kWear | kVehicle | kTool |
          kFurniture | kInstrument | kPlant | kTree | kPlace;
  if (kind == 0) return existence(make);
  const Adjective* adjective = &adjective_for(make, kind);
  if (np.en.find(adjective->en) != std::string::npos)
    return description(make);  // "the red car is red"
  const bool very = *adjective->more && !no && make.chance(0.25);
  const std::string ja = topic(np) + (very ? "とても" : "") +
                         polite_adjective(adjective->ja, adjective->group, past, no);
  if (!no && !past && make.chance(0.2)) {
    return {join({be(np.who, past), np.en, very ? "very" : "", adjective->en}) + "?", ja + "か。"};
  }
  return {join({np.en, be(np.who, past), no ? "not" : "", very ? "very" : "", adjective->en}) + ".",
          ja + "。"};
}

Pair comparison(Phrases& make) {
  static const unsigned groups[] = {kAnimal, kVehicle, kFruit,     kInstrument,
                                    kWear,   kSubject, kFurniture, kText};
  const unsigned group = make.pick(groups);
  const Noun& one = make.noun(group);
  const Noun* other;
  do other = &make.noun(group);
  while (other == &one);
  const Adjective* adjective;
  do adjective = &adjective_for(make, group);
  while (!*adjective->more);
  const auto the = [](const Noun& noun) {
    return noun.kind & kSubject ? std::string(noun.en) : std::string("the ") + noun.en;
  };
  if (make.chance(0.25)) {
    return {
        join({"which is", adjective->more + std::string(","), the(one), "or", the(*other)}) + "?",
        std::string(one.ja) + "と" + other->ja + "とどちらが" +
            polite_adjective(adjective->ja, adjective->group, false, false) + "か。"};
  }
  return {join({the(one), "is", adjective->more, "than", the(*other)}) + ".",
          std::string(one.ja) + "は" + other->ja + "より" +
              polite_adjective(adjective->ja, adjective->group, false, false) + "。"};
}

// Why somebody does something, or does it nevertheless. English puts the reason behind "because" or
// before "so"; Japanese always begins with it, and names the person once.
Pair reason(Phrases& make) {
  const State& state = make.pick(kStates);
  const bool nevertheless = make.chance(0.25);
  const std::vector<Mood> moods =
      nevertheless ? std::vector<Mood>{kPast, kDoing}
                   : std::vector<Mood>{kPast, kDoing, kWasDoing, kCan, kWant, kMust};
  const auto sensible = [&](const Clause& clause) {
    if (!clause.subject.definite || clause.subject.modified || clause.vp.object.modified ||
        !(clause.subject.kind & state.who))
      return false;
    const bool cures = std::string(state.cures).find(clause.vp.verb->ja) != std::string::npos;
    if (nevertheless) return !clause.negative && !cures;
    return clause.negative ? !cures : cures && clause.mood != kCan;
  };
  Clause clause;
  do clause = make.clause(moods, nullptr, false, 0, kState);
  while (!sensible(clause));
  clause.time = {};
  clause.vp.lasting = {};
  const bool past = clause.mood == kPast || clause.mood == kWasDoing;
  const std::string ja =
      topic(clause.subject) +
      (nevertheless ? polite_adjective(state.ja, state.group, past, false) + "が、"
                    : plain_adjective(state.ja, state.group, past) + "ので、") +
      japanese_arguments(clause.vp) + japanese_verb(clause) + "。";
  const std::string is = be(clause.subject.who, past), they = kSubjectPronouns[clause.subject.who];
  if (!nevertheless && make.chance(0.6))
    return {join({english(clause), "because", they, is, state.en}) + ".", ja};
  return {join({clause.subject.en, is, state.en + std::string(","), nevertheless ? "but" : "so",
                they, english_verb(clause), english_tail(clause.vp)}) +
              ".",
          ja};
}

// Two things the same person does, one after another: all but the last verb in the te-form.
Pair sequence(Phrases& make) {
  Clause first;
  do
    first =
        make.clause({kPast, kPast, kFuture, kMust, kWant}, nullptr, true, 0, kState | kUnwilled);
  while (!first.subject.definite);
  Clause second;
  do second = make.clause({first.mood}, &first.subject, true, 0, kState | kUnwilled);
  while (second.vp.verb == first.vp.verb);
  first.mood = second.mood;
  const std::string base = first.mood == kPast ? english_verb(second) : second.vp.verb->en;
  return {join({english(first), "and", base, english_tail(second.vp)}) + ".",
          topic(first.subject) + japanese_arguments(first.vp) + stems(first.vp).te + "、" +
              japanese_arguments(second.vp) + japanese_verb(second) + "。"};
}

Pair when(Phrases& make) {
  const Clause event = make.clause({kPast}, nullptr, true, kSudden);
  Clause scene;
  do scene = make.clause({kWasDoing}, nullptr, true);
  while (scene.subject.ja == event.subject.ja);
  const std::string ja = event.subject.ja + "が" + japanese_arguments(event.vp) +
                         stems(event.vp).ta + "とき、" + japanese(scene) + "。";
  if (make.chance(0.5)) return {join({"when", english(event) + ",", english(scene)}) + ".", ja};
  return {join({english(scene), "when", english(event)}) + ".", ja};
}

Pair before_or_after(Phrases& make) {
  Clause clause;
  do clause = make.clause({kPast, kPast, kFuture}, nullptr, true, 0, kState | kUnwilled);
  while (!clause.subject.definite);
  Clause other;
  do other = make.clause({kPast}, &clause.subject, true, 0, kState | kUnwilled);
  while (other.vp.verb == clause.vp.verb || other.vp.to_me);
  other.vp.lasting = {};
  const bool before = make.chance(0.5);
  const std::string word = before ? "before" : "after",
                    aside = join({word, other.vp.verb->ing, english_tail(other.vp)});
  const std::string ja =
      topic(clause.subject) + japanese_arguments(other.vp) +
      (before ? other.vp.verb->ja + std::string("前に") : stems(other.vp).ta + "後で") + "、" +
      japanese_arguments(clause.vp) + japanese_verb(clause) + "。";
  if (make.chance(0.35)) return {join({aside + ",", english(clause)}) + ".", ja};
  return {join({english(clause), aside}) + ".", ja};
}

Pair request(Phrases& make) {
  Np you;
  you.who = kYou;
  you.pronoun = true;
  const bool together = make.chance(0.25), no = !together && make.chance(0.3);
  if (together) you.who = kWe;
  Clause clause = make.clause({kPast}, &you, true, 0, kState | kUnwilled);
  while (no && !clause.vp.object.count.empty())
    clause = make.clause({kPast}, &you, true, 0, kState | kUnwilled);
  Vp& vp = clause.vp;
  vp.lasting = {};
  const Stems s = stems(vp);
  const std::string en = join({vp.verb->en, english_tail(vp)}), ja = japanese_arguments(vp);
  if (together) return {"let's " + en + ".", ja + s.masu + "ましょう。"};
  if (no) return {"please do not " + en + ".", ja + s.nai + "ないでください。"};
  return {"please " + en + ".", ja + s.te + "ください。"};
}

// Likes and skills are expressed by な-adjectives, with the thing liked as their subject.
Pair liking(Phrases& make) {
  const Np subject = make.subject(kPerson, false, false);
  const bool no = make.chance(0.2), ask = !no && make.chance(0.2), good = make.chance(0.35);
  Pair what;
  if (good) {
    const Verb* verb;
    do verb = &make.verb(kPerson, kLasting, kState);
    while (std::string(verb->manners).find('w') == std::string::npos);
    Np object;
    if (verb->object)
      object = verb->object == kInstrument ? make.thing(make.noun(kInstrument), false)
                                           : make.generic(make.noun(verb->object));
    what = {join({verb->ing, verb->prep, object.en}),
            with_particle(object, verb->particle) + verb->ja + "の"};
  } else if (make.chance(0.5)) {
    const Noun& noun = make.noun(kAnimal | kFood | kDrink | kShow | kPlant | kMusic | kSubject);
    const Np np = make.generic(noun);
    what = {np.en, np.ja};
  } else {
    Clause clause;
    do clause = make.clause({kPast}, &subject, true, kLasting, kUnwilled);
    while (!clause.vp.object.count.empty() || clause.vp.object.kind == kPerson);
    clause.vp.lasting = {};
    what = {join({"to", clause.vp.verb->en, english_tail(clause.vp)}),
            japanese_arguments(clause.vp) + clause.vp.verb->ja + "の"};
  }
  const std::string ja = subject.ja + "は" + what.ja + "が" +
                         polite_adjective(good ? "上手な" : "好きな", 'n', false, no);
  const bool third = subject.who == kHe || subject.who == kShe || subject.who == kIt;
  if (good) {
    const std::string is = be(subject.who, false);
    if (ask) return {join({is, subject.en, "good at", what.en}) + "?", ja + "か。"};
    return {join({subject.en, is, no ? "not" : "", "good at", what.en}) + ".", ja + "。"};
  }
  if (ask) return {join({third ? "does" : "do", subject.en, "like", what.en}) + "?", ja + "か。"};
  return {join({subject.en,
                no      ? (third ? "does not like" : "do not like")
                : third ? "likes"
                        : "like",
                what.en}) +
              ".",
          ja + "。"};
}

}  // namespace

Pair sentence(Phrases& make) {
  static const struct {
    Pair (*kind)(Phrases&);
    int weight;
  } kinds[] = {{statement, 40},  {question, 6},        {wh_question, 8}, {existence, 7},
               {description, 9}, {comparison, 4},      {reason, 7},      {sequence, 6},
               {when, 4},        {before_or_after, 4}, {request, 4},     {liking, 6}};
  int total = 0;
  for (const auto& kind : kinds) total += kind.weight;
  for (;;) {
    int choice = make.between(0, total - 1);
    const auto* kind = kinds;
    while (choice >= kind->weight) choice -= (kind++)->weight;
    Pair pair = kind->kind(make);
    const auto words = std::count(pair.en.begin(), pair.en.end(), ' ') + 1;
    if (words < 4 || words > 16) continue;
    pair.en[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(pair.en[0])));
    return pair;
  }
}

}  // namespace tt::toy
