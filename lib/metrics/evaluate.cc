#include "metrics/evaluate.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/report.h"
#include "base/setting.h"
#include "metrics/compare.h"
#include "metrics/significance.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kSuspicious = 100;  // number of lines ending in " ." from which text is taken as tokenised

Metrics make_metrics(const Evaluation& evaluation) {
  Metrics metrics;
  for (const std::string& name : evaluation.metrics) {
    if (name == "bleu") {
      metrics.push_back(std::make_unique<Bleu>(evaluation.bleu));
    } else if (name == "ter") {
      metrics.push_back(std::make_unique<Ter>(evaluation.ter));
    } else if (name == "chrf" || name == "chrf++") {
      ChrfOptions options = evaluation.chrf;
      if (name == "chrf++") options.word_order = 2;
      metrics.push_back(std::make_unique<Chrf>(options));
    } else {
      throw Error("there is no metric '", name, "'; the metrics are bleu, chrf, chrf++ and ter");
    }
  }
  return metrics;
}

std::vector<std::vector<Estimate>> resample(const Evaluation& evaluation, const Metrics& metrics, const Scoring& scoring,
                                            int samples, ThreadPool& pool) {
  std::vector<std::vector<Estimate>> estimates;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const SystemRows& rows = scoring.rows[m];
    estimates.push_back(evaluation.paired_ar
                            ? randomization(*metrics[m], rows, samples, evaluation.seed, pool)
                            : bootstrap(*metrics[m], rows, evaluation.paired_bs, samples, evaluation.seed, pool));
  }
  return estimates;
}

// Warnings about how to interpret the scores.
void note(const Evaluation& evaluation, const SegmentReader& reader, const Scoring& scoring) {
  if (reader.cut()) warn("scored the first " + with_commas(scoring.segments) + " segments; some files have more");
  for (const std::string& what : reader.notes()) warn(what);
  const bool bleu = std::count(evaluation.metrics.begin(), evaluation.metrics.end(), "bleu") > 0;
  const std::string &tokenizer = evaluation.bleu.tokenize, usual = tokenizer_for(evaluation.language);
  if (!bleu || evaluation.bleu.split_compounds) return;
  if (usual != "13a" && usual != tokenizer && !uses_spm_model(tokenizer))
    say("the usual tokenizer for this language is " + usual + ", or one with a SentencePiece model, not " + tokenizer);
  if (evaluation.force || tokenizer == "none") return;
  for (std::size_t s = 0; s < scoring.tokenised.size(); ++s) {
    if (scoring.tokenised[s] < kSuspicious) continue;
    warn(reader.systems()[s] + ": " + with_commas(scoring.tokenised[s]) +
         " lines end in a space and a full stop; BLEU of already tokenised text is not comparable");
  }
}

void check_systems(const Evaluation& evaluation, std::size_t systems) {
  const bool paired = evaluation.paired_bs || evaluation.paired_ar;
  if (paired && systems < 2)
    throw SettingError("a paired test needs two or more systems; give a file for each to ", Setting{"input"});
  if (evaluation.sentence && systems > 1) throw SettingError(Setting{"sentence"}, " scores one system, not ", systems);
  if (evaluation.compare && systems != 2) throw SettingError(Setting{"compare"}, " needs two systems, not ", systems);
}

}  // namespace

void check(const Evaluation& evaluation) {
  const SegmentFiles& input = evaluation.input;
  const bool test = evaluation.paired_bs || evaluation.paired_ar || evaluation.confidence;
  if (std::count(input.systems.begin(), input.systems.end(), "-") + input.systems.empty() +
          std::count(input.references.begin(), input.references.end(), "-") + (evaluation.bleu.files.spm_model == "-") >
      1) {
    throw SettingError("standard input can be read only once; name the other file (hypotheses: ", Setting{"input"}, " FILE)");
  }
  if (input.references_per_line > 1 && input.references.size() > 1) {
    throw SettingError(Setting{"num_refs"}, " is for one file with all references separated by tabs, not for ",
                       input.references.size(), " files");
  }
  const auto& [spm_model, mecab_dictionary] = evaluation.bleu.files;
  const std::string& tokenizer = evaluation.bleu.tokenize;
  check_tokenizer_name(tokenizer);
  if (!spm_model.empty() && !uses_spm_model(tokenizer))
    throw SettingError(Setting{"spm_model"}, " is for the tokenizers spm, flores101, flores200 and spBLEU-1K, not for ",
                       tokenizer);
  if (!mecab_dictionary.empty() && !uses_mecab_dictionary(tokenizer))
    throw SettingError(Setting{"mecab_dictionary"}, " is for the tokenizers ja-mecab and ko-mecab, not for ", tokenizer);
  if (evaluation.paired_bs && evaluation.paired_ar)
    throw SettingError(Setting{"paired_bs"}, " and ", Setting{"paired_ar"}, " exclude each other");
  if (evaluation.confidence && evaluation.paired_ar)
    throw SettingError(Setting{"paired_ar"}, " gives no confidence intervals; ", Setting{"paired_bs"}, " gives both");
  if (evaluation.sentence && test)
    throw SettingError(Setting{"sentence"}, " excludes the tests: a single segment cannot be resampled");
  if (evaluation.compare && (evaluation.sentence || test))
    throw SettingError(Setting{"compare"}, " excludes ", Setting{"sentence"}, " and the tests");
  if (!input.systems.empty()) check_systems(evaluation, input.systems.size());
}

bool evaluate(Evaluation evaluation, Output& out) {
  evaluation.bleu.effective_order |= evaluation.sentence;
  const bool test = evaluation.confidence || evaluation.paired_bs || evaluation.paired_ar;
  const Metrics metrics = make_metrics(evaluation);
  std::optional<Comparison> comparison;
  if (evaluation.compare)
    comparison.emplace(metrics, evaluation.bleu, static_cast<std::size_t>(evaluation.top),
                       static_cast<std::size_t>(evaluation.length_step));
  SegmentReader reader(evaluation.input);
  check_systems(evaluation, reader.systems().size());
  ThreadPool pool(evaluation.threads);
  const Scoring scoring = score_segments(reader, metrics, pool, test, [&](const ScoringBlock& block) {
    if (comparison) comparison->add(block);
    if (!evaluation.sentence) return;
    out.write(sentence_report(metrics, block, evaluation.report));
    out.flush();
  });

  std::vector<std::vector<Estimate>> estimates;
  RunFields& run = evaluation.report.run;
  run.references = scoring.references;
  if (test) {
    const int samples = evaluation.samples > 0 ? evaluation.samples : evaluation.paired_ar ? 10000 : 1000;
    run.seed = evaluation.seed;
    (evaluation.paired_ar ? run.randomization : run.bootstrap) = samples;
    estimates = resample(evaluation, metrics, scoring, samples, pool);
  }
  if (evaluation.sentence) {
    for (const auto& metric : metrics) say(metric->name() + "|" + signature(*metric, run, evaluation.report.short_signature));
  } else if (comparison) {
    out.write(compare_report(metrics, reader.systems(), *comparison, evaluation.report));
  } else {
    out.write(score_report(metrics, reader.systems(), scoring, estimates, evaluation.report));
  }
  out.close();
  note(evaluation, reader, scoring);
  const auto degraded = reader.degraded();
  for (const std::string& what : degraded) warn(what);
  return !degraded.empty();
}

}  // namespace tt::metrics
