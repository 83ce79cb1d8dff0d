#include "clean/dry_run.h"

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "base/random.h"
#include "base/report.h"

namespace tt::clean {
namespace {

constexpr std::size_t kExamples = 3;

struct Example {
  std::uint64_t number;
  std::string text;
};

// The counts and examples of one rule.
struct Found {
  std::uint64_t pairs = 0, alone = 0;
  Random random;
  std::vector<Example> examples = {};

  // Each of n pairs is among the k examples with probability k / n (algorithm R, Vitter 1985).
  void add(std::uint64_t number, std::string_view source, std::string_view target, bool only) {
    alone += only;
    const auto n = static_cast<std::uint32_t>(++pairs);
    std::size_t at = examples.size();
    if (at < kExamples) examples.push_back({});
    else if (at = random.below(n); at >= kExamples) return;
    examples[at] = {number, in_quotes(source) + " | " + in_quotes(target)};
  }
};

}  // namespace

void dry_run(PairReader& in, Cleaner& cleaner, Output& out) {
  std::vector<Found> rules;
  for (std::size_t i = 0; i < cleaner.rules().size(); ++i) rules.push_back({0, 0, Random(1, i)});
  Found not_utf8{0, 0, Random(1, rules.size())};
  Progress progress("reading", "pairs");
  std::uint64_t any = 0;
  for (std::string_view source, target; in.next(source, target);) {
    const std::uint64_t unreadable = cleaner.not_utf8().pairs;
    const auto& found = cleaner.verdicts(source, target);
    const std::uint64_t number = cleaner.pairs();
    for (const std::size_t i : found) rules[i].add(number, source, target, found.size() == 1);
    const bool damaged = cleaner.not_utf8().pairs > unreadable;
    if (damaged) not_utf8.add(number, source, target, true);
    any += damaged || !found.empty();
    if (number % 4096 == 0) progress.update(number, in.part());
  }
  progress.wipe();
  const std::uint64_t all = cleaner.pairs();
  out.line("any rule: " + with_commas(any) + " of " + count_of(all, "pair"));
  const auto print = [&](const std::string& name, Found& found) {
    const double share = static_cast<double>(found.pairs) / static_cast<double>(all > 0 ? all : 1);
    out.line(name + ": " + with_commas(found.pairs) + formatted(" (%.2f %%), ", 100 * share) +
             with_commas(found.alone) + " of them by no other rule");
    std::ranges::sort(found.examples, {}, &Example::number);
    for (const Example& example : found.examples)
      out.line("    " + std::to_string(example.number) + ": " + example.text);
  };
  print("utf-8", not_utf8);
  for (std::size_t i = 0; i < rules.size(); ++i) print(cleaner.rules()[i].kind->name, rules[i]);
}

}  // namespace tt::clean
