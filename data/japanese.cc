// The Japanese side: how verbs and adjectives inflect, and where particles and counters go.
// Sentences end politely (です, ます); verbs inside a sentence are plain.
#include "data/japanese.h"

#include "base/error.h"
#include "data/grammar.h"

namespace tt::toy {
namespace {
constexpr std::size_t kKana = 3;  // bytes of a kana in UTF-8
}

Stems inflect(const std::string& verb, char group) {
  TT_CHECK(verb.size() > kKana);
  const std::string stem = verb.substr(0, verb.size() - kKana),
                    last = verb.substr(verb.size() - kKana);
  if (group == '1') return {stem, stem + "て", stem + "た", stem};
  if (group == 's') {
    const std::string noun = verb.substr(0, verb.size() - 2 * kKana);
    return {noun + "し", noun + "して", noun + "した", noun + "し"};
  }
  if (verb == "行く") return {"行き", "行って", "行った", "行か"};
  static const struct {
    const char *last, *i, *te, *ta, *a;
  } rows[] = {{"う", "い", "って", "った", "わ"}, {"く", "き", "いて", "いた", "か"},
              {"ぐ", "ぎ", "いで", "いだ", "が"}, {"す", "し", "して", "した", "さ"},
              {"つ", "ち", "って", "った", "た"}, {"ぶ", "び", "んで", "んだ", "ば"},
              {"む", "み", "んで", "んだ", "ま"}, {"る", "り", "って", "った", "ら"}};
  for (const auto& row : rows) {
    if (last == row.last) return {stem + row.i, stem + row.te, stem + row.ta, stem + row.a};
  }
  TT_CHECK(!"a verb that ends in a kana of the table");
  return {};
}

std::string polite(const std::string& masu, bool past, bool negative) {
  return masu + (negative ? (past ? "ませんでした" : "ません") : (past ? "ました" : "ます"));
}

std::string polite_adjective(const std::string& adjective, char group, bool past, bool negative) {
  const std::string stem = adjective.substr(0, adjective.size() - kKana);
  if (group == 't') return polite(stem, past, negative);
  if (group == 'n')
    return stem + (negative ? (past ? "ではありませんでした" : "ではありません")
                            : (past ? "でした" : "です"));
  return negative ? stem + (past ? "くありませんでした" : "くありません")
         : past   ? stem + "かったです"
                  : adjective + "です";
}

std::string plain_adjective(const std::string& adjective, char group, bool past) {
  const std::string stem = adjective.substr(0, adjective.size() - kKana);
  if (group == 't') return past ? stem + "た" : adjective;
  if (group == 'n') return past ? stem + "だった" : adjective;
  return past ? stem + "かった" : adjective;
}

std::string kanji_number(int n) {
  TT_CHECK(n >= 1 && n <= 99);
  static const char* const digits[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
  return std::string(n >= 20 ? digits[n / 10] : "") + (n >= 10 ? "十" : "") + digits[n % 10];
}

std::string with_particle(const Np& np, const std::string& particle) {
  if (np.count.empty()) return np.ja + particle;
  if (particle == "を" || particle == "が") return np.ja + particle + np.count;
  return np.count + "の" + np.ja + particle;
}

std::string topic(const Np& np) { return np.definite ? np.ja + "は" : with_particle(np, "が"); }

std::string japanese_arguments(const Vp& vp) {
  return vp.with.ja + vp.by.ja + vp.place.ja + vp.receiver.ja +
         with_particle(vp.object, vp.verb->particle) + vp.lasting.ja + vp.manner.ja;
}

std::string place_particle(const Verb& verb) {
  return verb.ja == std::string("歩く") ? "を" : "で";
}

Stems stems(const Vp& vp) {
  Stems own = inflect(vp.verb->ja, vp.verb->group);
  if (!vp.to_me) return own;
  const std::string before = vp.verb->ja == std::string("あげる") ? "" : own.te;
  return {before + "くれ", before + "くれて", before + "くれた", before + "くれ"};
}

std::string japanese_plain(const Vp& vp, Mood mood) {
  const Stems s = stems(vp);
  switch (mood) {
    case kPresent: return vp.verb->traits & kState ? s.te + "いる" : vp.verb->ja;
    case kPast: return vp.verb->traits & kState ? s.te + "いた" : s.ta;
    case kDoing: return s.te + "いる";
    case kWasDoing: return s.te + "いた";
    default: TT_CHECK(!"a mood without a plain form"); return {};
  }
}

std::string japanese_verb(const Clause& clause) {
  const Stems s = stems(clause.vp);
  const bool state = clause.vp.verb->traits & kState, no = clause.negative;
  switch (clause.mood) {
    case kPresent:
    case kFuture:
    case kPast:
      // Not to know is 知りません, not to have 持っていません.
      if (state && !(no && clause.vp.verb->ja == std::string("知る")))
        return polite(s.te + "い", clause.mood == kPast, no);
      return polite(s.masu, clause.mood == kPast, no);
    case kDoing: return polite(s.te + "い", false, no);
    case kWasDoing: return polite(s.te + "い", true, no);
    case kCan: return clause.vp.verb->ja + polite("ことができ", false, no);
    case kWant:
      // Only one's own wishes, and those one asks for, are known; those of others show.
      if (first_person(clause.subject.who) || clause.subject.who == kYou)
        return s.masu + (no ? "たくありません" : "たいです");
      return polite(s.masu + "たがってい", false, no);
    case kMust: return s.nai + "なければなりません";
  }
  return {};
}

std::string japanese(const Clause& clause) {
  const std::string time_first = clause.time_first ? clause.time.ja + "、" : "",
                    time = clause.time_first ? "" : clause.time.ja;
  std::string before = topic(clause.subject) + time + clause.often.ja;
  Vp vp = clause.vp;
  if (!clause.subject.definite) {  // a new subject follows time and place
    before = time + vp.place.ja + topic(clause.subject);
    vp.place.ja.clear();
  }
  return time_first + before + japanese_arguments(vp) + japanese_verb(clause);
}

}  // namespace tt::toy
