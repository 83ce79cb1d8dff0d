// tt-translate: translates plain text from stdin to stdout, line by line.
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/formatted.h"
#include "base/line_files.h"
#include "base/report.h"
#include "base/thread_pool.h"
#include "lines/filter.h"
#include "lines/precision.h"
#include "nn/device.h"
#include "tensor/peak.h"
#include "tools/lines.h"
#include "tools/main.h"
#include "tools/search.h"
#include "trace/tracer.h"

namespace tt {
namespace {

struct Flags {
  std::vector<std::string> models;
  std::string attention, trace, reference, shortlist;
  DeviceChoice device;
  SearchFlags search;
  LineFlags lines;
  Lookup lookup;
  FilterOptions options;
  bool int8 = false, profile = false, cost = false;
};

void check_attention(const Flags& flags, const LoadedModel& loaded) {
  if (flags.attention.empty()) return;
  if (!loaded.model->attends(AttentionSite::cross))
    throw Error(flags.models[0], ": was trained without attention; omit --attention");
  if (flags.options.attention.self && !loaded.model->attends(AttentionSite::self))
    throw Error(flags.models[0], ": an LSTM does not attend to itself; leave --self-attention out");
}

void say_rates(const FilterReport& report, double wall, const Backend& backend, int threads) {
  const double flops = report.meter.flops();
  if (flops <= 0 || quiet()) return;
  const double seconds = std::max(wall, 1e-9);
  const std::string line =
      with_commas(static_cast<std::int64_t>(static_cast<double>(report.tokens) / seconds)) +
      formatted(" target tokens/s, %.3g FLOP, %.1f GFLOP/s", flops, flops / seconds / 1e9);
  if (wall <= 10) return say(line);
  ThreadPool pool(threads);
  const double peak = product_rate(backend, pool, 0.1),
               percent = peak > 0 ? 100 * flops / wall / peak : 0;
  say(percent >= 0.5 ? line + ", " + std::to_string(static_cast<int>(percent + 0.5)) + " % of peak"
                     : line);
}

int compare(const Flags& flags, const std::vector<LoadedModel>& models, const Backend& backend,
            LineSource& in) {
  const auto eight = load_models(flags.models, backend, WeightForm::int8);
  const PrecisionComparison found =
      compare_precisions(models, eight, in, flags.reference, backend, flags.options);
  Output out(flags.lines.output);
  const auto put = [&](double number, const char* what) {
    out.line(formatted("%6.2f  %s", number, what));
  };
  put(found.float32_bleu, "BLEU of float32");
  put(found.int8_bleu, "BLEU of 8 bits");
  put(found.between_bleu, "BLEU of 8 bits against float32");
  put(100 * static_cast<double>(found.same) / static_cast<double>(found.lines),
      "% of the lines are the same");
  out.close();
  return found.degraded || flags.lookup.left_out() ? kDegraded : kDone;
}

// The file of --trace, if it was given.
class TraceFile {
 public:
  TraceFile(Flags& flags, std::span<const LoadedModel> models, const Backend& backend) {
    if (flags.trace.empty()) return;
    out_.emplace(flags.trace);
    tracer_.emplace(models, backend, flags.options.translate, *out_);
    flags.options.watch = [this, scored = flags.options.output.scoring](const LineSentence& s,
                                                                        std::uint64_t line) {
      return tracer_->add(s, scored, line);
    };
  }
  void close() {
    if (out_) out_->close();
  }

