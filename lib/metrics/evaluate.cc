#include "metrics/evaluate.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/report.h"
#include "base/setting.h"
#include "metrics/compare.h"
#include "metrics/groups.h"
#include "metrics/significance.h"
#include "metrics/spacing.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kSuspicious =
    100;  // number of lines ending in " ." from which text is taken as tokenised

std::vector<std::vector<Estimate>> resample(const Evaluation& evaluation, const Metrics& metrics,
                                            const Scoring& scoring, ThreadPool& pool) {
  std::vector<std::vector<Estimate>> estimates;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const SystemRows& rows = scoring.rows[m];
    estimates.push_back(
        evaluation.paired_ar
            ? randomization(*metrics[m], rows, evaluation.samples, evaluation.seed, pool)
            : bootstrap(*metrics[m], rows, evaluation.paired_bs, evaluation.samples,
                        evaluation.seed, pool));
  }
  return estimates;
}

// A program that waits for a person should not look as if it hung.
void note_waiting(const SegmentFiles& input) {
  if (!input.systems.empty() || ::isatty(STDIN_FILENO) != 1) return;
  say("waiting for translations on the standard input (end them with Ctrl-D): \"input\" names no "
      "file of them" +
      std::string(input.references.size() > 1 ? ", and the files given are all references" : ""));
}

std::vector<const Metric*> pointers(const Metrics& metrics) {
  std::vector<const Metric*> all;
  for (const auto& metric : metrics) all.push_back(metric.get());
  return all;
}

// The columns of the table of segments: "a.txt BLEU, a.txt TER, b.txt BLEU, b.txt TER".
std::string columns(const Metrics& metrics, const std::vector<std::string>& systems) {
  std::string text;
  for (const std::string& system : systems)
    for (const auto& metric : metrics)
      text += (text.empty() ? "" : ", ") + system + " " + metric->name();
  return text;
}

// Warnings about how to interpret the scores.
void note(const Evaluation& evaluation, const Metrics& metrics, const SegmentReader& reader,
          const Scoring& scoring, const Spacing& spacing) {
  if (reader.cut())
    warn("scored the first " + with_commas(scoring.segments) + " segments; some files have more");
  for (const std::string& what : reader.notes()) warn(what);
  if (!evaluation.input.references.empty() &&
      std::ranges::none_of(metrics, [](const auto& metric) { return metric->reads_references(); }))
    say("the references are not read: " + metrics[0]->name() + " scores without them");
  const bool bleu = std::count(evaluation.metrics.begin(), evaluation.metrics.end(), "bleu") > 0 &&
                    !evaluation.bleu.split_compounds;
  const std::string &tokenizer = evaluation.bleu.tokenize,
                    usual = tokenizer_for(evaluation.language);
  if (bleu && usual != "13a" && usual != tokenizer && !uses_spm_model(tokenizer))
    say("the usual tokenizer for this language is " + usual +
        ", or one with a SentencePiece model, not " + tokenizer);
  else note_spacing("the references", spacing, pointers(metrics));
  if (!bleu) return;
  if (evaluation.force || tokenizer == "none") return;
  for (std::size_t s = 0; s < scoring.tokenised.size(); ++s) {
    if (scoring.tokenised[s] < kSuspicious) continue;
    warn(reader.systems()[s] + ": " + with_commas(scoring.tokenised[s]) +
         " lines end in a space and a full stop; BLEU of already tokenised text is not comparable");
  }
}

// Throws Error if a metric lacks texts that it reads, or if no metric reads the source.
void check_texts(const Metrics& metrics, const SegmentFiles& input) {
  bool source_is_read = false;
  for (const auto& metric : metrics) {
    source_is_read |= metric->reads_sources();
    if (metric->reads_references() && input.references.empty())
      throw SettingError(metric->name(), " compares with references; give a file of them");
    if (metric->reads_sources() && input.source.empty())
      throw SettingError(metric->name(), " reads the source text; give its file with ",
                         Setting{"source"});
  }
  if (!source_is_read && !input.source.empty())
    throw SettingError(metrics[0]->name(), " does not read the source text; omit ",
                       Setting{"source"});
}

void check_systems(const Evaluation& evaluation, std::size_t systems) {
  const bool paired = evaluation.paired_bs || evaluation.paired_ar;
  if (paired && systems < 2)
    throw SettingError("a paired test needs two or more systems; give a file for each to ",
                       Setting{"input"});
  if (evaluation.compare && systems != 2)
    throw SettingError(Setting{"compare"}, " needs two systems, not ", systems);
}

}  // namespace

