#include "clean/rules.h"

#include "clean/addresses.h"
#include "clean/duplicates.h"
#include "clean/empty.h"
#include "clean/escapes.h"
#include "clean/held_out.h"
#include "clean/identical.h"
#include "clean/language.h"
#include "clean/length_ratio.h"
#include "clean/markup.h"
#include "clean/mojibake.h"
#include "clean/numbers.h"
#include "clean/placeholders.h"
#include "clean/repetition.h"
#include "clean/script.h"
#include "clean/stray.h"
#include "clean/too_long.h"
#include "clean/words.h"

namespace tt::clean {
namespace {

using Made = std::unique_ptr<Rule>;

template <class R>
Made plain(double, const RuleContext&) {
  return std::make_unique<R>();
}
template <class R>
Made with_threshold(double threshold, const RuleContext&) {
  return std::make_unique<R>(threshold);
}
Made duplicates(double exact, const RuleContext& context) {
  return std::make_unique<Duplicates>(exact > 0 ? Duplicates::By::text : Duplicates::By::key,
                                      context.memory);
}

Made script(double share, const RuleContext& context) {
  if (context.languages.empty()) return nullptr;
  return std::make_unique<Script>(context.languages[0], context.languages[1], share);
}
Made language(double, const RuleContext& context) {
  if (context.languages.empty()) return nullptr;
  return std::make_unique<Language>(context.languages[0], context.languages[1]);
}
Made held_out(double, const RuleContext& context) {
  if (context.held_out.empty()) return nullptr;
  return std::make_unique<HeldOut>(context.held_out);
}

}  // namespace

const std::vector<RuleKind>& rule_kinds() {
  constexpr double kMany = 1 << 30;
  const auto plain_rule = [](const char* name, const char* help, auto make,
                             std::optional<double> initial = 0, const char* needs = "") {
    return RuleKind{name, "", 0, 0, {"on"}, initial, help, needs, make};
  };
  static const std::vector<RuleKind> kinds{
      plain_rule("empty", "a side with nothing to see", plain<Empty>),
      plain_rule("mojibake", "UTF-8 that was read in another encoding", plain<Mojibake>),
      plain_rule("stray", "control characters, and others that no text means to have",
                 plain<Stray>),
      {"identical",
       "WORDS",
       0,
       kMany,
       {},
       0,
       "both sides are the same, of WORDS or more",
       "",
       with_threshold<Identical>},
      {"length",
       "WORDS",
       1,
       kMany,
       {},
       200,
       "a side of more than WORDS, or 20 times as many characters",
       "",
       with_threshold<TooLong>},
      {"ratio",
       "R",
       1,
       kMany,
       {},
       3,
       "a side more than R times as long as the other, and 10 characters",
       "",
       with_threshold<LengthRatio>},
      {"repetition",
       "N",
       2,
       kMany,
       {},
       4,
       "up to 8 words that stand N times in a row",
       "",
       with_threshold<Repetition>},
      {"letters-apart",
       "N",
       2,
       kMany,
       {},
       6,
       "N letters in a row that stand apart, other ones on each side",
       "",
       with_threshold<LettersApart>},
      {"words-glued",
       "N",
       1,
       kMany,
       {},
       2,
       "N capitals behind small letters, or 40 letters, in a word of one side alone",
       "",
       with_threshold<WordsGlued>},
      plain_rule("mixed-scripts", "a word of letters of two scripts that look alike",
                 plain<MixedScripts>),
      {"script",
       "SHARE",
       0,
       1,
       {},
       0.5,
       "less than SHARE of the letters of a side are of its language's scripts",
       "languages",
       script},
      {"numbers",
       "SHARE",
       0,
       1,
       {},
       0.5,
       "less than SHARE of the numbers are on both sides",
       "",
       [](double share, const RuleContext& context) -> Made {
         return std::make_unique<Numbers>(share, context.languages);
       }},
      plain_rule("placeholders", "placeholders that differ, as %s and {name}", plain<Placeholders>),
      plain_rule("escapes", "characters that are spelled by number, as \\u006e, on one side",
                 plain<Escapes>),
      plain_rule("addresses", "URLs or e-mail addresses that differ", plain<Addresses>),
      plain_rule("markup", "tags that differ, or character entities on one side", plain<Markup>),
      plain_rule("held-out-text", "a side that is in a text held out", held_out, 0, "held_out"),
      {"duplicates",
       "",
       0,
       1,
       {"near", "exact"},
       0,
       "pairs that have come before; near: but for case, punctuation and spaces",
       "",
       duplicates},
      plain_rule("language", "a side in another language than its own, by libcld2", language, {},
                 "languages"),
  };
  return kinds;
}

}  // namespace tt::clean
