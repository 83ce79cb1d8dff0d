// tt-bleu: scores translations against references (BLEU, chrF, TER), tests differences for significance, and shows where they
// are.
#include "base/error.h"
#include "base/file.h"
#include "metrics/evaluate.h"
#include "tools/main.h"
#include "tools/sacrebleu.h"
#include "tools/values.h"

namespace tt {
namespace {

// Option values that become settings once all options are parsed.
struct Flags {
  metrics::Evaluation evaluation;
  std::string smooth = "exp", smooth_value, languages, format;
  bool paper = false;
};

std::string lower_case(std::string& name) {
  name = CLI::detail::to_lower(name);
  return "";
}

void add_input(CLI::App& app, metrics::Evaluation& e) {
  app.add_option("references", e.input.references, "files with one reference per line")->required()->type_name("REF");
  app.add_option("-i,--input", e.input.systems,
                 "files with one translation per line (default: standard input, systems separated by tabs)")
      ->type_name("FILE");
  app.add_option("--num-refs", e.input.references_per_line, "references in each line of a single file, separated by tabs")
      ->transform(within(1, 1000000))
      ->type_name("N");
  app.add_flag("--skip-empty-references", e.input.skip_empty_references, "ignore empty references");
  app.add_flag("--prefix", e.input.prefix, "score as many lines as the shortest file has");
  app.add_option("-m,--metric", e.metrics, "bleu, chrf, chrf++, ter; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(CLI::Validator(lower_case, ""))
      ->check(one_of({"bleu", "chrf", "chrf++", "ter"}))
      ->type_name("NAME")
      ->default_str("bleu");
}

void add_bleu(CLI::App& app, Flags& flags) {
  metrics::BleuOptions& bleu = flags.evaluation.bleu;
  app.add_option("-t,--tokenize", bleu.tokenize,
                 "BLEU's tokenizer: 13a, intl, zh, ja-mecab, ko-mecab, flores101, flores200, spBLEU-1K, spm, char, none")
      ->type_name("NAME");
  app.add_option("-l,--language-pair", flags.languages, "such as en-zh: use the tokenizer of the target language")
      ->type_name("PAIR");
  app.add_option("--spm-model", bleu.files.spm_model, "the SentencePiece model of spm, flores101, ...")->type_name("FILE");
  app.add_option("--mecab-dictionary", bleu.files.mecab_dictionary, "the dictionary of ja-mecab or ko-mecab")
      ->type_name("FOLDER");
  app.add_option("-s,--smooth", flags.smooth, "BLEU's smoothing: exp, floor[:VALUE], add-k[:VALUE], none")->type_name("METHOD");
  app.add_option("--smooth-value", flags.smooth_value)->group("");  // sacreBLEU's
  app.add_option("--max-order", bleu.max_order, "longest n-gram of BLEU")->transform(within(1, 64))->type_name("N");
  app.add_flag("--effective-order", bleu.effective_order, "BLEU without orders for which a translation is too short");
  app.add_flag("--lowercase", bleu.lowercase, "lower-case for BLEU");
  app.add_flag("--paper", flags.paper, "the BLEU of the paper's table 2: tokenised, compounds split; not comparable");
  app.add_flag("--force", flags.evaluation.force, "do not warn that the text looks already tokenised");
}

void add_chrf_and_ter(CLI::App& app, metrics::Evaluation& e) {
  app.add_option("--char-order", e.chrf.char_order, "longest character n-gram of chrF")->transform(within(0, 64))->type_name("N");
  app.add_option("--word-order", e.chrf.word_order, "longest word n-gram of chrF")->transform(within(0, 64))->type_name("N");
  app.add_option("--beta", e.chrf.beta, "weight of recall in chrF")->transform(within(0.0, 1e6))->type_name("X");
  app.add_flag("--chrf-lowercase", e.chrf.lowercase, "lower-case for chrF");
  app.add_flag("--whitespace", e.chrf.whitespace, "count white space in chrF's character n-grams");
  app.add_flag("--eps-smoothing", e.chrf.eps_smoothing, "chrF counts orders without n-grams as nearly 0");
  app.add_flag("--ter-normalized", e.ter.normalized, "TER undoes XML escapes and separates punctuation");
  app.add_flag("--ter-no-punct", e.ter.no_punct, "TER without punctuation");
  app.add_flag("--ter-asian", e.ter.asian_support, "apply the two options above to Chinese and Japanese too");
  app.add_flag("--ter-case-sensitive", e.ter.case_sensitive, "case-sensitive TER");
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
  app.add_option("--length-step", e.length_step, "tokens in a group of --compare")->transform(within(1, 1000000))->type_name("N");
}

void add_output(CLI::App& app, Flags& flags) {
  metrics::ReportOptions& report = flags.evaluation.report;
  app.add_flag("--json", report.json, "JSON instead of text");
  app.add_option("-f,--format", flags.format)->group("");  // sacreBLEU's
  app.add_flag("-b,--score-only", report.score_only, "print only the numbers");
  app.add_flag("--short", report.short_signature, "signatures with short names");
  app.add_option("-w,--width", report.width, "decimals (JSON: exact unless given)")->transform(within(0, 15))->type_name("N");
  add_threads(app, flags.evaluation.threads);
}

std::function<int()> declare(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  add_input(app, flags->evaluation);
  add_bleu(app, *flags);
  add_chrf_and_ter(app, flags->evaluation);
  add_modes(app, flags->evaluation);
  add_output(app, *flags);
  app.final_callback([&app, flags] {
    metrics::Evaluation& e = flags->evaluation;
    const auto given = [&](const char* option) { return app.count(option) > 0; };
    try {
      e.report.round_json = given("--width");
      e.report.json |= flags->format == "json";
      if (given("--format") && flags->format != "json" && flags->format != "text")
        throw Error("--format: must be json or text, not '", flags->format, "'");
      if (const std::string why = within(0.0, 1e6)(flags->smooth_value); given("--smooth-value") && !why.empty())
        throw Error("--smooth-value: ", why);
      const bool valued = given("--smooth-value") && flags->smooth != "exp" && flags->smooth != "none";  // as sacreBLEU
      metrics::set_smoothing(flags->smooth + (valued ? ":" + flags->smooth_value : ""), e.bleu);
      if (flags->paper) {
        e.bleu.split_compounds = true;
        if (!given("--tokenize")) e.bleu.tokenize = "none";
        if (!given("--smooth")) e.bleu.smoothing = metrics::Smoothing::kNone;
      } else if (given("--language-pair")) {
        e.language = metrics::target_language(flags->languages);
        if (!given("--tokenize")) e.bleu.tokenize = metrics::tokenizer_for(e.language);
      }
      metrics::check(e);
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
  std::vector<std::string> words = tt::from_sacrebleu({argv, argv + argc});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return tt::run_tool(static_cast<int>(words.size()), pointers.data(), "tt-bleu",
                      "Scores translations against references: BLEU, chrF and TER.", tt::declare);
}
