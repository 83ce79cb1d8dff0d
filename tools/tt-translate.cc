// tt-translate: translates plain text from stdin to stdout, line by line.
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/line_files.h"
#include "base/parallel.h"
#include "base/report.h"
#include "decode/filter.h"
#include "decode/precision.h"
#include "nn/device.h"
#include "tensor/peak.h"
#include "tools/lines.h"
#include "tools/main.h"
#include "tools/search.h"
#include "tools/values.h"

namespace tt {
namespace {

struct Flags {
  std::vector<std::string> models;
  std::string attention, reference;
  DeviceChoice device;
  SearchFlags search;
  LineFlags lines;
  Glossary glossary;
  FilterOptions options;
  bool int8 = false, profile = false;
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
  char text[80];
  std::snprintf(text, sizeof text, " target tokens/s, %.3g FLOP, %.1f GFLOP/s", flops, flops / seconds / 1e9);
  const std::string line = with_commas(static_cast<std::uint64_t>(static_cast<double>(report.tokens) / seconds)) + text;
  if (wall <= 10) return say(line);
  ThreadPool pool(threads);
  const double peak = product_rate(backend, pool, 0.1), percent = peak > 0 ? 100 * flops / wall / peak : 0;
  say(percent >= 0.5 ? line + ", " + std::to_string(static_cast<int>(percent + 0.5)) + " % of peak" : line);
}

int compare(const Flags& flags, const std::vector<LoadedModel>& models, const Backend& backend, LineSource& in) {
  const auto eight = load_models(flags.models, backend, WeightForm::int8);
  const PrecisionComparison found = compare_precisions(models, eight, in, flags.reference, backend, flags.options);
  Output out(flags.lines.output);
  const auto put = [&](double number, const char* what) {
    char line[80];
    std::snprintf(line, sizeof line, "%6.2f  %s", number, what);
    out.line(line);
  };
  put(found.float32_bleu, "BLEU of float32");
  put(found.int8_bleu, "BLEU of 8 bits");
  put(found.between_bleu, "BLEU of 8 bits against float32");
  put(100 * static_cast<double>(found.same) / static_cast<double>(found.lines), "% of the lines are the same");
  out.close();
  return found.degraded || flags.glossary.left_out() ? kDegraded : kDone;
}

int translate(Flags& flags) {
  std::vector<std::string> read = flags.models;  // which are mapped into memory
  read.push_back(flags.reference);
  flags.lines.check(flags.search, read);
  flags.lines.check_written(flags.attention, flags.search, read);
  const auto backend = open_backend(flags.device);
  const std::vector<LoadedModel> models =
      load_models(flags.models, *backend, flags.int8 ? WeightForm::int8 : WeightForm::float32);
  check_attention(flags, models[0]);
  flags.search.apply(models[0].model->config(), models[0].target, flags.options.translate);
  flags.lines.apply(flags.search, flags.glossary, flags.options);
  const OpenLines in(flags.lines);
  if (!flags.reference.empty()) return compare(flags, models, *backend, in.source());
  // Attention on stdout replaces the translation there, which it contains.
  Output out(flags.attention == "-" && flags.lines.output == "-" ? "/dev/null" : flags.lines.output);
  std::unique_ptr<Output> attention;
  if (!flags.attention.empty()) attention = std::make_unique<Output>(flags.attention);
  flags.options.attention.to = attention.get();
  const double began = wall_seconds();
  const FilterReport report = translate_lines(in.source(), out, models, *backend, flags.options);
  out.close();
  if (attention) attention->close();
  const double wall = wall_seconds() - began;
  if (flags.profile) say_profile(report.meter);
  say_rates(report, wall, *backend, flags.options.threads);
  say(cost_line(report.lines, "lines", wall));
  return report.degraded || flags.glossary.left_out() ? kDegraded : kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(
      argc, argv, "tt-translate", "Translates stdin to stdout, one line of output for each line of input.", [](CLI::App& app) {
        auto flags = std::make_shared<Flags>();
        app.add_option("-m,--model", flags->models, "the model file, made by tt-train or tt-average; several: their mean")
            ->required()
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false)
            ->type_name("FILE");
        add_search(app, flags->search);
        add_lines(app, flags->lines);
        TranslateOptions& options = flags->options.translate;
        app.add_option("--batch-tokens", options.batch_tokens, "source tokens translated together")
            ->transform(within(std::int64_t{1}, std::int64_t{1} << 30))
            ->type_name("N")
            ->default_str("");
        app.add_option("--max-length", options.longest,
                       "maximum pieces in a line; longer lines are translated in parts, and the exit status is 3")
            ->transform(within(std::int64_t{1}, std::int64_t{1} << 24))
            ->type_name("N");
        auto* attention = app.add_option("--attention", flags->attention,
                                         "write the attention of decoder to encoder as JSON lines; -: instead of the translation")
                              ->type_name("FILE");
        app.add_flag("--self-attention", flags->options.attention.self, "with --attention: also write self-attention")
            ->needs(attention);
        app.add_flag("--int8", flags->int8, "multiply in 8 bits: faster, and almost as good");
        auto* compared = app.add_option("--compare-precision", flags->reference,
                                        "print what 8 bits change, by BLEU against the reference in FILE")
                             ->type_name("FILE");
        for (const char* other : {"--int8", "--attention", "--score", "--n-best", "--format", "--json", "--alignment",
                                  "--confidence", "--token-scores", "--sample"})
          compared->excludes(app.get_option(other));
        app.add_flag("--profile", flags->profile, "print where the time went");
        add_threads(app, flags->options.threads);
        add_device(app, flags->device);
        compared->excludes(app.get_option("--precision"));
        return [flags] { return translate(*flags); };
      });
}
