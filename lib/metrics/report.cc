#include "metrics/report.h"

#include <algorithm>

#include "base/error.h"
#include "base/report.h"
#include "metrics/report_json.h"
#include "metrics/table.h"

namespace tt::metrics {

namespace {

Estimate estimate_of(const Result& result, std::size_t metric, std::size_t system) {
  return result.estimates.empty() ? Estimate{} : result.estimates[metric][system];
}

// True if `has` holds for the estimate of some system in some result.
template <class Has>
bool any_estimate(std::span<const Result> results, const Has& has) {
  return std::ranges::any_of(results, [&](const Result& result) {
    return std::ranges::any_of(
        result.estimates, [&](const auto& systems) { return std::ranges::any_of(systems, has); });
  });
}

std::string group_name(const Result& result, bool all) {
  return all ? "all" : printable(result.group);
}

std::string line_of_score(const Metric& metric, const Totals& totals, const Estimate& estimate,
                          const ReportOptions& options) {
  const int decimals = options.decimals(metric);
  std::string text = fixed(metric.score(totals), decimals);
  if (estimate.mean) text += " (μ = " + interval_text(estimate, decimals) + ")";
  return text;
}

std::string cell_of_score(const Metric& metric, const Totals& totals, const Estimate& estimate,
                          const ReportOptions& options) {
  const int decimals = options.decimals(metric);
  std::string text = fixed(metric.score(totals), decimals);
  if (estimate.mean) text += " (" + interval_text(estimate, decimals) + ")";
  if (!estimate.p_value) return text;
  text += " (p = " + fixed(*estimate.p_value, kProbabilityWidth);
  if (estimate.exact_p_value)
    text += ", exact " + fixed(*estimate.exact_p_value, kProbabilityWidth);
  return text + ")" + (estimate.significant ? "*" : "");
}

// The meaning of the p-values of a table, and a warning where they are of few segments.
std::vector<std::string> legend(const Metrics& metrics, const std::vector<std::string>& systems,
                                std::span<const Result> results) {
  std::vector<std::string> lines;
  if (!any_estimate(results, [](const Estimate& each) { return each.p_value.has_value(); }))
    return lines;
  lines.push_back(
      "p: probability of a difference from " + printable(systems[0]) +
      " larger than this by chance alone; *: below 0.05, also if equal differences are counted");
  if (!any_estimate(results, [](const Estimate& each) { return each.exact_p_value.has_value(); }))
    return lines;
  lines.push_back(
      "exact: that of a difference at least as large, over all exchanges of the segments that "
      "differ, if these are " +
      std::to_string(kEnumerated) + " or fewer; p is too small then");
  for (const Result& result : results) {
    const bool all = &result == &results.back();
    for (std::size_t s = 1; s < systems.size(); ++s) {
      std::string few;
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        const Estimate& estimate = result.estimates[m][s];
        if (estimate.exact_p_value)
          few += (few.empty() ? "" : ", ") + std::to_string(estimate.differing) + " in " +
                 metrics[m]->name();
      }
      if (!few.empty())
        lines.push_back(
            printable(systems[s]) + (results.size() > 1 ? ", " + group_name(result, all) : "") +
            ": segments that differ, of " + with_commas(result.scoring.segments) + ": " + few);
    }
  }
  return lines;
}

std::vector<std::string> signatures(const Metrics& metrics, const ReportOptions& options) {
  std::vector<std::string> lines;
  for (const auto& metric : metrics)
    lines.push_back(metric->name() + "|" +
                    signature(*metric, options.run, options.short_signature) +
                    (metric->comparable() ? "" : " (not comparable to sacreBLEU)"));
  return lines;
}

// One row for each group and system; `add_score` adds the cells of a metric, also to the head,
// where the result is null.
template <class AddScore>
Table table_of(const Metrics& metrics, const std::vector<std::string>& systems,
               std::span<const Result> results, bool name_systems, const AddScore& add_score) {
  const bool grouped = results.size() > 1;
  Table table;
  const auto begin_row = [&](const std::string& group, const std::string& segments,
                             const std::string& system) {
    table.row(grouped ? std::initializer_list<std::string>{group, segments}
                      : std::initializer_list<std::string>{});
    if (name_systems) table.cell(system, Table::kLeft);
  };
  begin_row("group", "segments", "system");
  for (std::size_t m = 0; m < metrics.size(); ++m) add_score(table, m, nullptr, 0);
  for (const Result& result : results) {
    for (std::size_t s = 0; s < systems.size(); ++s) {
      begin_row(group_name(result, &result == &results.back()),
                std::to_string(result.scoring.segments), printable(systems[s]));
      for (std::size_t m = 0; m < metrics.size(); ++m) add_score(table, m, &result, s);
    }
  }
  return table;
}

// A table to read: a cell per score.
std::string table_report(const Metrics& metrics, const std::vector<std::string>& systems,
                         std::span<const Result> results, const ReportOptions& options) {
  const bool intervals =
      any_estimate(results, [](const Estimate& each) { return each.mean.has_value(); });
  const auto add_score = [&](Table& table, std::size_t m, const Result* result, std::size_t s) {
    if (result)
      table.cell(cell_of_score(*metrics[m], result->scoring.totals[m][s],
                               estimate_of(*result, m, s), options));
    else table.cell(metrics[m]->name() + (intervals ? " (μ ± 95 % CI)" : ""));
  };
  const bool name_systems = systems.size() > 1 || results.size() == 1;
  const Table table = table_of(metrics, systems, results, name_systems, add_score);
  const bool markdown = options.format == Format::kMarkdown,
             latex = options.format == Format::kLatex;
  std::string text = markdown ? table.markdown() : latex ? table.latex() : table.text();
  const auto add = [&](const std::vector<std::string>& lines, bool code) {
    if (!lines.empty()) text += latex ? "%\n" : "\n";
    for (const std::string& line : lines)
      text += latex              ? "% " + line + "\n"
              : markdown && code ? "- `" + line + "`\n"
                                 : (markdown ? "- " : "") + line + "\n";
  };
  add(legend(metrics, systems, results), false);
  add(signatures(metrics, options), true);
  return text;
}

// A table to compute with: a column per number.
std::string tsv_report(const Metrics& metrics, const std::vector<std::string>& systems,
                       std::span<const Result> results, const ReportOptions& options) {
  struct Column {
    const char* suffix;
    std::optional<double> Estimate::*number;
    int least;  // decimals
  };
  std::vector<Column> columns;
  for (const Column& column : {Column{"_mean", &Estimate::mean, 0},
                               {"_interval", &Estimate::interval, 0},
                               {"_p", &Estimate::p_value, kProbabilityWidth},
                               {"_exact_p", &Estimate::exact_p_value, kProbabilityWidth}}) {
    if (any_estimate(results,
                     [&](const Estimate& each) { return (each.*column.number).has_value(); }))
      columns.push_back(column);
  }
  return table_of(
             metrics, systems, results, true,
             [&](Table& table, std::size_t m, const Result* result, std::size_t s) {
               const std::string name = metrics[m]->name();
               const int decimals = options.decimals(*metrics[m]);
               table.cell(result ? fixed(metrics[m]->score(result->scoring.totals[m][s]), decimals)
                                 : name);
               for (const auto& [suffix, number, least] : columns) {
                 const auto value = result ? estimate_of(*result, m, s).*number : std::nullopt;
                 table.cell(!result ? name + suffix
                            : value ? fixed(*value, std::max(decimals, least))
                                    : "");
               }
             })
      .tsv();
}

std::string json_report(const Metrics& metrics, const std::vector<std::string>& systems,
                        std::span<const Result> results, const ReportOptions& options) {
  const auto scores = [&](const Result& result, std::size_t s, Json json) {
    json["segments"] = result.scoring.segments;
    for (std::size_t m = 0; m < metrics.size(); ++m)
      json[metrics[m]->name()] =
          score_json(*metrics[m], result.scoring.totals[m][s], estimate_of(result, m, s), options);
    return json;
  };
  Json list = Json::array();
  for (std::size_t s = 0; s < systems.size(); ++s) {
    list.push_back(scores(results.back(), s, {{"system", systems[s]}}));
    for (const Result& result : results.first(results.size() - 1))
      list.back()["groups"].push_back(scores(result, s, {{"group", result.group}}));
  }
  return dump(list, 1);
}

std::string sacrebleu_report(const Metrics& metrics, const Result& result,
                             const ReportOptions& options) {
  Json list = Json::array();
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    list.push_back(
        score_json(*metrics[m], result.scoring.totals[m][0], estimate_of(result, m, 0), options));
    list.back()["segments"] = result.scoring.segments;
  }
  return dump(metrics.size() == 1 ? list[0] : list, 1);
}

}  // namespace

