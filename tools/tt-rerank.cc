// tt-rerank: chooses translations from lists by weights of their features, and tunes these weights.
#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/input.h"
#include "base/report.h"
#include "metrics/registry.h"
#include "rerank/rank.h"
#include "rerank/tuning.h"
#include "tools/lists.h"
#include "tools/main.h"
#include "tools/metric_settings.h"

namespace tt {
namespace {

struct Flags {
  ListFlags lists;
  std::string weights;
  Words references;
  TokenizerFlags tokenizer;
  metrics::MetricSettings metrics;
  std::string metric = "bleu", features;
  int restarts = 20;
  std::uint64_t seed = 1;
};

int choose(Flags& flags) {
  flags.lists.check({flags.weights});
  const rerank::Weights weights = rerank::read_weights(flags.weights);
  return answer_lists(flags.lists, "score",
                      [&](const rerank::ListItem& item, rerank::ListSource& in) {
                        return rerank::rank_by_weights(item.hypotheses, weights, in.list_problem());
                      });
}

// The weights that the search begins with: those of a file, or the first feature alone.
std::vector<double> initial_weights(const Flags& flags, const Words& names) {
  std::vector<double> initial(names.size(), 0);
  if (flags.weights.empty()) {
    initial[0] = 1;
    return initial;
  }
  const rerank::Weights weights = rerank::read_weights(flags.weights);
  for (std::size_t i = 0; i < weights.names.size(); ++i) {
    const auto place = std::ranges::find(names, weights.names[i]);
    if (place == names.end())
      throw Error(input_name(flags.weights), ": ", in_quotes(weights.names[i]),
                  " is no feature of the lists");
    initial[place - names.begin()] = weights.values[i];
  }
  return initial;
}

int tune(Flags& flags) {
  Words others(flags.references.begin() + 1, flags.references.end());
  others.insert(others.end(), {flags.weights, flags.metrics.bleu.files.spm_model});
  flags.lists.files.source = flags.references[0];
  flags.lists.check(others);
  Words names = split(flags.features);
  if (std::set(names.begin(), names.end()).size() < names.size())
    throw UsageError("--features names a feature twice");
  auto made = flags.tokenizer.make_metric(flags.metric, flags.metrics);
  AtomicFile out(flags.lists.output, AtomicFile::Content::text);  // before the work
  rerank::ListSource lists(flags.lists.files);
  const rerank::DevelopmentSet set =
      rerank::read_development_set(lists, flags.references, std::move(made), names);
  const rerank::TuningSet& candidates = set.candidates;
  const std::vector<double> initial = initial_weights(flags, names);
  const rerank::Tuned tuned =
      rerank::tune(candidates, initial, flags.restarts, flags.seed, flags.lists.threads);
  const std::string name = candidates.metric().name();
  const auto score = [&](double x) { return metrics::fixed(x, 2); };
  const std::string report = name + " of " + count_of(candidates.lines(), "line") + ": " +
                             score(candidates.first_score()) + " in the order of the lists, " +
                             score(candidates.score(initial)) + " at the beginning, " +
                             score(tuned.score) + " with these weights";
  out.write("# " + report + "\n" + rerank::write_weights({names, tuned.weights}));
  out.commit();
  say(report);
  metrics::note_spacing("the references", set.spacing, {&candidates.metric()});
  return set.degraded || lists.degraded() ? kDegraded : kDone;
}

// A line of source, TAB and translation for each line of the lists.
int write_pairs(Flags& flags) {
  flags.lists.check();
  rerank::ListSource lists(flags.lists.files);
  Output out(flags.lists.output);
  const auto without_tabs = [](std::string text, const rerank::ListProblem& problem,
                               std::size_t line) {
    if (text.find_first_of("\t\n") != text.npos) {
      problem("a TAB, or the end of a line, is written as a space", line);
      std::ranges::replace(text, '\t', ' '), std::ranges::replace(text, '\n', ' ');
    }
    return text;
  };
  for (std::string line; lists.next(line);) {
    const rerank::ListItem item = lists.item(line);
    const rerank::ListProblem problem = lists.list_problem();
    read_candidates(item.hypotheses, problem, [&](std::size_t, const rerank::Candidate& candidate) {
      out.line(without_tabs(item.source, lists.source_problem(), item.source_line) + "\t" +
               without_tabs(candidate.text, problem, candidate.line));
    });
  }
  out.close();
  return lists.degraded() ? kDegraded : kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  ListFlags& lists = flags.lists;
  const auto group = [&](const std::vector<Option>& first, const std::vector<Option>& more) {
    std::vector<Option> options = list_options(lists);
    options.insert(options.end(), first.begin(), first.end());
    options.insert(options.end(), more.begin(), more.end());
    return Group{"Options", options};
  };
  std::vector<Group> tuning{
      group({feature_option(lists)},
            {
                {"--references", file(flags.references),
                 "a reference of each line; may be given again for further ones", kRequired},
                {"-o,--output", file(lists.output), "the weights; -: stdout", kBrief},
                {"--metric", choice(flags.metric, metrics::metric_names()),
                 "what is made as good as it can be", kBrief},
                {"--features",
                 text(flags.features).as("LIST").initially("all of the first translation"),
                 "names of features, with commas between them", kBrief},
                {"--weights", file(flags.weights), "begin with these; default: the first feature"},
                {"--restarts", number(flags.restarts, 0, 1000000),
                 "further searches, from random weights"},
                seed_option(flags.seed),
                threads_option(lists.threads),
            }),
      {"BLEU", tokenizer_options(flags.tokenizer, flags.metrics.bleu)}};
  add_metric_settings(tuning, flags.metrics);
  Option source = source_option(lists, "the text that was translated: a line for each list");
  std::vector<Option> choosing = answer_options(lists);
  choosing.push_back(source);
  source.rules.required = true;
  return run_tool(
      argc, argv,
      {.name = "tt-rerank",
       .summary = "Chooses translations from lists by weights of their features.",
       .example = "tt-rerank select --weights weights <test.lists >test.de",
       .commands = {
           {"select",
            "write the translation of each line that is best by weights",
            {group({{"--weights", file(flags.weights), "lines NAME= VALUE, as tune writes them",
                     kRequired},
                    feature_option(lists)},
                   choosing)},
            [&] { return choose(flags); },
            "tt-rerank select --weights weights <test.lists >test.de"},
           {"tune", "find the weights with which a development set is best (MERT)", tuning,
            [&] { return tune(flags); }, "tt-rerank tune --references dev.de -o weights dev.lists"},
           {"pairs",
            "write source TAB translation for each line of the lists",
            {group({source},
                   {{"-o,--output", file(lists.output), "where to write; -: stdout", kBrief}})},
            [&] { return write_pairs(flags); },
            "tt-rerank pairs --source test.en test.lists >test.pairs"},
       }});
}
