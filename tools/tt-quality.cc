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
  bool words = false, mark = false;
  TokenizerFlags tokenizer;
  metrics::MetricSettings metrics;
};

// Checks that files are read once, and that none of them is overwritten.
void check(Flags& flags) {
  if (flags.inputs.empty()) flags.inputs = {"-"};
  Words read = flags.inputs;
  read.insert(read.end(), {flags.references, flags.weights, flags.metrics.bleu.files.spm_model});
  check_stdin_once(read);
  for (const std::string& path : {flags.output, flags.rest}) check_not_read(path, read);
  check_written_once({{flags.output, flags.rest}});
}

int fit(Flags& flags) {
  if (flags.references.empty() == flags.score.empty())
    throw UsageError("scores are those of --references, or numbers --score; give one of them");
  check(flags);
  std::unique_ptr<metrics::Metric> metric;
  if (flags.score.empty() && !flags.words)
    metric = flags.tokenizer.make_metric(flags.metric, flags.metrics);
  AtomicFile out(flags.output, AtomicFile::Content::text);  // before the work
  LineFiles lines(flags.inputs);
  std::optional<LineReader> references;
  std::optional<LinePairs> pairs;
  if (flags.score.empty()) pairs.emplace(lines, references.emplace(flags.references));
  LineSource& in = pairs ? static_cast<LineSource&>(*pairs) : lines;
  Reasons problems([&](std::size_t line) { return lines.where(line); });
  rerank::FittedWords words;
  if (flags.words) words = rerank::fit_words(in, split(flags.features), flags.score, problems);
  else
    words.fitted =
        rerank::fit_lines(in, split(flags.features), metric.get(), flags.score, problems);
  const rerank::FittedScore& found = words.fitted;
  for (const std::string& name : found.constant)
    say("the feature " + in_quotes(name) + " is the same in all lines, and is left out");
  const rerank::ExpectedScore& expectation = found.expectation;
  const auto count = static_cast<std::uint64_t>(expectation.lines);
  const rerank::Doubt& doubt = words.doubt;
  const std::string report =
      flags.words
          ? formatted("%.1f %% kept of ", 100 * words.kept) + count_of(count, "word") +
                formatted(
                    ", each by the others: F1 %.3f, of doubtful ones %.3f, correlation of "
                    "Matthews %.3f; by ",
                    doubt.kept, doubt.doubtful, doubt.correlation) +
                in_quotes(found.single) +
                formatted(" alone %.3f, %.3f and %.3f", words.by_single.kept,
                          words.by_single.doubtful, words.by_single.correlation)
          : (metric ? metric->name() : flags.score) + " of " + count_of(count, "line") +
                formatted(", each by the others: error %.2f, rank correlation %.3f; by ",
                          expectation.error, found.rank_correlation) +
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
  const bool words = expectation.doubtful > 0;
  if (words ? !flags.rest.empty() : flags.mark)
    throw Error(flags.weights, words ? ": was fitted to words; --least is for lines"
                                     : ": was fitted to lines; --mark is for words");
  LineFiles lines(flags.inputs);
  Reasons problems([&](std::size_t line) { return lines.where(line); });
  Output out(flags.output);
  std::unique_ptr<Output> rest;
  if (!flags.rest.empty()) rest = std::make_unique<Output>(flags.rest);
  const std::string from = input_name(flags.weights);
  const rerank::ExpectedOfLines found =
      words ? rerank::tag_words(lines, expectation, out, flags.mark, from, problems)
            : rerank::expect_lines(lines, expectation, out, {flags.least, rest.get()}, from,
                                   problems);
  out.close();
  if (rest) rest->close();
  if (words) {
    say(count_of(found.lines, "word") +
        formatted(": %.1f %% are expected to be kept, %.1f %% are doubtful", found.mean,
                  100 * static_cast<double>(found.below) /
                      static_cast<double>(std::max<std::size_t>(found.lines, 1))));
    return problems.any() ? kDegraded : kDone;
  }
  if (found.lines > 0)
    say(count_of(found.lines, "line") +
        formatted(": expected score %.2f, with 95 %% from %.2f to %.2f; of a line, within %.2f",
                  found.mean, found.mean - found.margin, found.mean + found.margin,
                  found.line_margin));
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
           {"--words", toggle(flags.words),
            "learn which words a person would keep: those of the reference, or whose --score is "
            "positive",
            excludes("--metric")},
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
      {"--mark", toggle(flags.mark),
       "of weights of words: write the translations alone, with doubtful words in [[ ]]"},
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
       .summary = "Tells which score a translation can be expected to have, and which words are "
                  "doubtful, without a reference.",
       .example = "tt-quality apply --weights quality <new.json >scored.json",
       .commands = {
           {.name = "fit",
            .summary = "learn from a development set how scores follow from features",
            .groups = fitting,
            .work = [&] { return fit(flags); },
            .example = "tt-quality fit --references dev.de -o quality dev.json"},
           {.name = "apply",
            .summary = "write each translation with its expected score, or its doubtful words",
            .groups = {{"Options", applying}},
            .work = [&] { return apply(flags); },
            .example = "tt-quality apply --weights quality <new.json >scored.json"},
       }});
}