 private:
  std::optional<Output> out_;
  std::optional<Tracer> tracer_;
};

int translate(Flags& flags) {
  std::vector<std::string> read = flags.models;  // which are mapped into memory
  read.insert(read.end(), {flags.reference, flags.shortlist});
  flags.lines.check(flags.search, read);
  flags.lines.check_written({flags.attention, flags.trace}, flags.search, read);
  if (!flags.trace.empty() && flags.models.size() > 1)
    throw UsageError("--trace is of one model; give one --model");
  const auto backend = open_backend(flags.device);
  const std::vector<LoadedModel> models =
      load_models(flags.models, *backend, flags.int8 ? WeightForm::int8 : WeightForm::float32);
  check_attention(flags, models[0]);
  flags.search.apply(models[0].model->config(), models[0].target, flags.options.translate);
  if (!flags.shortlist.empty())
    flags.options.translate.shortlist = std::make_shared<const Shortlist>(flags.shortlist);
  flags.lines.apply(flags.search, flags.lookup, flags.options);
  const OpenLines in(flags.lines);
  if (!flags.reference.empty()) return compare(flags, models, *backend, in.source());
  // Attention, or a trace, on stdout replaces the translation there, which it contains.
  const bool replaced = flags.lines.output == "-" && (flags.attention == "-" || flags.trace == "-");
  Output out(replaced ? "/dev/null" : flags.lines.output);
  std::unique_ptr<Output> attention;
  if (!flags.attention.empty()) attention = std::make_unique<Output>(flags.attention);
  flags.options.attention.to = attention.get();
  TraceFile trace(flags, models, *backend);
  const double began = wall_seconds();
  const FilterReport report = translate_lines(in.source(), out, models, *backend, flags.options);
  out.close();
  if (attention) attention->close();
  trace.close();
  const double wall = wall_seconds() - began;
  if (flags.options.input.memory)
    say(with_commas(report.remembered) + " of " + count_of(report.lines, "line") + " from " +
        printable(flags.lines.memory));
  if (flags.profile) say_profile(report.meter);
  if (reports_cost(flags.cost)) {
    say_rates(report, wall, *backend, flags.options.threads);
    say(cost_line(report.lines, "lines", wall));
  }
  return report.degraded || flags.lookup.left_out() ? kDegraded : kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  TranslateOptions& options = flags.options.translate;
  const std::vector<Option> models{
      {"-m,--model", file(flags.models),
       "the model file, made by tt-train, tt-average or tt-import; several: their mean",
       kRequired + variable("TT_MODEL")},
      {"--from", text(options.languages.from),
       "of a model of many languages, see tt-languages(7): that of the source"},
      {"--to", text(options.languages.to), "of a model of many languages: that of the translation"},
      {"--source-prefix", text(options.source_prefix),
       "text before each source, as \"translate English to German:\" of T5",
       excludes("--from", "--to", "--from-column", "--to-column")}};
  std::vector<Option> computing{
      {"--batch-tokens", number(options.batch_tokens, 1, 1 << 30),
       "source tokens translated together"},
      {"--max-length", number(options.longest, 1, 1 << 24),
       "maximum pieces in a line; longer lines are translated in parts, and the exit status is 3"},
      {"--attention", file(flags.attention),
       "write the attention of decoder to encoder as JSON lines; -: instead of the translation"},
      {"--self-attention", toggle(flags.options.attention.self),
       "with --attention: also write self-attention", needs("--attention")},
      {"--trace", file(flags.trace),
       "write all that a few lines are to the model, for tt-trace; -: instead of the translation",
       excludes("--compare-precision")},
      {"--int8", toggle(flags.int8), "multiply in 8 bits: faster, and almost as good",
       excludes("--precision") + kBrief},
      {"--shortlist", file(flags.shortlist),
       "look only at the pieces that FILE, made by tt-shortlist, lists for a line: faster",
       excludes("--score", "--trace")},
      {"--compare-precision", file(flags.reference),
       "print the effect of 8 bits on BLEU against the reference in FILE",
       excludes("--int8", "--attention", "--score", "--n-best", "--format", "--json", "--alignment",
                "--confidence", "--token-scores", "--sample", "--precision", "--memory")},
      cost_option(flags.cost),
      {"--profile", toggle(flags.profile), "print where the time went"},
      threads_option(flags.options.threads),
  };
  for (Option& option : device_options(flags.device)) computing.push_back(std::move(option));
  return run_tool(
      argc, argv,
      {.name = "tt-translate",
       .summary = "Translates stdin to stdout, one line of output for each line of input.",
       .groups = {{"Model", models},
                  line_group(flags.lines),
                  search_group(flags.search),
                  sampling_group(flags.search),
                  {"Computation", computing}},
       .work = [&] { return translate(flags); },
       .example = "tt-translate -m model.tt <text.de >text.en"});
}
