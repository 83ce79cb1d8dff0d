#include "rerank/expected_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/formatted.h"
#include "base/json_line.h"
#include "base/utf8.h"
#include "rerank/candidates.h"
#include "text/invisible.h"

namespace tt::rerank {
namespace {

constexpr double kNormal = 1.96;  // deviations to either side, between which are 95 %

// A line that has been read: an object with a translation, or why it is none.
struct Translated {
  std::string object, problem, translation, source;
  std::vector<Feature> numbers;

  explicit Translated(const std::string& line) : object(repair_utf8(line)) {
    bool translated = false;
    try {
      for (const JsonMember& member : json_members(object)) {
        if (member.key == "translation" && member.text)
          translation = *member.text, translated = true;
        if (member.key == "text" && member.text) source = *member.text;
        if (const double x = to_number(member.value()); !std::isnan(x))
          numbers.push_back({member.key, x});
      }
      if (!translated) problem = "has no \"translation\"";
    } catch (const Error& error) {
      problem = error.what();
      object = "{}";
    }
  }

  // Not a number where it has none: a 0 would be taken for one that is very sure.
  double number(const std::string& name) const {
    const auto found = std::ranges::find(numbers, name, &Feature::name);
    return found == numbers.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
  }
  std::vector<double> all(const std::vector<std::string>& names) const {
    std::vector<double> values;
    for (const std::string& name : names) values.push_back(number(name));
    return values;
  }
};

double score_of(const metrics::Metric& metric, const std::string& text,
                std::string_view reference) {
  std::vector<std::int32_t> row(metric.width());
  const std::string valid = repair_utf8(reference);
  const std::string_view references[] = {valid};
  metric.segment(text, references, row);
  return metric.score({row.begin(), row.end()});
}

}  // namespace

FittedScore fit_lines(LineSource& in, std::vector<std::string> names, const metrics::Metric* metric,
                      const std::string& score, Reasons& problems) {
  std::vector<Example> examples;
  for (std::string line; in.next(line);) {
    const std::size_t end = line.find('\n');
    const Translated found(line.substr(0, end));
    if (names.empty())
      for (const Feature& feature : found.numbers)
        if (feature.name != score && is_weight_name(feature.name)) names.push_back(feature.name);
    Example example{found.all(names), 0};
    if (found.problem.empty())
      example.score =
          metric ? score_of(*metric, found.translation, std::string_view(line).substr(end + 1))
                 : found.number(score);
    const auto lacks = [](double x) { return std::isnan(x); };
    if (!found.problem.empty()) problems.add(found.problem + "; left out", in.line_number());
    else if (lacks(example.score)) problems.add("has no score; left out", in.line_number());
    else if (std::ranges::any_of(example.features, lacks))
      problems.add("lacks a feature; left out", in.line_number());
    else examples.push_back(std::move(example));
  }
  return fit_expected_score(names, examples);
}

ExpectedOfLines expect_lines(LineSource& in, const ExpectedScore& expectation, Output& out,
                             const Rest& rest, const std::string& from, Reasons& problems) {
  ExpectedOfLines found;
  double sum = 0;
  for (std::string line; in.next(line);) {
    const std::size_t number = in.line_number();
    Translated read(line);
    if (read.problem.empty() && expectation.model > 0 && read.number("model") != expectation.model)
      throw Error(in.where(number), ": is no translation of the model that ", from,
                  " was fitted to; fit one for it");
    const double expected = expectation.of(read.all(expectation.weights.names));
    if (read.problem.empty() && std::isnan(expected))
      read.problem = "lacks a feature; nothing is expected of it";
    const bool known = read.problem.empty();
    if (known) sum += expected, ++found.lines;
    else problems.add(read.problem, number);
    std::string more =
        known ? "{\"expected\":" + six_digits(expected) : "{\"error\":\"no expected score\"";
    if (rest.to && !(known && expected >= rest.least)) {
      ++found.below;
      rest.to->line(std::to_string(number) + '\t' + (known ? metrics::fixed(expected, 1) : "-") +
                    '\t' + escape_invisible(read.source) + '\t' +
                    escape_invisible(read.translation));
      more += ",\"translation\":\"\"";
    }
    out.line(json_with(read.object, more + "}"));
  }
  if (found.lines == 0) return found;
  found.mean = sum / static_cast<double>(found.lines);
  found.around = kNormal * expectation.error_of_mean(found.lines);
  found.around_line = kNormal * expectation.error;
  return found;
}

}  // namespace tt::rerank
