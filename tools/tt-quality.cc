// tt-quality: tells which score a translation can be expected to have, without a reference.
#include "base/error.h"
#include "base/formatted.h"
#include "base/input.h"
#include "base/line_files.h"
#include "base/report.h"
#include "base/writable.h"
#include "metrics/registry.h"
#include "rerank/expected_lines.h"
#include "tools/main.h"
#include "tools/metric_settings.h"

namespace tt {
namespace {

struct Flags {
  Words inputs;
  std::string output = "-", references, weights, features, score, rest, metric = "chrf";
  double least = 0;
  TokenizerFlags tokenizer;
  metrics::MetricSettings metrics;
};

// Checks that files are read once, and that none of them is overwritten.
void check(Flags& flags) {
  if (flags.inputs.empty()) flags.inputs = {"-"};
  Words read = flags.inputs;
  for (const std::string& path :
       {flags.references, flags.weights, flags.metrics.bleu.files.spm_model})
    if (!path.empty()) read.push_back(path);
  check_stdin_once(read);
  for (const std::string& path : {flags.output, flags.rest}) check_not_read(path, read);
  check_written_once({{flags.output, flags.rest}});
}

int fit(Flags& flags) {
  if (flags.references.empty() == flags.score.empty())
    throw UsageError("scores are those of --references, or numbers --score; give one of them");
  check(flags);
  std::unique_ptr<metrics::Metric> metric;
  if (flags.score.empty()) metric = flags.tokenizer.make_metric(flags.metric, flags.metrics);
  AtomicFile out(flags.output, AtomicFile::Content::text);  // before the work
  LineFiles lines(flags.inputs);
  std::optional<LineReader> references;
  std::optional<LinePairs> pairs;
  if (metric) pairs.emplace(lines, references.emplace(flags.references));
  Reasons problems([&](std::size_t line) { return lines.where(line); });
  const rerank::FittedScore found =
      rerank::fit_lines(pairs ? static_cast<LineSource&>(*pairs) : lines, split(flags.features),
                        metric.get(), flags.score, problems);
  for (const std::string& name : found.constant)
    say("the feature " + in_quotes(name) + " is the same in all lines, and is left out");
  const rerank::ExpectedScore& expectation = found.expectation;
  const std::string report =
      (metric ? metric->name() : flags.score) + " of " +
      count_of(static_cast<std::uint64_t>(expectation.lines), "line") +
      formatted(", each by the others: error %.2f, rank correlation %.3f; by ", expectation.error,
                found.rank_correlation) +
      in_quotes(found.single) +
      formatted(" alone %.2f and %.3f", found.single_error, found.single_correlation);
  out.write("# " + report + "\n" + rerank::write_expected_score(expectation));
  out.commit();
  say(report);
  return problems.any() ? kDegraded : kDone;
}

int apply(Flags& flags) {
  check(flags);
  const rerank::ExpectedScore expectation = rerank::read_expected_score(flags.weights);
  LineFiles lines(flags.inputs);
  Reasons problems([&](std::size_t line) { return lines.where(line); });
  Output out(flags.output);
  std::unique_ptr<Output> rest;
  if (!flags.rest.empty()) rest = std::make_unique<Output>(flags.rest);
  const rerank::ExpectedOfLines found = rerank::expect_lines(
      lines, expectation, out, {flags.least, rest.get()}, input_name(flags.weights), problems);
  out.close();
  if (rest) rest->close();
  if (found.lines > 0)
    say(count_of(found.lines, "line") +
        formatted(": expected score %.2f, with 95 %% from %.2f to %.2f; of a line, within %.2f",
                  found.mean, found.mean - found.around, found.mean + found.around,
                  found.around_line));
  if (found.below > 0)
    warn(count_of(found.below, "line") + " of less than " + metrics::fixed(flags.least, 1) +
         " went to " + printable(flags.rest));
  return found.below > 0 || problems.any() ? kDegraded : kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  const Option in{"FILE", file(flags.inputs),
                  "lines of JSON, as tt-translate --features writes; -: stdin"};
  std::vector<Group> fitting{
      {"Options",
       {
           in,
           {"--references", file(flags.references), "a reference of each line",
            excludes("--score") + kBrief},
           {"--score", text(flags.score).as("NAME"),
            "a number in the lines that is their score, as a person gave it"},
           {"-o,--output", file(flags.output), "the weights; -: stdout", kBrief},
           {"--metric", choice(flags.metric, metrics::metric_names()), "what is expected", kBrief},
           {"--features",
            text(flags.features).as("LIST").initially("all numbers of the first line"),
            "names of features, with commas between them", kBrief},
       }},
      {"BLEU", tokenizer_options(flags.tokenizer, flags.metrics.bleu)}};
  add_metric_settings(fitting, flags.metrics);
  const std::vector<Option> applying{
      in,
      {"--weights", file(flags.weights), "weights, as fit writes them", kRequired},
      {"-o,--output", file(flags.output), "where to write; -: stdout", kBrief},
      {"--least", number(flags.least, -1e9, 1e9).as("SCORE"),
       "write no translation of which less is expected, but an empty text",
       needs("--rest") + kBrief},
      {"--rest", file(flags.rest),
       "where these go: number of the line, expected score, source and translation, with TABs "
       "between",
       needs("--least") + kBrief},
  };
  return run_tool(
      argc, argv,
      {.name = "tt-quality",
       .summary = "Tells which score a translation can be expected to have, without a reference.",
       .groups = {},
       .example = "tt-quality apply --weights quality <new.json >scored.json",
       .commands = {
           {.name = "fit",
            .summary = "learn from a development set how scores follow from features",
            .groups = fitting,
            .work = [&] { return fit(flags); },
            .example = "tt-quality fit --references dev.de -o quality dev.json"},
           {.name = "apply",
            .summary = "write each translation with its expected score",
            .groups = {{"Options", applying}},
            .work = [&] { return apply(flags); },
            .example = "tt-quality apply --weights quality <new.json >scored.json"},
       }});
}