Format format_named(const std::string& name) {
  if (name == "text") return Format::kText;
  if (name == "md") return Format::kMarkdown;
  if (name == "latex") return Format::kLatex;
  if (name == "tsv") return Format::kTsv;
  if (name == "json") return Format::kSacrebleuJson;
  throw Error("there is no format ", in_quotes(name), "; use text, md, latex, tsv or json");
}

std::string interval_text(const Estimate& estimate, int width) {
  return fixed(*estimate.mean, width) + " ± " + fixed(*estimate.interval, width);
}

std::string score_report(const Metrics& metrics, const std::vector<std::string>& systems,
                         std::span<const Result> results, const ReportOptions& options) {
  TT_CHECK(!results.empty());
  const bool one = systems.size() == 1 && results.size() == 1;
  if (one && options.format == Format::kSacrebleuJson)
    return sacrebleu_report(metrics, results[0], options);
  if (options.is_json()) return json_report(metrics, systems, results, options);
  if (options.format == Format::kTsv) return tsv_report(metrics, systems, results, options);
  if (options.format != Format::kText || (!one && !options.score_only))
    return table_report(metrics, systems, results, options);

  std::string text;
  for (const Result& result : results) {
    for (std::size_t s = 0; s < systems.size(); ++s) {
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        const Totals& totals = result.scoring.totals[m][s];
        const std::string score =
            line_of_score(*metrics[m], totals, estimate_of(result, m, s), options);
        if (options.score_only) {
          text += score + (!one && m + 1 < metrics.size() ? "\t" : "\n");
          continue;
        }
        const std::string verbose = metrics[m]->verbose(totals);
        text += metrics[m]->name() + "|" +
                signature(*metrics[m], options.run, options.short_signature) + " = " + score +
                (verbose.empty() ? "" : " " + verbose) + "\n";
      }
    }
  }
  return text;
}

