#include "base/error.h"
#include "metrics/report.h"
#include "metrics/report_json.h"
#include "metrics/table.h"

namespace tt::metrics {

namespace {

std::string by_length(const Metrics& metrics, const Comparison& comparison,
                      const ReportOptions& options, Json& json) {
  Table table;
  table.row({"tokens", "segments"});
  for (const auto& metric : metrics)
    table.cell(metric->name() + " first").cell("second").cell("difference");
  for (const LengthGroup& group : comparison.lengths()) {
    std::string range = std::to_string(group.shortest);
    if (group.longest != group.shortest)
      range += "-" + (group.longest ? std::to_string(group.longest) : "");
    table.row({range, std::to_string(group.segments)});
    Json entry = {{"tokens", range}, {"segments", group.segments}};
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const double first = metrics[m]->score(group.totals[m][0]),
                   second = metrics[m]->score(group.totals[m][1]);
      const int decimals = options.decimals(*metrics[m]);
      table.cell(fixed(first, decimals))
          .cell(fixed(second, decimals))
          .cell(fixed(second - first, decimals));
      entry[metrics[m]->name()] = {rounded(first, options), rounded(second, options)};
    }
    json["by_length"].push_back(std::move(entry));
  }
  return table.text();
}

std::string ngrams_of(const std::string& who, const Comparison& comparison, Json& json) {
  Table table;
  table.row({"first", "second"}).cell("n-gram", Table::kLeft);
  for (int order = 1; order <= comparison.words().options().max_order; ++order)
    for (const NgramDifference& each : comparison.ngrams(order, who == "first")) {
      table.row({std::to_string(each.first), std::to_string(each.second)})
          .cell(each.ngram, Table::kLeft);
      json["ngrams"][who].push_back(
          {{"ngram", each.ngram}, {"order", order}, {"matches", {each.first, each.second}}});
    }
  return table.text();
}

std::string sentences_of(const std::string& who, const Metric& metric, const Comparison& comparison,
                         const ReportOptions& options, Json& json) {
  std::string text;
  const int decimals = options.decimals(metric);
  for (const SentenceDifference& each : comparison.sentences(who == "first")) {
    text += "segment " + std::to_string(each.segment) + ": " + fixed(each.first, decimals) + ", " +
            fixed(each.second, decimals) + "\n";
    for (const std::string& reference : each.references)
      text += reference.empty() ? "" : "  reference  " + reference + "\n";
    text += "  first      " + each.first_text + "\n  second     " + each.second_text + "\n";
    json["sentences"][who].push_back(
        {{"segment", each.segment},
         {"scores", {rounded(each.first, options), rounded(each.second, options)}},
         {"texts", {each.first_text, each.second_text}},
         {"references", each.references}});
  }
  return text;
}

}  // namespace

std::string compare_report(const Metrics& metrics, const std::vector<std::string>& systems,
                           const Comparison& comparison, const ReportOptions& options) {
  TT_CHECK(systems.size() == 2);
  Json json;
  const std::string tokenizer = comparison.words().options().tokenize;
  std::string text = "first: " + printable(systems[0]) + "\nsecond: " + printable(systems[1]) +
                     "\n\nBy length of the reference, in tokens of " + tokenizer + "\n" +
                     by_length(metrics, comparison, options, json);
  for (const std::string who : {"first", "second"})
    text += "\nN-grams that the " + who + " system matches more often\n" +
            ngrams_of(who, comparison, json);
  for (const std::string who : {"first", "second"})
    text += "\nSentences for which the " + who + " system has the better " + metrics[0]->name() +
            "\n" + sentences_of(who, *metrics[0], comparison, options, json);
  if (!options.is_json()) return text;
  Json whole = {{"systems", systems}, {"metric", metrics[0]->name()}, {"tokenize", tokenizer}};
  whole.update(json);
  return dump(whole, 1);
}

}  // namespace tt::metrics
