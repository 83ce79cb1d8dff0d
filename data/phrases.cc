// Noun phrases, verb phrases and clauses, made at random under the lexicon's restrictions: who can
// do what to what, and where.
#include "base/error.h"
#include "data/grammar.h"

namespace tt::toy {
namespace {

Who who_of(char gender) { return gender == 'h' ? kHe : gender == 's' ? kShe : kIt; }

bool has(unsigned set, unsigned bits) { return (set & bits) != 0; }

// Several people who are known are たち; one's friends and things have no plural.
std::string plural_ja(const Noun& noun) {
  return has(noun.kind, kPerson) ? std::string(noun.ja) + "たち" : noun.ja;
}

}  // namespace

const Noun& Phrases::noun(unsigned kind) {
  for (;;) {
    const Noun& noun = pick(kNouns);
    if (has(noun.kind, kind)) return noun;
  }
}

const Place& Phrases::place(unsigned site) {
  for (;;) {
    const Place& place = pick(kPlaces);
    if (has(place.site, site)) return place;
  }
}

Pair Phrases::adjective(unsigned kind, double probability) {
  if (!chance(probability)) return {};
  for (int attempt = 0; attempt < 100; ++attempt) {
    const Adjective& adjective = pick(kAdjectives);
    if (has(adjective.kind, kind))
      return {adjective.en, *adjective.attribute ? adjective.attribute : adjective.ja};
  }
  return {};
}

Np Phrases::counted(const Noun& noun, bool definite) {
  Np np;
  const bool mass = !*noun.plural;
  TT_CHECK(!mass || *noun.unit);
  const bool people_or_animals = has(noun.kind, kPerson | kAnimal);
  const int n = definite || people_or_animals ? between(2, chance(0.2) ? 99 : 10)
                : chance(0.2)                 ? 1
                                              : between(2, chance(0.15) ? 99 : 10);
  const Pair quality = adjective(noun.kind, 0.1);
  if (mass) {
    const std::string units =
        third_person(noun.unit);  // glasses, cups: the s of nouns follows that of verbs
    np.en = n == 1 ? article(noun.unit) + " of" : join({english_number(n), units, "of"});
    np.en = join({np.en, quality.en, noun.en});
  } else {
    np.en = join(
        {definite ? "the" : "", english_number(n), quality.en, n == 1 ? noun.en : noun.plural});
  }
  np.ja = quality.ja + noun.ja;
  np.count = kanji_number(n) + noun.counter;
  np.who = n == 1 ? kIt : kThey;
  np.kind = noun.kind;
  np.definite = definite;
  if (definite) {
    np.ja = np.count + "の" + np.ja;
    np.count.clear();
  }
  return np;
}

Np Phrases::generic(const Noun& noun) {
  Np np;
  np.en = *noun.plural ? noun.plural : noun.en;
  np.ja = noun.ja;
  np.who = *noun.plural ? kThey : kIt;
  np.kind = noun.kind;
  return np;
}

Np Phrases::thing(const Noun& noun, bool may_be_located, bool may_be_many) {
  const bool many = may_be_many && *noun.plural && chance(0.25);
  const Pair quality = adjective(noun.kind, 0.25);
  Np np;
  np.kind = noun.kind;
  np.who = many ? kThey : who_of(noun.gender == 'n' ? (chance(0.5) ? 'h' : 's') : noun.gender);
  if (has(noun.kind, kSubject) || noun.ja == std::string("音楽")) return generic(noun);
  const char* determiner = "the";
  const char* shown = "";
  if (chance(0.15)) {
    const bool here = chance(0.5);
    determiner = here ? (many ? "these" : "this") : (many ? "those" : "that");
    shown = here ? "この" : "その";
  }
  np.en = join({determiner, quality.en, many ? noun.plural : noun.en});
  np.ja = shown + quality.ja + (many ? plural_ja(noun) : noun.ja);
  if (may_be_located && !*shown && has(noun.kind, kText | kTool | kAnimal | kWear) &&
      noun.counter != std::string("頭")) {
    const Noun& support = this->noun(kFurniture);
    const Phrase& where = pick(kWhere);
    if (support.ja != noun.ja) {
      np.en = join({np.en, where.en, "the", support.en});
      np.ja = std::string(support.ja) + "の" + where.ja + "の" + np.ja;
      np.modified = true;
    }
  }
  return np;
}

Np Phrases::relative(const Np& subject) {
  const Kin& kin = pick(kKin);
  Np np;
  np.who = who_of(kin.gender);
  if (chance(0.6)) {
    np.en = join({"my", kin.en});
    np.ja = kin.own;
  } else if (chance(0.5)) {
    const Who owner = static_cast<Who>(pick(std::vector<int>{kYou, kHe, kShe}));
    np.en = join({kPossessives[owner], kin.en});
    np.ja = (owner == subject.who ? "" : std::string(kJapanesePronouns[owner]) + "の") + kin.other;
  } else {
    const Name& owner = pick(kNames);
    np.en = std::string(owner.en) + "'s " + kin.en;
    np.ja = std::string(owner.ja) + "の" + kin.other;
  }
  return np;
}

Np Phrases::subject(unsigned kind, bool may_be_new, bool may_be_modified, const Np& about) {
  Np np;
  if (!has(kind, kAnimal)) {
    const int choice = between(0, 99);
    if (choice < 30) {
      np.who =
          static_cast<Who>(pick(std::vector<int>{kI, kI, kYou, kHe, kHe, kShe, kShe, kWe, kThey}));
      np.en = kSubjectPronouns[np.who];
      np.ja = kJapanesePronouns[np.who];
      np.pronoun = true;
      return np;
    }
    if (choice < 45) {
      const Name& name = pick(kNames);
      np.who = who_of(name.gender);
      np.en = name.en;
      np.ja = name.ja;
      return np;
    }
    if (choice < 60) return relative(about);
  }
  const Noun& noun = this->noun(kind);
  if (may_be_new && chance(0.25)) {
    if (chance(0.5)) return counted(noun, false);
    const Pair quality = adjective(noun.kind, 0.2);
    np.en = article(join({quality.en, noun.en}));
    np.ja = quality.ja + noun.ja;
    np.who = who_of(noun.gender == 'n' ? (chance(0.5) ? 'h' : 's') : noun.gender);
    np.definite = false;
    np.kind = noun.kind;
    return np;
  }
  if (chance(0.1)) return counted(noun, true);
  if (may_be_modified && chance(0.15)) return modified(noun);
  return thing(noun, false);
}

Np Phrases::somebody(const Np& subject, bool may_be_counted) {
  for (;;) {
    Np np;
    if (may_be_counted && chance(0.15)) {
      np = counted(noun(kPerson), false);
    } else if (chance(0.12)) {
      const Noun& noun = this->noun(kPerson);
      np.en = article(noun.en);
      np.ja = noun.ja;
      np.who = who_of(noun.gender == 'n' ? 'h' : noun.gender);
      np.definite = false;
    } else {
      np = this->subject(kPerson, false, false, subject);
    }
    if (np.who == subject.who && (np.pronoun || subject.pronoun)) continue;
    if (first_person(np.who) && first_person(subject.who)) continue;
    if (np.ja == subject.ja || np.en.find(subject.en + "'s") == 0) continue;
    if (np.pronoun) np.en = kObjectPronouns[np.who];
    return np;
  }
}

Np Phrases::owned(const Noun& noun, const Np& subject, bool others) {
  Np np;
  np.kind = noun.kind;
  const bool many = *noun.plural && (plural(subject.who) ? chance(0.6) : chance(0.1));
  np.who = many ? kThey : kIt;
  const std::string thing = many ? noun.plural : noun.en;
  if (!others && chance(0.6)) {  // the subject's own, which Japanese leaves unsaid
    np.en = join({kPossessives[subject.who], thing});
    np.ja = noun.ja;
    return np;
  }
  const Name& owner = pick(kNames);
  np.en = std::string(owner.en) + "'s " + thing;
  np.ja = std::string(owner.ja) + "の" + noun.ja;
  return np;
}

Np Phrases::object(const Verb& verb, const Np& subject, bool negative, bool may_be_modified) {
  if (verb.object == 0) return {};
  if (verb.object == kPlace || verb.object == kTidy) {
    for (;;) {
      const Place& place = pick(kPlaces);
      if (verb.object == kTidy
              ? !place.tidy
              : place.tidy || (place.site == kWater && place.ja != std::string("海")))
        continue;
      Np np;
      np.en = std::string("the ") + place.en;
      np.ja = place.ja;
      np.kind = kPlace;
      return np;
    }
  }
  const bool one = verb.traits & kOne;
  if (verb.object == kPerson) {
    if (has(verb.traits, kOwned) && !subject.pronoun && subject.who != kThey &&
        subject.kind == kPerson && chance(0.2)) {
      const Kin& kin = pick(kKin);
      Np np;
      np.en = join({kPossessives[subject.who], kin.en});
      np.ja = kin.other;
      np.who = who_of(kin.gender);
      if (np.ja != subject.ja) return np;
    }
    return somebody(subject, !one && !negative);
  }
  const Noun& noun = this->noun(verb.object);
  if (noun.ja == std::string("音楽") || has(noun.kind, kSubject)) return generic(noun);
  if (has(verb.traits, kOwned) &&
      has(noun.kind, kWear | kVehicle | kTool | kFurniture | kText | kInstrument) && chance(0.3)) {
    return owned(noun, subject, has(verb.traits, kOthers));
  }
  const bool countable = *noun.plural || *noun.unit;
  if (countable && !one && !negative && chance(0.35)) return counted(noun, false);
  if (may_be_modified && *noun.plural && chance(0.12)) return modified(noun);
  if (*noun.plural && !negative && chance(0.3)) {
    const Pair quality = adjective(noun.kind, 0.3);
    Np np;
    np.en = article(join({quality.en, noun.en}));
    np.ja = quality.ja + noun.ja;
    np.definite = false;
    np.kind = noun.kind;
    return np;
  }
  if (!one && chance(0.2)) return generic(noun);
  return thing(noun, may_be_modified && chance(0.1), !one || plural(subject.who));
}

Np Phrases::modified(const Noun& noun) {
  const bool many = *noun.plural && chance(0.25);
  Np np;
  np.kind = noun.kind;
  np.who = many ? kThey : who_of(noun.gender == 'n' ? (chance(0.5) ? 'h' : 's') : noun.gender);
  np.modified = true;
  const std::string head = join({"the", many ? noun.plural : noun.en}),
                    ja = many ? plural_ja(noun) : noun.ja;
  Clause inner;
  if (has(noun.kind, kPerson | kAnimal)) {  // "the boy who bought a book"
    inner.subject = np;
    inner = clause({kPast, kDoing, kWasDoing}, &inner.subject, true, 0, kGiving);
    np.en = join({head, has(noun.kind, kPerson) ? "who" : "that", english_verb(inner),
                  english_tail(inner.vp)});
    np.ja = japanese_arguments(inner.vp) + japanese_plain(inner.vp, inner.mood) + ja;
    return np;
  }
  for (int attempt = 0; attempt < 200; ++attempt) {  // "the book that Tom bought"
    const Verb& verb = this->verb(kPerson, 0, kGiving | kGoing | kState);
    if (!has(verb.object, noun.kind) || *verb.particle == '\0') continue;
    inner.mood = kPast;
    inner.subject = subject(kPerson, false, false);
    inner.vp.verb = &verb;
    np.en = join({head, "that", english(inner)});
    np.ja = inner.subject.ja + "が" + japanese_plain(inner.vp, kPast) + ja;
    return np;
  }
  return thing(noun, false);
}

const Verb& Phrases::verb(unsigned subject, unsigned traits, unsigned without) {
  for (;;) {
    const Verb& verb = pick(kVerbs);
    if (has(verb.subject, subject) && (verb.traits & traits) == traits &&
        !has(verb.traits, without))
      return verb;
  }
}

Vp Phrases::verb_phrase(const Verb& verb, const Np& subject, Mood mood, bool negative, bool plain) {
  Vp vp;
  vp.verb = &verb;
  vp.object = object(verb, subject, negative, !plain);
  const bool counted = !vp.object.count.empty();
  if (has(verb.traits, kGiving)) {
    Np receiver;
    do receiver = somebody(subject, false);
    while (first_person(receiver.who) && mood != kPast && mood != kFuture);
    vp.to_me = first_person(receiver.who) && receiver.pronoun;
    vp.receiver = {receiver.en, receiver.ja + "に"};
  }
  if (vp.object.modified) return vp;  // a following phrase might attach to the relative clause
  if (verb.site && chance(0.3)) {
    const Place& place =
        this->place(has(subject.kind, kAnimal) ? verb.site & kOutdoors : verb.site);
    vp.place = {join({place.in, "the", place.en}), place.ja + place_particle(verb)};
  }
  if (has(verb.traits, kGoing)) {
    if (chance(0.3)) {
      const Np company = somebody(subject, false);
      vp.with = {join({"with", company.en}), company.ja + "と"};
    }
    if (chance(0.35)) {
      const Phrase& by = pick(kByVehicle);
      vp.by = {by.en, by.ja};
    }
  }
  if (negative || subject.modified) return vp;
  const bool in_between =
      verb.particle ==
      std::string("の");  // nothing may come between an object with の and its verb
  if (has(verb.traits, kLasting) && !counted && !in_between && (mood == kPast || mood == kFuture) &&
      chance(0.15)) {
    static const struct {
      const char *en, *ja;
      int step, most;
    } spans[] = {{"hours", "時間", 1, 9}, {"minutes", "分間", 10, 5}};
    const auto& span = pick(spans);
    const int n = span.step * between(span.step == 1 ? 2 : 1, span.most);
    vp.lasting = {join({"for", english_number(n), span.en}), kanji_number(n) + span.ja};
  } else if (*verb.manners && !counted && !in_between && chance(0.2)) {
    const char letter = pick(std::string(verb.manners));
    for (const Manner& manner : kManners) {
      if (manner.letter == letter) vp.manner = {manner.en, manner.ja};
    }
  }
  return vp;
}

void Phrases::add_time(Clause& clause) {
  if (clause.vp.object.modified && clause.mood != kPast) return;
  const bool event = !has(clause.vp.verb->traits, kState);
  const Phrase* phrase = nullptr;
  const bool often_fits = clause.mood == kPresent && event && !clause.negative;
  if (clause.mood == kPast && event && chance(0.4)) {
    phrase = &pick(kPastTimes);
  } else if (clause.mood == kPast && event && !clause.negative && chance(0.15)) {
    static const Phrase units[] = {{"hours ago", "時間前に"},
                                   {"days ago", "日前に"},
                                   {"weeks ago", "週間前に"},
                                   {"years ago", "年前に"}};
    const Phrase& unit = pick(units);
    const int n = between(2, 10);
    clause.time = {join({english_number(n), unit.en}), kanji_number(n) + unit.ja};
  } else if ((clause.mood == kFuture && chance(0.6)) ||
             ((clause.mood == kWant || clause.mood == kMust) && !clause.negative && chance(0.25))) {
    phrase = &pick(kFutureTimes);
  } else if (often_fits && chance(0.45)) {
    phrase = &pick(kHabitTimes);
  } else if (often_fits && chance(0.4)) {
    const Phrase& often = pick(kOften);
    clause.often = {often.en, often.ja};
  } else if ((often_fits || (clause.mood == kWasDoing && !clause.negative)) && chance(0.4)) {
    const int hour = between(1, 12);
    const bool half = chance(0.3);
    clause.time = {half ? join({"at half past", english_number(hour)})
                        : join({"at", english_number(hour), "o'clock"}),
                   kanji_number(hour) + (half ? "時半に" : "時に")};
  } else if (clause.mood == kDoing && !clause.negative && chance(0.25)) {
    clause.time = {"now", "今"};
    return;  // always at the end
  }
  if (phrase) clause.time = {phrase->en, phrase->ja};
  if (clause.time.en.empty()) return;
  clause.time_first = clause.vp.object.modified || clause.subject.modified || chance(0.35);
}

Clause Phrases::clause(const std::vector<Mood>& moods, const Np* about, bool plain, unsigned traits,
                       unsigned without) {
  Clause clause;
  clause.mood = pick(moods);
  clause.negative = !plain && chance(0.18) && clause.mood != kMust;
  const bool settled = clause.mood == kPast || clause.mood == kDoing || clause.mood == kWasDoing;
  const unsigned kind = about                    ? about->kind & (kPerson | kAnimal)
                        : traits || chance(0.85) ? kPerson
                                                 : kAnimal;
  clause.subject = about ? *about : subject(kind, settled && !clause.negative && !plain, !plain);
  if (clause.mood == kWant && clause.subject.who == kYou)
    clause.mood = kMust, clause.negative = false;
  if (clause.mood == kMust && kind == kAnimal) clause.mood = kPast;
  if (clause.mood == kDoing || clause.mood == kWasDoing) traits |= kLasting;
  if (clause.mood != kPresent && clause.mood != kPast) without |= kState;
  if (clause.mood == kCan || clause.mood == kWant || clause.mood == kMust ||
      clause.mood == kFuture || clause.mood == kPresent) {
    without |= kUnwilled;
  }
  const Verb& verb = this->verb(kind, traits, without);
  clause.vp = verb_phrase(verb, clause.subject, clause.mood, clause.negative, plain);
  if (!plain) add_time(clause);
  const bool third =
      clause.subject.who == kHe || clause.subject.who == kShe || clause.subject.who == kIt;
  const bool untold =
      clause.time.en.empty() && clause.often.en.empty() && !third && !clause.negative;
  if (clause.mood == kPresent && untold && std::string(verb.en) == verb.past)
    clause.mood = kPast;  // "you read it" is past
  return clause;
}

}  // namespace tt::toy
