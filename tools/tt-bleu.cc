// tt-bleu: scores translations against references (BLEU, chrF, TER), tests differences for
// significance, and shows where they are.
#include <algorithm>
#include <random>

#include "base/capitals.h"
#include "base/error.h"
#include "base/file.h"
#include "comet/metric.h"
#include "metrics/evaluate.h"
#include "metrics/systems.h"
#include "tools/main.h"
#include "tools/metric_settings.h"
#include "tools/sacrebleu.h"

namespace tt {
namespace {

// Option values that become settings once all options are parsed.
struct Flags {
  metrics::Evaluation evaluation;
  TokenizerFlags tokenizer;
  std::string smooth, smooth_value;  // empty: not given
  std::string format = "text";
  CometChoice comet;
  bool json = false, paper = false;
};

std::string bad_smoothing(const std::string& value) {
  double number = 0;
  return tt::number(number, 0, 1e6).read(value);
}

// Options for the texts that are scored.
std::vector<Option> input_options(metrics::Evaluation& e) {
  std::vector<std::string> names = metrics::metric_names();
  names.push_back("comet");
  Value metric = list(e.metrics, names).as("NAME");
  metric.read = [read = metric.read](const std::string& names) { return read(ascii_small(names)); };
  return {
      {"REF", file(e.input.references), "files with one reference per line",
       required_unless("--source")},
      {"-i,--input", file(e.input.systems).words(1, kAnyNumber),
       "files, or NAME=FILE, with one translation per line (default: standard input, with tabs "
       "between systems)",
       kBrief},
      {"--num-refs", number(e.input.references_per_line, 1, 1000000),
       "references in each line of a single file, separated by tabs"},
      {"--skip-empty-references", toggle(e.input.skip_empty_references), "ignore empty references"},
      {"--source", file(e.input.source), "the source text, which COMET reads"},
      {"--group", file(e.input.groups), "score also the groups that this names, one per segment"},
      {"--prefix", toggle(e.input.prefix), "score as many lines as the shortest file has"},
      {"-m,--metric", metric, "several with commas", kBrief},
  };
}

std::vector<Option> bleu_options(Flags& flags) {
  metrics::BleuOptions& bleu = flags.evaluation.bleu;
  const Value smooth =
      text(flags.smooth, {}, {"exp", "floor", "add-k", "none"}).as("METHOD").initially("exp");
  std::vector<Option> rows = tokenizer_options(flags.tokenizer, bleu);
  rows.insert(
      rows.end(),
      {
          {"-s,--smooth", smooth, "BLEU's smoothing: exp, floor[:VALUE], add-k[:VALUE], none"},
          {"--smooth-value", text(flags.smooth_value, bad_smoothing),
           "sacreBLEU's VALUE of --smooth", kHidden},
          {"--paper", toggle(flags.paper),
           "the BLEU of the paper's table 2: tokenised, compounds split; not comparable"},
          {"--force", toggle(flags.evaluation.force),
           "do not warn that the text looks already tokenised"},
      });
  return rows;
}

Option sacrebleu_seed_option(std::uint64_t& seed) {
  Option option = seed_option(seed);
  option.rules.variable = "SACREBLEU_SEED";
  option.value.read = [&seed, read = option.value.read](const std::string& text) {
    if (const std::string problem = read(text); ascii_small(text) != "none")
      return problem.empty() ? problem : problem + "; or none";
    seed = std::random_device()();
    return std::string();
  };
  return option;
}

std::vector<Option> test_options(metrics::Evaluation& e) {
  return {
      {"--sentence", toggle(e.sentence), "score each line by itself",
       excludes("--confidence", "--paired-bs", "--paired-ar") + kBrief},
      {"--confidence", toggle(e.confidence), "95 % intervals by bootstrap resampling",
       excludes("--paired-ar")},
      {"--paired-bs", toggle(e.paired_bs), "paired bootstrap of all systems against the first",
       excludes("--paired-ar") + kBrief},
      {"--paired-ar", toggle(e.paired_ar),
       "paired approximate randomisation of all systems against the first"},
      {"--samples", number(e.samples, 1, 10000000).initially("1000; --paired-ar: 10000"),
       "resamples of a test"},
      sacrebleu_seed_option(e.seed),
      {"--compare", toggle(e.compare), "show where two systems differ",
       excludes("--sentence", "--confidence", "--paired-bs", "--paired-ar") + kBrief},
      {"--top", number(e.top, 0, 1000000), "entries in each list of --compare"},
      {"--length-step", number(e.length_step, 1, 1000000), "tokens in a group of --compare"},
  };
}

std::vector<Option> output_options(Flags& flags) {
  metrics::ReportOptions& report = flags.evaluation.report;
  return {
      {"--json", toggle(flags.json), "JSON: a list of systems"},
      {"-f,--format", choice(flags.format, {"text", "md", "latex", "tsv", "json"}),
       "json: as sacreBLEU writes it"},
      {"-b,--score-only", toggle(report.score_only), "print only the numbers", kBrief},
      {"--short", toggle(report.short_signature), "signatures with short names"},
      {"-w,--width", number(report.width, 0, 15).initially("1; COMET: 4; JSON: exact"), "decimals"},
      threads_option(flags.evaluation.threads),
  };
}

// Sets and checks what several options say together.
void complete(Flags& flags) {
  metrics::Evaluation& e = flags.evaluation;
  if (flags.json && flags.format != "text" && flags.format != "json")
    throw Error("--json excludes --format ", flags.format, "; omit one of them");
  e.report.format = flags.json ? metrics::Format::kJson : metrics::format_named(flags.format);
  std::string smooth = flags.smooth.empty() ? "exp" : flags.smooth;
  if (!flags.smooth_value.empty() && smooth != "exp" && smooth != "none")  // as sacreBLEU
    smooth += ":" + flags.smooth_value;
  metrics::set_smoothing(smooth, e.bleu);
  if (flags.paper) {
    e.bleu.split_compounds = true;
    if (flags.tokenizer.tokenize.empty()) flags.tokenizer.tokenize = "none";
    if (flags.smooth.empty()) e.bleu.smoothing = metrics::Smoothing::kNone;
  }
  e.language = flags.tokenizer.apply(e.bleu);
  const bool comet = std::ranges::count(e.metrics, "comet") > 0;
  if (comet == flags.comet.model.empty())
    throw SettingError(Setting{"metric"}, " comet and ", Setting{"model"},
                       " belong together; give both or none");
  flags.comet.with_reference = !e.input.references.empty();
  if (comet) e.comet = [&flags] { return make_comet_metric(flags.comet); };
  metrics::name_systems(e.input, e.paired_bs || e.paired_ar);
  metrics::check(e);
}

int score(Flags& flags) {
  refused_as_usage([&] { complete(flags); });
  Output out("-");
  return metrics::evaluate(flags.evaluation, out) ? kDegraded : kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  metrics::Evaluation& e = flags.evaluation;
  std::vector<Group> groups = {{"Input", input_options(e)}, {"BLEU", bleu_options(flags)}};
  add_metric_settings(groups, e);
  groups.push_back({"COMET", comet_options(flags.comet)});
  groups.push_back({"Differences", test_options(e)});
  groups.push_back({"Output", output_options(flags)});
  Words words = from_sacrebleu({argv, argv + argc});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return run_tool(static_cast<int>(pointers.size()), pointers.data(),
                  {.name = "tt-bleu",
                   .summary = "Scores translations: BLEU, chrF, TER and COMET.",
                   .groups = groups,
                   .work = [&] { return score(flags); },
                   .example = "tt-translate -m model.tt <test.de | tt-bleu test.en"});
}