void check(const Evaluation& evaluation) {
  const SegmentFiles& input = evaluation.input;
  const bool test = evaluation.paired_bs || evaluation.paired_ar || evaluation.confidence;
  if (std::count(input.systems.begin(), input.systems.end(), "-") + input.systems.empty() +
          std::count(input.references.begin(), input.references.end(), "-") +
          (input.source == "-") + (input.groups == "-") + (evaluation.bleu.files.spm_model == "-") >
      1) {
    throw SettingError("standard input can be read only once; name the other file (hypotheses: ",
                       Setting{"input"}, " FILE)");
  }
  if (input.references_per_line > 1 && input.references.empty())
    throw SettingError(Setting{"num_refs"},
                       " is for one file of references, and there is none; omit it");
  if (input.references_per_line > 1 && input.references.size() > 1) {
    throw SettingError(Setting{"num_refs"},
                       " is for one file with all references separated by tabs, not for ",
                       input.references.size(), " files");
  }
  check_tokenizer(evaluation.bleu.tokenize, evaluation.bleu.files);
  if (evaluation.paired_bs && evaluation.paired_ar)
    throw SettingError(Setting{"paired_bs"}, " and ", Setting{"paired_ar"}, " exclude each other");
  if (evaluation.confidence && evaluation.paired_ar)
    throw SettingError(Setting{"paired_ar"}, " gives no confidence intervals; ",
                       Setting{"paired_bs"}, " gives both");
  if (evaluation.sentence && test)
    throw SettingError(Setting{"sentence"},
                       " excludes the tests: a single segment cannot be resampled");
  if (evaluation.compare && (evaluation.sentence || test))
    throw SettingError(Setting{"compare"}, " excludes ", Setting{"sentence"}, " and the tests");
  const Format format = evaluation.report.format;
  const bool plain = format == Format::kText || evaluation.report.is_json();
  if (!plain && (evaluation.sentence || evaluation.compare))
    throw SettingError(Setting{evaluation.sentence ? "sentence" : "compare"},
                       " writes text or JSON; the other formats are for tables of scores");
  if (!plain && evaluation.report.score_only)
    throw SettingError(Setting{"score_only"}, " writes text, and excludes other formats");
  if (evaluation.compare && !input.groups.empty())
    throw SettingError(Setting{"compare"}, " excludes ", Setting{"group"},
                       "; it has groups of its own");
  if (!input.systems.empty()) check_systems(evaluation, input.systems.size());
}

bool evaluate(Evaluation evaluation, Output& out) {
  evaluation.bleu.effective_order |= evaluation.sentence;
  const bool test = evaluation.confidence || evaluation.paired_bs || evaluation.paired_ar;
  const Metrics metrics = make_metrics(evaluation.metrics, evaluation);
  check_texts(metrics, evaluation.input);
  std::optional<Comparison> comparison;
  if (evaluation.compare)
    comparison.emplace(metrics, evaluation.bleu, static_cast<std::size_t>(evaluation.top),
                       static_cast<std::size_t>(evaluation.length_step));
  note_waiting(evaluation.input);
  SegmentReader reader(evaluation.input);
  check_systems(evaluation, reader.systems().size());
  ThreadPool pool(evaluation.threads);
  Groups groups(test);
  Spacing spacing;
  Scoring scoring = score_segments(reader, metrics, pool, test, [&](const ScoringBlock& block) {
    if (comparison) comparison->add(block);
    for (std::size_t i = 0; i < block.size && block.first + i < Spacing::kLines; ++i)
      if (!block.references[i].empty()) spacing.add(block.references[i][0]);
    if (evaluation.sentence) {
      out.write(sentence_report(metrics, reader.systems(), block, evaluation.report));
      out.flush();
    } else if (!block.groups.empty()) {
      groups.add(block, metrics);
    }
  });
  std::vector<Result> results;
  for (std::size_t g = 0; g < groups.names().size(); ++g)
    results.push_back({groups.names()[g], std::move(groups.scorings()[g]), {}});
  results.push_back({"", std::move(scoring), {}});

  RunFields& run = evaluation.report.run;
  run.references = results.back().scoring.references;
  if (test) {
    evaluation.samples = evaluation.samples > 0 ? evaluation.samples
                         : evaluation.paired_ar ? 10000
                                                : 1000;
    run.seed = evaluation.seed;
    (evaluation.paired_ar ? run.randomization : run.bootstrap) = evaluation.samples;
    for (Result& result : results)
      result.estimates = resample(evaluation, metrics, result.scoring, pool);
  }
  if (comparison)
    out.write(compare_report(metrics, reader.systems(), *comparison, evaluation.report));
  else if (!evaluation.sentence)
    out.write(score_report(metrics, reader.systems(), results, evaluation.report));
  else if (reader.systems().size() > 1 && !evaluation.report.is_json())
    say("columns: " + columns(metrics, reader.systems()));
  if (evaluation.sentence || evaluation.report.format == Format::kTsv)
    for (const auto& metric : metrics)
      say(metric->name() + "|" + signature(*metric, run, evaluation.report.short_signature));
  out.close();
  note(evaluation, metrics, reader, results.back().scoring, spacing);
  const auto degraded = reader.degraded();
  for (const std::string& what : degraded) warn(what);
  return !degraded.empty();
}

}  // namespace tt::metrics