std::string sentence_report(const Metrics& metrics, const std::vector<std::string>& systems,
                            const ScoringBlock& block, const ReportOptions& options) {
  const auto totals = [&](std::size_t m, std::size_t s, std::size_t i) {
    const std::size_t width = metrics[m]->width();
    return sum_rows(std::span(block.rows[m][s]).subspan(i * width, width), width);
  };
  std::string text;
  for (std::size_t i = 0; i < block.size; ++i) {
    Json json = {{"segment", block.first + i + 1}};
    if (!block.groups.empty()) json["group"] = block.groups[i];
    for (std::size_t s = 0; s < systems.size(); ++s) {
      Json scores = Json::object();
      if (options.format == Format::kJson || systems.size() > 1) scores["system"] = systems[s];
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        const Metric& metric = *metrics[m];
        const Totals sum = totals(m, s, i);
        if (options.is_json()) {
          Json& entry = scores[metric.name()];
          entry["score"] = rounded(metric.score(sum), options);
          add_details(entry, metric, sum, options);
        } else {
          text += (s + m > 0 ? "\t" : "") + fixed(metric.score(sum), options.decimals(metric));
        }
      }
      if (scores.contains("system")) json["systems"].push_back(std::move(scores));
      else json.update(scores);
    }
    text += options.is_json() ? dump(json, -1) : "\n";
  }
  return text;
}

}  // namespace tt::metrics
