#include "metrics/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "metrics/table.h"

namespace tt::metrics {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kProbabilityWidth = 4;

double rounded(double value, const ReportOptions& options) {
  return options.round_json ? std::stod(fixed(value, options.width)) : value;
}

// "31.2 ± 1.2"
std::string interval_text(const Estimate& estimate, int width) {
  return fixed(*estimate.mean, width) + " ± " + fixed(*estimate.interval, width);
}

// A component of a score.
Json part(double value, const ReportOptions& options) {
  value = rounded(value, options);
  // Counts read better without ".0"; both are the same number in JSON.
  if (value == static_cast<double>(static_cast<std::int64_t>(value))) return static_cast<std::int64_t>(value);
  return value;
}

void add_details(Json& json, const Metric& metric, const Totals& totals, const ReportOptions& options) {
  for (const auto& [key, value] : metric.details(totals)) {
    if (const auto* one = std::get_if<double>(&value)) {
      json[key] = part(*one, options);
    } else {
      json[key] = Json::array();
      for (const double each : std::get<std::vector<double>>(value)) json[key].push_back(part(each, options));
    }
  }
}

// P-values have four decimals in text, and at least four in rounded JSON.
double rounded_p_value(double value, const ReportOptions& options) {
  return options.round_json ? std::stod(fixed(value, std::max(options.width, kProbabilityWidth))) : value;
}

Json score_json(const Metric& metric, const Totals& totals, const Estimate& estimate, const ReportOptions& options,
                const RunFields& run) {
  Json json;
  json["name"] = metric.name();
  json["score"] = rounded(metric.score(totals), options);
  json["signature"] = signature(metric, run);
  if (!metric.comparable()) json["comparable"] = false;
  if (estimate.mean) {
    json["confidence_mean"] = rounded(*estimate.mean, options);
    json["confidence_var"] = rounded(*estimate.interval, options);
    json["confidence"] = "μ = " + interval_text(estimate, options.width);
  }
  if (estimate.p_value) json["p_value"] = rounded_p_value(*estimate.p_value, options);
  if (const std::string verbose = metric.verbose(totals); !verbose.empty()) json["verbose_score"] = verbose;
  for (const auto& [key, value] : signature_fields(metric, run)) json[key] = value;
  add_details(json, metric, totals, options);
  return json;
}

std::string score_text(const Metric& metric, const Totals& totals, const Estimate& estimate, const ReportOptions& options) {
  std::string text = fixed(metric.score(totals), options.width);
  if (estimate.mean) text += " (μ = " + interval_text(estimate, options.width) + ")";
  return text;
}

std::string dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n"; }

// One row per system, one column per metric, signatures below.
std::string table_of_systems(const Metrics& metrics, const std::vector<std::string>& systems, const Scoring& scoring,
                             const std::vector<std::vector<Estimate>>& estimates, const ReportOptions& options,
                             const RunFields& run) {
  const auto estimate = [&](std::size_t m, std::size_t s) { return estimates.empty() ? Estimate{} : estimates[m][s]; };
  bool compared = false;
  Table table;
  table.row({"system"});
  for (std::size_t m = 0; m < metrics.size(); ++m) table.cell(metrics[m]->name() + (estimate(m, 0).mean ? " (μ ± 95 % CI)" : ""));
  for (std::size_t s = 0; s < systems.size(); ++s) {
    table.row({printable(systems[s])});
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const Estimate found = estimate(m, s);
      std::string text = fixed(metrics[m]->score(scoring.totals[m][s]), options.width);
      if (found.mean) text += " (" + interval_text(found, options.width) + ")";
      if (found.p_value) text += " (p = " + fixed(*found.p_value, kProbabilityWidth) + ")" + (*found.p_value < 0.05 ? "*" : "");
      compared = compared || found.p_value.has_value();
      table.cell(text);
    }
  }
  std::string text = table.text();
  if (compared) {
    text += "\np: probability of a difference from " + printable(systems[0]) +
            " larger than this by chance alone; *: below 0.05\n";
  }
  text += "\n";
  for (const auto& metric : metrics) {
    text += metric->name() + "|" + signature(*metric, run, options.short_signature) +
            (metric->comparable() ? "" : " (not comparable to sacreBLEU)") + "\n";
  }
  return text;
}

}  // namespace

