// tt-mbr: chooses translations by minimum Bayes risk.
#include <mutex>

#include "base/error.h"
#include "comet/utility.h"
#include "metrics/spacing.h"
#include "rerank/rank.h"
#include "tools/lists.h"
#include "tools/main.h"
#include "tools/metric_settings.h"

namespace tt {
namespace {

struct Flags {
  ListFlags lists;
  TokenizerFlags tokenizer;
  metrics::MetricSettings metrics;
  CometChoice comet;
  rerank::Expectation expectation;
  std::string utility = "chrf", log_probability;
  int prune = 0;
};

// Writes the translations that are best by a utility.
int choose(const Flags& flags, const rerank::Utility& utility, metrics::Spacing& spacing) {
  const ListFlags& lists = flags.lists;
  const bool has_references = !lists.files.references.empty();
  std::mutex mutex;
  return answer_lists(
      lists, utility.name(), [&](const rerank::ListItem& item, rerank::ListSource& in) {
        if (item.hypotheses.number < lists.files.first_line + metrics::Spacing::kLines)
          if (const auto first = first_candidate(item.hypotheses)) {
            const std::lock_guard lock(mutex);
            spacing.add(first->text);
          }
        const rerank::ListProblem of_references = in.reference_problem();
        return rerank::rank_by_utility(item, utility, flags.log_probability, in.list_problem(),
                                       has_references ? &of_references : nullptr);
      });
}

int choose(Flags& flags) {
  flags.expectation.prune = static_cast<std::size_t>(flags.prune);
  const bool comet = flags.utility == "comet";
  if (comet == flags.comet.model.empty())
    throw UsageError("--utility comet and --model belong together; give both or none");
  if (comet && flags.lists.files.source.empty())
    throw UsageError("COMET reads the source text; give its file with --source");
  flags.lists.check({flags.metrics.bleu.files.spm_model, flags.comet.model});
  metrics::Spacing spacing;
  if (comet) return choose(flags, *make_comet_utility(flags.comet, flags.expectation), spacing);
  auto* const metric = dynamic_cast<metrics::NgramMetric*>(
      flags.tokenizer.make_metric(flags.utility, flags.metrics).release());
  TT_CHECK(metric);
  const auto utility =
      rerank::make_ngram_utility(std::unique_ptr<metrics::NgramMetric>(metric), flags.expectation);
  const int status = choose(flags, *utility, spacing);
  metrics::note_spacing("the translations", spacing, {metric});
  return status;
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
           {"--utility", choice(flags.utility, {"chrf", "chrf++", "bleu", "comet"}),
            "the metric that a translation is expected to have", kBrief},
           {"--references", file(flags.lists.files.references),
            "lists whose translations are the references; default: those of each list itself",
            kBrief},
           {"--aggregate", toggle(flags.expectation.aggregate),
            "score against the mean of all references: in linear time", kBrief},
           {"--prune", number(flags.prune, 1, 1 << 24),
            "choose, by each reference, among the N best of --aggregate", excludes("--aggregate")},
           {"--log-probability", text(flags.log_probability).as("NAME"),
            "weigh references by the probability whose logarithm is this feature", kBrief},
       }},
      {"BLEU", tokenizer_options(flags.tokenizer, flags.metrics.bleu)},
  };
  add_metric_settings(groups, flags.metrics, {"TER", "effective-order"});
  groups.push_back({"COMET", comet_options(flags.comet)});
  return run_tool(argc, argv,
                  {.name = "tt-mbr",
                   .summary = "Chooses translations from lists by minimum Bayes risk.",
                   .groups = groups,
                   .work = [&] { return choose(flags); },
                   .example = "tt-translate -m model.tt --sample --n-best 64 --epsilon 0.02 "
                              "<text.en | tt-mbr"});
}
