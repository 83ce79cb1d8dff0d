// Reports: JSON against that of sacreBLEU 2.6.0, and tables with names that Markdown and LaTeX
// would read as their own.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "metrics/registry.h"
#include "metrics/report.h"
#include "metrics/table.h"
#include "tests/catch.h"

using nlohmann::json;

namespace tt::metrics {

namespace {

std::string golden(const std::string& name) {
  const char* root = std::getenv("TT_ROOT");
  return std::string(root ? root : ".") + "/tests/golden/metrics/" + name;
}

}  // namespace

TEST_CASE("JSON of one system has all that sacreBLEU's has", "[metrics]") {
  const json expected = json::parse(read_file(golden("report.json")))["result"];
  const Metrics metrics = make_metrics({"bleu", "chrf", "ter"}, {});
  SegmentFiles files;
  files.references = {golden("own.ref")};
  files.systems = {golden("own.hyp")};
  SegmentReader reader(files);
  ThreadPool pool(1);
  std::vector<Result> results(1);
  results[0].scoring = score_segments(reader, metrics, pool);
  ReportOptions options;
  options.format = Format::kSacrebleuJson;
  options.width = 1;
  const json ours = json::parse(score_report(metrics, {"own"}, results, options));
  REQUIRE(ours.size() == expected.size());
  for (std::size_t m = 0; m < ours.size(); ++m) {
    for (const auto& [key, value] : expected[m].items()) {
      INFO(key);
      CHECK(ours[m].value(key, json()) == value);
    }
  }

  // Our own: a list of systems, however many there are.
  options.format = Format::kJson;
  const json own = json::parse(score_report(metrics, {"own"}, results, options));
  REQUIRE(own.size() == 1);
  CHECK(own[0]["system"] == "own");
  CHECK(own[0]["segments"] == 16);
  CHECK(own[0]["TER"]["score"] == expected[2]["score"]);
}

TEST_CASE("names do not end the cells of a table", "[metrics]") {
  Table table;
  table.row({"a|b*", "\\x_1"});
  table.row({"50 % & more", "1 ± 2"});
  CHECK(table.markdown() ==
        "| a\\|b\\*          | \\\\x_1 |\n"
        "| :--             |   --: |\n"
        "| 50 % &amp; more | 1 ± 2 |\n");
  CHECK(table.latex() ==
        "\\begin{tabular}{lr}\n\\toprule\n"
        "a|b*          & \\textbackslash{}x\\_1 \\\\\n\\midrule\n"
        "50 \\% \\& more &            1 $\\pm$ 2 \\\\\n\\bottomrule\n\\end{tabular}\n");
  CHECK(table.tsv() == "a|b*\t\\x_1\n50 % & more\t1 ± 2\n");
}

TEST_CASE("each metric has a name and settings", "[metrics]") {
  MetricSettings settings;
  CHECK(make_metrics(metric_names(), settings).size() == metric_names().size());
  CHECK_THROWS_WITH(make_metrics({"comet"}, settings), Contains("no metric \"comet\""));
  settings.comet = [] { return std::make_unique<Ter>(TerOptions{}); };
  CHECK(make_metrics({"comet"}, settings)[0]->name() == "TER");
  CHECK_THROWS_WITH(make_metrics({"bleu", "meteor"}, settings), Contains("no metric \"meteor\""));
  for (const MetricSetting& setting : list_settings(settings)) {
    if (setting.name == std::string("beta")) *std::get<double*>(setting.target) = 3;
    if (setting.name == std::string("ter-no-punct")) *std::get<bool*>(setting.target) = true;
  }
  const Metrics metrics = make_metrics({"chrf++", "ter"}, settings);
  CHECK(metrics[0]->name() == "chrF3++");
  CHECK(signature(*metrics[1], {}).find("punct:no") != std::string::npos);
}

}  // namespace tt::metrics
