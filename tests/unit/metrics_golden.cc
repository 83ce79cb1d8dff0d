// Every number of a folder of system outputs, scored by sacreBLEU 2.6.0, against ours: within 1e-6.
//
// The folder tests/golden/metrics has our own text. Text of others is not in this repository:
// $TT_WMT_DATA names a folder with it (see tests/golden/wmt), without which its tests are reported
// as skipped. Each record names the command that made it; the tests read the settings only from
// there, so new records need no change here.
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/scoring.h"
#include "metrics/significance.h"
#include "metrics/ter.h"
#include "tests/catch.h"

using nlohmann::json;

namespace tt::metrics {

namespace {

constexpr double kTolerance = 1e-6;
constexpr double kResampledTolerance = 1e-5;  // theirs divides in float while it resamples

json read_json(const std::string& path) { return json::parse(read_file(path)); }

// The folder, or "" after saying why the test does nothing.
std::string wmt_folder() {
  const char* folder = std::getenv("TT_WMT_DATA");
  if (folder && file_exists(std::string(folder) + "/expected.json"))
    return std::string(folder) + "/";
  WARN("skipped: TT_WMT_DATA names no folder with an expected.json");
  return "";
}

struct Command {
  SegmentFiles files;
  std::vector<std::string> metrics;
  BleuOptions bleu;
  ChrfOptions chrf;
  TerOptions ter;
};

// Reads a command line of sacreBLEU. Fails on unknown options.
Command parse(const std::string& text, const std::string& folder) {
  std::istringstream words(text);
  std::string word, smooth = "exp", value;
  Command command;
  while (words >> word && word != "sacrebleu") {
  }
  const auto next = [&] {
    words >> word;
    return word;
  };
  const auto list = [&](std::vector<std::string>& into, const std::string& prefix) {
    while (words >> word && word[0] != '-') into.push_back(prefix + word);
  };
  list(command.files.references, folder);
  while (words) {
    const std::string option = word;
    if (option == "-i") {
      list(command.files.systems, folder);
      continue;
    }
    if (option == "-m") {
      list(command.metrics, "");
      continue;
    }
    if (option == "-nr") {
      command.files.references_per_line = std::stoi(next());
    } else if (option == "-tok") {
      command.bleu.tokenize = next();
    } else if (option == "-lc") {
      command.bleu.lowercase = true;
    } else if (option == "-s") {
      smooth = next();
    } else if (option == "-sv") {
      value = ":" + next();
    } else if (option == "--chrf-word-order") {
      command.chrf.word_order = std::stoi(next());
    } else if (option == "--chrf-char-order") {
      command.chrf.char_order = std::stoi(next());
    } else if (option == "--chrf-beta") {
      command.chrf.beta = std::stoi(next());
    } else if (option == "--chrf-lowercase") {
      command.chrf.lowercase = true;
    } else if (option == "--chrf-whitespace") {
      command.chrf.whitespace = true;
    } else if (option == "--chrf-eps-smoothing") {
      command.chrf.eps_smoothing = true;
    } else if (option == "--ter-case-sensitive") {
      command.ter.case_sensitive = true;
    } else if (option == "--ter-normalized") {
      command.ter.normalized = true;
    } else if (option == "--ter-no-punct") {
      command.ter.no_punct = true;
    } else if (option == "--ter-asian-support") {
      command.ter.asian_support = true;
    } else if (option == "-w" || option == "-f") {
      next();
    } else if (option != "--force" && option != "--paired-bs" && option != "--paired-ar") {
      FAIL("unknown option " << option << " in " << text);
    }
    words >> word;
  }
  set_smoothing(smooth + value, command.bleu);
  return command;
}

std::unique_ptr<Metric> make(const Command& command, const std::string& name) {
  if (name == "bleu") return std::make_unique<Bleu>(command.bleu);
  if (name == "chrf") return std::make_unique<Chrf>(command.chrf);
  return std::make_unique<Ter>(command.ter);
}

Scoring score(const Command& command, const Metrics& metrics, ThreadPool& pool,
              bool keep_rows = false) {
  SegmentReader reader(command.files);
  return score_segments(reader, metrics, pool, keep_rows);
}

void check_list(const json& expected, const std::vector<double>& ours) {
  REQUIRE(expected.size() == ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    CHECK(ours[i] == Approx(expected[i].get<double>()).margin(kTolerance).epsilon(0));
}

void check(const json& expected, double ours, double tolerance = kTolerance) {
  CHECK(ours == Approx(expected.get<double>()).margin(tolerance).epsilon(0));
}

// Every field of `record` that names a part of the score.
void check_details(const json& record, const Metric::Details& details) {
  for (const auto& [key, value] : details) {
    if (!record.contains(key)) continue;
    INFO(key);
    if (const auto* number = std::get_if<double>(&value)) {
      check(record[key], *number);
    } else {
      check_list(record[key], std::get<std::vector<double>>(value));
    }
  }
}

}  // namespace

namespace {

void check_corpus_scores(const std::string& folder) {
  ThreadPool pool(available_threads());
  int records = 0;
  const json expected = read_json(folder + "expected.json");
  for (const auto& [set, description] : expected["sets"].items()) {
    for (const auto& [system, scores] : description["systems"].items()) {
      for (const std::string metric : {"bleu", "chrf", "ter"}) {
        for (const json& record : scores[metric]) {
          INFO(record["command"]);
          const Command command = parse(record["command"], folder);
          Metrics metrics;
          metrics.push_back(make(command, metric));
          const Scoring scoring = score(command, metrics, pool);
          const Totals& totals = scoring.totals[0][0];
          check(record["score"], metrics[0]->score(totals));
          check_details(record, metrics[0]->details(totals));
          CHECK(signature(*metrics[0], {scoring.references}) ==
                record["signature"].get<std::string>());
          ++records;
        }
      }
    }
  }
  CHECK(records > 0);
}

void check_resampled_scores(const std::string& folder) {
  ThreadPool pool(available_threads());
  const json all = read_json(folder + "expected.json");
  const json& bootstraps = all["paired_bootstrap_and_ci"];
  const json randomizations = all.value("paired_randomization", json::object());
  const auto check_test = [&](const json& test, bool by_bootstrap) {
    INFO(test["command"]);
    const Command command = parse(test["command"], folder);
    Metrics metrics;
    for (const std::string& metric : command.metrics) metrics.push_back(make(command, metric));
    const Scoring scoring = score(command, metrics, pool, true);
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const auto estimates = by_bootstrap
                                 ? bootstrap(*metrics[m], scoring.rows[m], true, 1000, 12345, pool)
                                 : randomization(*metrics[m], scoring.rows[m], 10000, 12345, pool);
      for (std::size_t s = 0; s < command.files.systems.size(); ++s) {
        const json& expected = test["result"][s][metrics[m]->name()];
        INFO(metrics[m]->name() << " of " << command.files.systems[s]);
        check(expected["score"], metrics[m]->score(scoring.totals[m][s]));
        CHECK(expected["mean"].is_null() == !estimates[s].mean);
        if (estimates[s].mean) check(expected["mean"], *estimates[s].mean, kResampledTolerance);
        if (estimates[s].interval)
          check(expected["ci"], *estimates[s].interval, kResampledTolerance);
        CHECK(expected["p_value"].is_null() == !estimates[s].p_value);
        if (estimates[s].p_value) check(expected["p_value"], *estimates[s].p_value);
      }
    }
  };
  CHECK(!bootstraps.empty());
  for (const auto& [name, test] : bootstraps.items()) check_test(test, true);
  for (const auto& [name, test] : randomizations.items()) check_test(test, false);
}

// The root of the tree, set by tests/run for tests, which run elsewhere.
std::string own_folder() {
  const char* root = std::getenv("TT_ROOT");
  return std::string(root ? root : ".") + "/tests/golden/metrics/";
}

}  // namespace

TEST_CASE("corpus scores of our own text", "[metrics]") { check_corpus_scores(own_folder()); }

TEST_CASE("resampled scores of our own text", "[metrics]") { check_resampled_scores(own_folder()); }

TEST_CASE("corpus scores of WMT systems", "[.wmt]") {
  if (const std::string folder = wmt_folder(); !folder.empty()) check_corpus_scores(folder);
}

TEST_CASE("resampled scores of WMT systems", "[.wmt]") {
  if (const std::string folder = wmt_folder(); !folder.empty()) check_resampled_scores(folder);
}

TEST_CASE("sentence scores of WMT systems", "[.wmt]") {
  const std::string folder = wmt_folder();
  if (folder.empty()) return;
  const json systems = read_json(folder + "expected_sentences.json")["systems"];
  for (const auto& [system, description] : systems.items()) {
    BleuOptions bleu_options;
    bleu_options.tokenize = description["default_tokenizer"];
    bleu_options.effective_order = true;
    Metrics metrics;  // in the order of the columns below
    metrics.push_back(std::make_unique<Bleu>(bleu_options));
    metrics.push_back(std::make_unique<Chrf>(ChrfOptions{}));
    metrics.push_back(std::make_unique<Chrf>(ChrfOptions{.word_order = 2}));
    metrics.push_back(std::make_unique<Ter>(TerOptions{}));
    const auto totals_of = [&](const Metric& metric, const std::string& hypothesis,
                               const std::vector<std::string>& references) {
      std::vector<std::int32_t> row(metric.width());
      const std::vector<std::string_view> views(references.begin(), references.end());
      metric.segment(hypothesis, views, row);
      return sum_rows(row, row.size());
    };

    for (const json& sample : description["samples"]) {
      INFO(system << ":" << sample["line"]);
      const std::string hypothesis = sample["hyp"];
      const std::vector<std::string> references = sample["refs"];
      for (const auto& [tokenizer, tokens] : sample["tok"].items()) {
        INFO(tokenizer);
        BleuOptions options;
        options.tokenize = tokenizer;
        const Bleu bleu(options);
        const auto words = [](const std::string& text) {
          std::vector<std::string_view> views;
          split_at_spaces(text, views);
          return std::vector<std::string>(views.begin(), views.end());
        };
        CHECK(bleu.tokens(hypothesis) == words(tokens["hyp"]));
        CHECK(bleu.tokens(references[0]) == words(tokens["ref"]));
      }
      for (const json& record : sample["bleu_first_ref"]) {
        INFO(record.dump());
        BleuOptions options;
        options.tokenize = bleu_options.tokenize;
        set_smoothing(record["smooth_method"], options);
        if (!record["smooth_value"].is_null())
          options.smooth_value = record["smooth_value"].get<double>();
        options.effective_order = record["effective_order"];
        const Bleu bleu(options);
        const Totals totals = totals_of(bleu, hypothesis, {references[0]});
        check(record["score"], bleu.score(totals));
        check_details(record, bleu.details(totals));
      }
      const Totals first = totals_of(*metrics[0], hypothesis, {references[0]}),
                   all = totals_of(*metrics[0], hypothesis, references);
      check_details(sample["stats"], metrics[0]->details(first));
      check_details(sample["bleu_all_refs"], metrics[0]->details(all));
      check(sample["bleu_all_refs"]["score"], metrics[0]->score(all));
      const std::pair<const char*, std::size_t> columns[] = {
          {"chrf2", 1}, {"chrf2pp", 2}, {"ter", 3}};
      for (const auto& [key, m] : columns)
        check(sample[key], metrics[m]->score(totals_of(*metrics[m], hypothesis, {references[0]})));
      check(sample["chrf2_all_refs"],
            metrics[1]->score(totals_of(*metrics[1], hypothesis, references)));
      check(sample["ter_all_refs"],
            metrics[3]->score(totals_of(*metrics[3], hypothesis, references)));
    }

    // NAME.hyp.sent.tsv: four decimals per line, against the first reference.
    const std::string reference = folder + system.substr(0, system.rfind(".hyp")) + ".ref";
    const auto hypotheses = read_lines(folder + system), references = read_lines(reference),
               table = read_lines(folder + system + ".sent.tsv");
    REQUIRE(table.size() == hypotheses.size() + 1);
    REQUIRE(table[0] == "bleu\tchrf2\tchrf2pp\tter");
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      std::string ours;
      for (const auto& metric : metrics)
        ours += (ours.empty() ? "" : "\t") +
                fixed(metric->score(totals_of(*metric, hypotheses[i], {references[i]})), 4);
      INFO(system << ":" << i + 1);
      CHECK(ours == table[i + 1]);
    }
  }
}

