#include "decode/degraded.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/report.h"

namespace tt {
namespace {

constexpr const char* kNotKept = "what was to be kept is not in the translation";
constexpr const char* kNoTerm = "no translation of a glossary's term is in the translation";

// Those that are verbatim, or those that are not, of what is unmet: each once.
std::string names_of(const std::vector<Wanted>& wanted, const std::set<std::size_t>& unmet, bool verbatim) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> counts;
  for (const std::size_t w : unmet)
    if (wanted[w].verbatim == verbatim && counts[wanted[w].source]++ == 0) names.push_back(wanted[w].source);
  std::string all;
  for (const std::string& name : names)
    all += (all.empty() ? "" : ", ") + in_quotes(name) + (counts[name] == 1 ? "" : " (" + with_commas(counts[name]) + " times)");
  return all;
}

}  // namespace

void add_problems(InputLine& line, const Translated& result, std::int64_t longest, const Keep& keep) {
  const auto add = [&](const std::string& reason, const std::string& details = "") {
    const auto same = [&](const Problem& p) { return p.reason == reason; };
    if (std::none_of(line.problems.begin(), line.problems.end(), same)) line.problems.push_back({reason, details});
  };
  if (result.cut) add("longer than " + std::to_string(longest) + " pieces; translated in parts");
  for (const std::string& problem : result.problems) add(problem);
  const std::vector<Wanted>& wanted = line.request.wanted;
  if (wanted.empty()) return;
  std::set<std::size_t> unmet(result.unmet.begin(), result.unmet.end());
  for (const std::size_t w : not_apart(wanted, result.best[0].text, keep)) unmet.insert(w);
  for (const bool verbatim : {false, true}) {
    const std::string missed = names_of(wanted, unmet, verbatim);
    if (!missed.empty()) add(verbatim ? kNotKept : kNoTerm, missed);
  }
}

DegradedLines::~DegradedLines() {
  std::vector<std::pair<std::string, Lines>> all(reasons_.begin(), reasons_.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  for (const auto& [reason, lines] : all)
    warn(in_.where(lines.first) + ": " + text_of({reason, lines.details}) +
         (lines.count == 1 ? "" : " (" + with_commas(lines.count) + " such lines)"));
}

void DegradedLines::add(const InputLine& line, std::size_t number) {
  count_ += !line.problems.empty();
  for (const Problem& problem : line.problems) {
    Lines& lines = reasons_[problem.reason];
    if (lines.count++ > 0 && number > lines.first) continue;
    lines.first = number;
    lines.details = problem.details;
  }
}

}  // namespace tt
