// tt-bleu: scores translations against references (BLEU, chrF, TER), tells which differences are real, and where they are.
#include "base/error.h"
#include "base/file.h"
#include "metrics/evaluate.h"
#include "tools/main.h"
#include "tools/values.h"

namespace tt {

namespace {

// Texts of options that become settings once all are known.
struct Flags {
  metrics::Evaluation evaluation;
  std::string smooth = "exp";
  bool paper = false;
};

std::string lower_case(std::string& name) {
  name = CLI::detail::to_lower(name);
  return "";
}

std::string smoothing_error(const std::string& text) {
  try {
    metrics::BleuOptions ignored;
    metrics::set_smoothing(text, ignored);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void add_input(CLI::App& app, metrics::Evaluation& e) {
  app.add_option("references", e.input.references, "files with one reference per line")->required()->type_name("REF");
  app.add_option("-i,--input", e.input.systems,
                 "files with one translation per line (default: standard input, systems between tabs)")
      ->type_name("FILE");
  app.add_option("--num-refs", e.input.references_per_line, "references in each line of one file, between tabs")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  app.add_flag("--skip-empty-references", e.input.skip_empty_references, "an empty line is no reference");
  app.add_flag("--prefix", e.input.prefix, "score as many lines as the shortest file has");
  app.add_option("--metric", e.metrics, "bleu, chrf, chrf++, ter; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(CLI::Validator(lower_case, ""))
      ->check(one_of({"bleu", "chrf", "chrf++", "ter"}))
      ->type_name("NAME")
      ->default_str("bleu");
}

void add_bleu(CLI::App& app, Flags& flags) {
  metrics::BleuOptions& bleu = flags.evaluation.bleu;
  app.add_option("-t,--tokenize", bleu.tokenize, "BLEU's tokenizer: 13a, intl, zh, ja-mecab, char, none")
      ->check(one_of(metrics::tokenizer_names()))
      ->type_name("NAME");
  app.add_option("--smooth", flags.smooth, "BLEU's smoothing: exp, floor[:VALUE], add-k[:VALUE], none")
      ->check(CLI::Validator(smoothing_error, ""))
      ->type_name("METHOD");
  app.add_option("--max-order", bleu.max_order, "longest n-gram of BLEU")->transform(within(1, 64))->type_name("N");
  app.add_flag("--effective-order", bleu.effective_order, "BLEU without orders for which a translation is too short");
  app.add_flag("--paper", flags.paper, "the BLEU of the paper's table 2: tokenised, compounds split; not comparable");
}

void add_chrf_and_ter(CLI::App& app, metrics::Evaluation& e) {
  app.add_option("--char-order", e.chrf.char_order, "longest character n-gram of chrF")->transform(within(0, 64))->type_name("N");
  app.add_option("--word-order", e.chrf.word_order, "longest word n-gram of chrF")->transform(within(0, 64))->type_name("N");
  app.add_option("--beta", e.chrf.beta, "weight of recall in chrF")->transform(within(0.0, 1e6))->type_name("X");
  app.add_flag("--whitespace", e.chrf.whitespace, "keep white space in chrF's character n-grams");
  app.add_flag("--eps-smoothing", e.chrf.eps_smoothing, "chrF counts orders without n-grams, as nearly 0");
  app.add_flag("--ter-normalized", e.ter.normalized, "TER undoes XML escapes and sets punctuation apart");
  app.add_flag("--ter-no-punct", e.ter.no_punct, "TER without punctuation");
  app.add_flag("--ter-asian", e.ter.asian_support, "the two above for Chinese and Japanese, too");
  app.add_flag("--ter-case-sensitive", e.ter.case_sensitive, "TER with case");
}

void add_modes(CLI::App& app, metrics::Evaluation& e) {
  app.add_flag("--sentence", e.sentence, "score each line by itself");
  app.add_flag("--confidence", e.confidence, "95 % intervals by bootstrap resampling");
  app.add_flag("--paired-bs", e.paired_bs, "paired bootstrap of all systems against the first");
  app.add_flag("--paired-ar", e.paired_ar, "paired approximate randomisation of all systems against the first");
  app.add_option("--samples", e.samples, "resamples of a test (default: 1000; --paired-ar: 10000)")
      ->transform(within(1, 10000000))
      ->type_name("N")
      ->default_str("");
  add_seed(app, e.seed);
  app.add_flag("--compare", e.compare, "show where two systems differ");
  app.add_option("--top", e.top, "entries in each list of --compare")->transform(within(0, 1000000))->type_name("N");
}

std::function<int()> declare(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  metrics::Evaluation& e = flags->evaluation;
  add_input(app, e);
  add_bleu(app, *flags);
  add_chrf_and_ter(app, e);
  auto lowercase = std::make_shared<bool>(false);
  app.add_flag("-l,--lowercase", *lowercase, "lower-case for BLEU and chrF (TER does it by itself)");
  add_modes(app, e);
  app.add_flag("--json", e.report.json, "JSON instead of text");
  app.add_flag("--score-only", e.report.score_only, "nothing but numbers");
  app.add_option("-w,--width", e.report.width, "decimals (JSON is exact unless this is given)")
      ->transform(within(0, 15))
      ->type_name("N");
  add_threads(app, e.threads);

  app.final_callback([&app, flags, lowercase] {
    metrics::Evaluation& given = flags->evaluation;
    given.bleu.lowercase = given.chrf.lowercase = *lowercase;
    given.report.round_json = app.count("--width") > 0;
    metrics::set_smoothing(flags->smooth, given.bleu);
    if (flags->paper) {
      given.bleu.split_compounds = true;
      if (app.count("--tokenize") == 0) given.bleu.tokenize = "none";
      if (app.count("--smooth") == 0) given.bleu.smoothing = metrics::Smoothing::kNone;
    }
    try {
      metrics::check(given);
    } catch (const Error& error) {
      throw CLI::ValidationError(error.what());
    }
  });
  return [flags] {
    Output out("-");
    return metrics::evaluate(flags->evaluation, out) ? kDegraded : kDone;
  };
}

}  // namespace

}  // namespace tt

int main(int argc, char** argv) {
  return tt::run_tool(argc, argv, "tt-bleu", "Scores translations against references: BLEU, chrF and TER.", tt::declare);
}
