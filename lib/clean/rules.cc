#include "clean/rules.h"

#include "clean/duplicates.h"
#include "clean/held_out.h"
#include "clean/language.h"
#include "clean/numbers.h"
#include "clean/pair_rules.h"
#include "clean/script.h"

namespace tt::clean {
namespace {

using Made = std::unique_ptr<Rule>;

class PairRule : public Rule {
 public:
  using Test = bool(const Pair&, double);
  PairRule(Test* test, double threshold) : test_(test), threshold_(threshold) {}
  bool drops(const Pair& pair) override { return test_(pair, threshold_); }

 private:
  Test* const test_;
  const double threshold_;
};

auto test(PairRule::Test* function) {
  return [function](double threshold, const RuleContext&) -> Made {
    return std::make_unique<PairRule>(function, threshold);
  };
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
Made numbers(double share, const RuleContext& context) {
  return std::make_unique<Numbers>(share, context.languages);
}
Made held_out(double, const RuleContext& context) {
  if (context.held_out.empty()) return nullptr;
  return std::make_unique<HeldOut>(context.held_out);
}

}  // namespace

const std::vector<RuleKind>& rule_kinds() {
  constexpr double kMany = 1 << 30;
  const auto on = [](const char* name, const char* help, auto make,
                     std::optional<double> initial = 0, const char* needs = "") {
    return RuleKind{name, "", 0, 0, {"on"}, initial, help, needs, make};
  };
  const auto from = [](const char* name, const char* threshold, double least, double most,
                       double initial, const char* help, auto make, const char* needs = "") {
    return RuleKind{name, threshold, least, most, {}, initial, help, needs, make};
  };
  static const std::vector<RuleKind> kinds{
      on("empty", "a side with nothing to see", test(empty)),
      on("mojibake", "UTF-8 that was read in another encoding", test(mojibake)),
      on("stray", "control characters, and others that no text means to have", test(stray)),
      from("identical", "WORDS", 0, kMany, 0, "both sides are the same, of WORDS or more",
           test(identical)),
      from("length", "WORDS", 1, kMany, 200,
           "a side of more than WORDS, or 20 times as many characters", test(too_long)),
      from("ratio", "R", 1, kMany, 3,
           "a side more than R times as long as the other, and 10 characters", test(length_ratio)),
      from("repetition", "N", 2, kMany, 4, "up to 8 words that stand N times in a row",
           test(repetition)),
      from("letters-apart", "N", 2, kMany, 6,
           "N letters in a row that stand apart, other ones on each side", test(letters_apart)),
      from("words-glued", "N", 1, kMany, 2,
           "N capitals behind small letters, or 40 letters, in a word of one side alone",
           test(words_glued)),
      on("mixed-scripts", "a word of letters of two scripts that look alike", test(mixed_scripts)),
      from("script", "SHARE", 0, 1, 0.5,
           "less than SHARE of the letters of a side are of its language's scripts", script,
           "languages"),
      from("numbers", "SHARE", 0, 1, 0.5, "less than SHARE of the numbers are on both sides",
           numbers),
      on("placeholders", "placeholders that differ, as %s and {name}", test(placeholders)),
      on("escapes", "characters that are spelled by number, as \\u006e, on one side",
         test(escapes)),
      on("addresses", "URLs or e-mail addresses that differ", test(addresses)),
      on("markup", "tags that differ, or character entities on one side", test(markup_differs)),
      on("held-out-text", "a side that is in a text held out", held_out, 0, "held_out"),
      RuleKind{"duplicates",
               "",
               0,
               1,
               {"near", "exact"},
               0,
               "pairs that have come before; near: but for case, punctuation and spaces",
               "",
               duplicates},
      on("language", "a side in another language than its own, by libcld2", language, {},
         "languages"),
  };
  return kinds;
}

}  // namespace tt::clean