TEST_CASE("the test cases of sacreBLEU's authors", "[.wmt]") {
  const std::string folder = wmt_folder();
  if (folder.empty()) return;
  const json cases = read_json(folder + "sacrebleu_unit_cases.json");
  const auto near = [](double expected, double eps) {
    return Approx(expected).margin(eps).epsilon(0);
  };

  // refs[reference][segment]
  const auto corpus = [](const Metric& metric, const std::vector<std::string>& hyps,
                         const std::vector<std::vector<std::string>>& refs) {
    Totals totals(metric.width(), 0);
    std::vector<std::int32_t> row(metric.width());
    for (std::size_t i = 0; i < hyps.size(); ++i) {
      std::vector<std::string_view> references;
      for (const auto& stream : refs) references.push_back(stream[i]);
      metric.segment(hyps[i], references, row);
      for (std::size_t k = 0; k < row.size(); ++k) totals[k] += row[k];
    }
    return totals;
  };
  const auto corpus_score = [&](const Metric& metric, const std::vector<std::string>& hyps,
                                const std::vector<std::vector<std::string>>& refs) {
    return metric.score(corpus(metric, hyps, refs));
  };

  for (const json& each : cases["corpus_bleu"]) {
    BleuOptions options;
    options.tokenize = each["kwargs"].value("tokenize", "13a");
    set_smoothing(each["kwargs"].value("smooth_method", "exp"), options);
    CHECK(corpus_score(Bleu(options), each["hyp"], each["refs"]) ==
          near(each["score"], each["eps"]));
  }
  BleuOptions raw;
  raw.tokenize = "none";
  for (const json& each : cases["effective_order_raw"]) {
    BleuOptions options = raw;
    options.effective_order = true;
    set_smoothing("floor:0.01", options);
    CHECK(corpus_score(Bleu(options), each["hyp"], each["refs"]) / 100 ==
          near(each["score_fraction"], kTolerance));
  }
  for (const json& each : cases["raw_corpus_bleu_floor_0_01"]) {
    BleuOptions options = raw;
    set_smoothing("floor:0.01", options);
    CHECK(corpus_score(Bleu(options), each["hyp"], each["refs"]) / 100 ==
          near(each["score_fraction"], kTolerance));
  }
  for (const json& each : cases["statistics"]) {
    const Totals totals = corpus(Bleu(raw), each["hyp"], each["refs"]);
    CHECK(std::vector<std::int64_t>(totals.begin() + 2, totals.begin() + 6) ==
          each["common"].get<std::vector<std::int64_t>>());
    CHECK(std::vector<std::int64_t>(totals.begin() + 6, totals.end()) ==
          each["total"].get<std::vector<std::int64_t>>());
  }
  const auto from_counts = [&](const json& each, const std::string& smoothing) {
    BleuOptions options;
    set_smoothing(smoothing, options);
    const auto common = each["common"].get<std::vector<double>>(),
               total = each["total"].get<std::vector<double>>();
    return compute_bleu(common, total, each["sys_len"], each["ref_len"], options).score / 100;
  };
  for (const json& each : cases["compute_bleu"])
    CHECK(from_counts(each, "none") == near(each["score_fraction"], kTolerance));
  for (const json& each : cases["degenerate"]) {
    const std::string value = std::to_string(each["smooth_value"].get<double>());
    CHECK(from_counts(each, "floor:" + value) == near(each["score_fraction"], kTolerance));
  }
  for (const char* group : {"sentence_bleu", "sentence_bleu_zero"}) {
    for (const json& each : cases[group]["cases"]) {
      BleuOptions options;
      options.tokenize = each["tokenize"];
      options.lowercase = each["lowercase"];
      options.effective_order = cases[group]["effective_order"];
      set_smoothing(each["smooth_method"], options);
      if (!each["smooth_value"].is_null())
        options.smooth_value = each["smooth_value"].get<double>();
      INFO(each.dump());
      CHECK(corpus_score(Bleu(options), {cases[group]["hyp"]}, {{cases[group]["ref"]}}) ==
            near(each["score"], cases[group].value("eps", kTolerance)));
    }
  }

  const auto chrf = [&](const char* group, const ChrfOptions& options) {
    for (const json& each : cases[group]) {
      INFO(each.dump());
      const double ours = each["hyp"].is_string()
                              ? corpus_score(Chrf(options), {each["hyp"]}, {each["refs"]})
                              : corpus_score(Chrf(options), each["hyp"], {each["ref"]});
      CHECK(ours == near(each["score"], 5e-5));  // they give four digits
    }
  };
  chrf("chrf_beta3_eps", {.beta = 3, .eps_smoothing = true});
  chrf("chrf_beta3_effective", {.beta = 3});
  chrf("chrf_beta3_keep_whitespace", {.beta = 3, .whitespace = true});
  chrf("chrf_sentence_beta2_eps", {.eps_smoothing = true});

  for (const json& each : cases["ter"]) {
    INFO(each.dump());
    CHECK(corpus_score(Ter(TerOptions{}), each["hyp"], {each["ref"]}) / 100 ==
          near(each["score_fraction"], each["eps"]));
  }
  const auto tokens = [&](const char* group, const TerOptions& options) {
    for (const json& each : cases["ter_tokenizer"][group])
      CHECK(ter_tokens(each[0].get<std::string>(), options) == each[1].get<std::string>());
  };
  tokens("default", {});
  tokens("no_punct", {.no_punct = true});
  tokens("normalized", {.normalized = true});
  tokens("asian_normalized", {.normalized = true, .asian_support = true});
}

}  // namespace tt::metrics