std::string score_report(const Metrics& metrics, const std::vector<std::string>& systems, const Scoring& scoring,
                         const std::vector<std::vector<Estimate>>& estimates, const ReportOptions& options) {
  RunFields run = options.run;
  run.references = scoring.references;
  const auto estimate = [&](std::size_t m, std::size_t s) { return estimates.empty() ? Estimate{} : estimates[m][s]; };

  if (options.json && systems.size() == 1) {
    Json list = Json::array();
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      list.push_back(score_json(*metrics[m], scoring.totals[m][0], estimate(m, 0), options, run));
      list.back()["segments"] = scoring.segments;
    }
    return dump(metrics.size() == 1 ? list[0] : list, 1);
  }
  if (options.json) {
    Json list = Json::array();
    for (std::size_t s = 0; s < systems.size(); ++s) {
      Json system = {{"system", systems[s]}, {"segments", scoring.segments}};
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        system[metrics[m]->name()] = score_json(*metrics[m], scoring.totals[m][s], estimate(m, s), options, run);
      }
      list.push_back(std::move(system));
    }
    return dump(list, 1);
  }

  std::string text;
  if (options.score_only) {
    for (std::size_t s = 0; s < systems.size(); ++s) {
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        text += score_text(*metrics[m], scoring.totals[m][s], estimate(m, s), options);
        text += systems.size() > 1 && m + 1 < metrics.size() ? "\t" : "\n";
      }
    }
    return text;
  }
  if (systems.size() > 1) return table_of_systems(metrics, systems, scoring, estimates, options, run);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const std::string verbose = metrics[m]->verbose(scoring.totals[m][0]);
    text += metrics[m]->name() + "|" + signature(*metrics[m], run, options.short_signature) + " = " +
            score_text(*metrics[m], scoring.totals[m][0], estimate(m, 0), options) + (verbose.empty() ? "" : " " + verbose) +
            "\n";
  }
  return text;
}

std::string sentence_report(const Metrics& metrics, const ScoringBlock& block, const ReportOptions& options) {
  std::string text;
  for (std::size_t i = 0; i < block.size; ++i) {
    Json json = {{"segment", block.first + i + 1}};
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const Metric& metric = *metrics[m];
      const std::size_t width = metric.width();
      const Totals totals = sum_rows(std::span(block.rows[m][0]).subspan(i * width, width), width);
      if (options.json) {
        Json& entry = json[metric.name()];
        entry["score"] = rounded(metric.score(totals), options);
        add_details(entry, metric, totals, options);
      } else {
        text += (m ? "\t" : "") + fixed(metric.score(totals), options.width);
      }
    }
    text += options.json ? dump(json, -1) : "\n";
  }
  return text;
}

std::string compare_report(const Metrics& metrics, const std::vector<std::string>& systems, const Comparison& comparison,
                           const ReportOptions& options) {
  TT_CHECK(systems.size() == 2);
  const int orders = comparison.words().options().max_order;
  Json json;
  std::string text;

  Table table;
  table.row({"tokens", "segments"});
  for (const auto& metric : metrics) table.cell(metric->name() + " first").cell("second").cell("difference");
  for (const LengthGroup& group : comparison.lengths()) {
    std::string range = std::to_string(group.shortest);
    if (group.longest != group.shortest) range += "-" + (group.longest ? std::to_string(group.longest) : "");
    table.row({range, std::to_string(group.segments)});
    Json entry = {{"tokens", range}, {"segments", group.segments}};
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const double first = metrics[m]->score(group.totals[m][0]), second = metrics[m]->score(group.totals[m][1]);
      table.cell(fixed(first, options.width)).cell(fixed(second, options.width)).cell(fixed(second - first, options.width));
      entry[metrics[m]->name()] = {rounded(first, options), rounded(second, options)};
    }
    json["by_length"].push_back(std::move(entry));
  }
  const std::string tokenizer = comparison.words().options().tokenize;
  text += "first: " + printable(systems[0]) + "\nsecond: " + printable(systems[1]) +
          "\n\nBy length of the reference, in tokens of " + tokenizer + "\n" + table.text();

  for (const bool of_first : {true, false}) {
    const std::string who = of_first ? "first" : "second";
    text += "\nN-grams that the " + who + " system matches more often\n";
    Table ngrams;
    ngrams.row({"first", "second"}).cell("n-gram", Table::kLeft);
    for (int order = 1; order <= orders; ++order) {
      for (const NgramDifference& each : comparison.ngrams(order, of_first)) {
        ngrams.row({std::to_string(each.first), std::to_string(each.second)}).cell(each.ngram, Table::kLeft);
        json["ngrams"][who].push_back({{"ngram", each.ngram}, {"order", order}, {"matches", {each.first, each.second}}});
      }
    }
    text += ngrams.text();
  }
  for (const bool of_first : {true, false}) {
    const std::string who = of_first ? "first" : "second";
    text += "\nSentences for which the " + who + " system has the better " + metrics[0]->name() + "\n";
    for (const SentenceDifference& each : comparison.sentences(of_first)) {
      text += "segment " + std::to_string(each.segment) + ": " + fixed(each.first, options.width) + ", " +
              fixed(each.second, options.width) + "\n";
      for (const std::string& reference : each.references) text += reference.empty() ? "" : "  reference  " + reference + "\n";
      text += "  first      " + each.first_text + "\n  second     " + each.second_text + "\n";
      json["sentences"][who].push_back({{"segment", each.segment},
                                        {"scores", {rounded(each.first, options), rounded(each.second, options)}},
                                        {"texts", {each.first_text, each.second_text}},
                                        {"references", each.references}});
    }
  }
  if (!options.json) return text;
  Json whole = {{"systems", systems}, {"metric", metrics[0]->name()}, {"tokenize", tokenizer}};
  whole.update(json);
  return dump(whole, 1);
}

}  // namespace tt::metrics
