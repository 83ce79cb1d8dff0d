#include "rerank/tuning.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/input.h"
#include "base/setting.h"
#include "base/utf8.h"
#include "rerank/weights.h"

namespace tt::rerank {
namespace {

// References beside those that come with the lists.
class References {
 public:
  explicit References(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) files_.push_back(std::make_unique<File>(path));
  }

  // Line `number` of each file, the first of which is given. They live until the next call.
  std::vector<std::string_view> next(const std::string& first, std::size_t number) {
    std::vector<std::string_view> lines;
    for (const auto& file : files_) {
      if (file == files_[0]) file->line = first;
      else if (!file->in.next(file->line))
        throw Error(file->in.name(), ": ends before line ", number, ", which ",
                    files_[0]->in.name(), " has");
      if (first_invalid_utf8(file->line) != std::string::npos)
        file->problems.add("not UTF-8; invalid bytes are read as U+FFFD", number);
      lines.push_back(file->line);
    }
    return lines;
  }
  void check_ends(std::size_t lines) {
    std::string line;
    for (const auto& file : files_)
      if (file != files_[0] && file->in.next(line))
        throw Error(file->in.name(), ": goes on at line ", lines + 1, ", where ",
                    files_[0]->in.name(), " has ended");
  }
  bool degraded() const {
    return std::ranges::any_of(files_, [](const auto& file) { return file->problems.any(); });
  }

 private:
  struct File {
    explicit File(const std::string& path)
        : in(path), problems([this](std::size_t line) { return in.where(line); }) {}
    LineReader in;
    std::string line;
    Reasons problems;
  };
  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace

DevelopmentSet read_development_set(ListSource& lists, const std::vector<std::string>& references,
                                    std::unique_ptr<metrics::Metric> metric,
                                    std::vector<std::string>& names) {
  const ListProblem problem = lists.list_problem();
  References files(references);
  std::optional<TuningSet> set;
  metrics::Spacing spacing;
  std::string line;
  while (lists.next(line)) {
    const ListItem item = lists.item(line);
    const std::optional<Candidate> first = first_candidate(item.hypotheses);
    const auto line_references = files.next(item.source, lists.line_number());
    if (names.empty() && first)
      for (const Feature& feature : first->features)
        if (std::ranges::find(names, feature.name) == names.end()) names.push_back(feature.name);
    if (names.empty())
      throw Error(lists.where(std::max<std::size_t>(1, item.hypotheses.line)),
                  ": the first translation has no features, as \"LogProb= -1.5\"");
    if (const auto name = std::ranges::find_if_not(names, is_weight_name); name != names.end())
      throw SettingError(lists.where(std::max<std::size_t>(1, item.hypotheses.line)), ": ",
                         in_quotes(*name),
                         " cannot be the name of a weight, which is written \"NAME= 0.5\"; name "
                         "other features with ",
                         Setting{"features"});
    if (!set || set->lines() < metrics::Spacing::kLines) spacing.add(line_references[0]);
    if (!set) set.emplace(names.size(), std::move(metric));
    set->add_line();
    bool any = false;
    read_candidates(item.hypotheses, problem, [&](std::size_t, const Candidate& candidate) {
      const std::vector<double> values = features_of(candidate, names, problem);
      if (std::ranges::any_of(values, [](double x) { return std::isnan(x); })) return;
      set->add(values, candidate.text, line_references);
      any = true;
    });
    if (!any)
      set->add(std::vector<double>(names.size(), 0), first ? first->text : "", line_references);
  }
  if (!set) throw Error(input_name(references[0]), ": has no lines");
  files.check_ends(lists.line_number());
  return {std::move(*set), files.degraded(), spacing};
}

}  // namespace tt::rerank
