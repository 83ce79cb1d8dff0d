// tt-mbr: chooses translations by minimum Bayes risk.
#include "base/error.h"
#include "rerank/rank.h"
#include "tools/lists.h"
#include "tools/main.h"
#include "tools/metric_settings.h"

namespace tt {
namespace {

struct Flags {
  ListFlags lists;
  metrics::MetricSettings metrics;
  rerank::Expectation expectation;
  std::string utility = "chrf", log_probability;
  int prune = 0;
};

std::unique_ptr<rerank::Utility> make_utility(const Flags& flags) {
  try {
    metrics::Metrics made = metrics::make_metrics({flags.utility}, flags.metrics);
    auto* metric = dynamic_cast<metrics::NgramMetric*>(made[0].get());
    TT_CHECK(metric);
    made[0].release();
    return rerank::make_ngram_utility(std::unique_ptr<metrics::NgramMetric>(metric),
                                      flags.expectation);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

int choose(Flags& flags) {
  flags.expectation.prune = static_cast<std::size_t>(flags.prune);
  flags.lists.check();
  const auto utility = make_utility(flags);
  return answer_lists(flags.lists, utility->name(),
                      [&](const rerank::ListItem& item, const rerank::ListProblem& problem) {
                        return rerank::rank_by_utility(item, *utility, flags.log_probability,
                                                       !flags.lists.files.references.empty(),
                                                       problem);
                      });
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  flags.metrics.bleu.effective_order = true;
  std::vector<Option> lists = list_options(flags.lists);
  lists.push_back(source_option(flags.lists, "the text that was translated: a line for each list"));
  for (Option& option : answer_options(flags.lists)) lists.push_back(std::move(option));
  std::vector<Group> groups{
      {"Lists", lists},
      {"Utility",
       {
           {"--utility",
            choice(flags.utility, {"chrf", "chrf++", "bleu"}),
            "the metric that a translation is expected to have",
            {.brief = true}},
           {"--references",
            file(flags.lists.files.references),
            "lists whose translations are the references; default: those of each list itself",
            {.brief = true}},
           {"--aggregate",
            toggle(flags.expectation.aggregate),
            "score against the mean of all references: in linear time",
            {.brief = true}},
           {"--prune",
            number(flags.prune, 1, 1 << 24),
            "choose, by each reference, among the N best of --aggregate",
            {.excludes = {"--aggregate"}, .brief = true}},
           {"--log-probability",
            text(flags.log_probability).as("NAME"),
            "weigh references by the probability whose logarithm is this feature",
            {.brief = true}},
       }},
      {"BLEU",
       {{"-t,--tokenize",
         text(
             flags.metrics.bleu.tokenize,
             [](const std::string& name) {
               try {
                 return metrics::check_tokenizer_name(name), std::string();
               } catch (const Error& error) {
                 return std::string(error.what());
               }
             },
             metrics::tokenizer_names())
             .as("NAME"),
         "BLEU's tokenizer"}}},
  };
  add_metric_settings(groups, flags.metrics, {"TER", "effective-order"});
  return run_tool(argc, argv,
                  {.name = "tt-mbr",
                   .summary = "Chooses translations from lists by minimum Bayes risk.",
                   .groups = groups,
                   .work = [&] { return choose(flags); },
                   .example = "tt-translate -m model.tt --sample --n-best 64 --epsilon 0.02 "
                              "<text.en | tt-mbr"});
}
