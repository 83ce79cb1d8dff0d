// tt-translate: translates plain text from stdin to stdout, line by line.
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/report.h"
#include "decode/filter.h"
#include "nn/device.h"
#include "tensor/peak.h"
#include "tools/main.h"
#include "tools/values.h"

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(
      argc, argv, "tt-translate", "Translates stdin to stdout, one line of output for each line of input.", [](CLI::App& app) {
        struct Flags {
          std::string model, attention, input = "-";
          DeviceChoice device;
          int threads = 1, beam = 0, extra_length = -1;
          double alpha = -1;
          bool self = false, profile = false, int8 = false;
          TranslateOptions options;
        };
        auto flags = std::make_shared<Flags>();
        add_model(app, flags->model);
        app.add_option("input", flags->input, "the text to translate; -: stdin")->type_name("FILE");
        app.add_option("--beam", flags->beam, "hypotheses per sentence (default: the model's)")
            ->transform(within(1, 1024))
            ->type_name("N")
            ->default_str("");
        app.add_option("--alpha", flags->alpha, "exponent of the length penalty (default: the model's)")
            ->transform(within(0.0, 100.0))
            ->type_name("NUMBER")
            ->default_str("");
        app.add_option("--extra-length", flags->extra_length,
                       "tokens that a translation may be longer than its source (default: the model's)")
            ->transform(within(0, 1 << 24))
            ->type_name("N")
            ->default_str("");
        app.add_option("--batch-tokens", flags->options.batch_tokens, "source tokens translated together")
            ->transform(within(std::int64_t{1}, std::int64_t{1} << 30))
            ->type_name("N");
        app.add_option("--max-length", flags->options.longest,
                       "maximum pieces in a line; longer lines are translated in parts, and the exit status is 3")
            ->transform(within(std::int64_t{1}, std::int64_t{1} << 24))
            ->type_name("N");
        app.add_option("--attention", flags->attention,
                       "write the attention of decoder to encoder as JSON lines; -: to stdout instead of the translation")
            ->type_name("FILE");
        app.add_flag("--self-attention", flags->self, "with --attention: also write self-attention");
        app.add_flag("--int8", flags->int8, "multiply in 8 bits: faster, and almost as good");
        app.add_flag("--profile", flags->profile, "print where the time went");
        add_threads(app, flags->threads);
        add_device(app, flags->device);
        return [flags] {
          const auto backend = open_backend(flags->device);
          const LoadedModel loaded = load_model(flags->model, *backend, flags->int8 ? WeightForm::int8 : WeightForm::float32);
          const Config& config = loaded.model->config();
          const bool attention_wanted = !flags->attention.empty();
          if (attention_wanted && !loaded.model->attends(AttentionSite::cross))
            throw Error(flags->model, ": was trained without attention; omit --attention");
          if (attention_wanted && flags->self && !loaded.model->attends(AttentionSite::self))
            throw Error(flags->model, ": an LSTM does not attend to itself; leave --self-attention out");
          flags->options.search = {flags->beam ? flags->beam : config.beam, flags->alpha >= 0 ? flags->alpha : config.alpha,
                                   flags->extra_length >= 0 ? flags->extra_length : config.extra_length};
          LineReader in(flags->input);
          // Attention on stdout replaces the translation, which it contains.
          Output out(flags->attention == "-" ? "/dev/null" : "-");
          std::unique_ptr<Output> attention;
          if (!flags->attention.empty()) attention = std::make_unique<Output>(flags->attention);
          const double began = wall_seconds();
          const FilterReport report =
              translate_lines(in, out, loaded, flags->options, *backend, flags->threads, {attention.get(), flags->self});
          out.close();
          if (attention) attention->close();
          const double wall = wall_seconds() - began, flops = report.meter.flops();
          if (flags->profile) say_profile(report.meter);
          char extra[120];
          std::snprintf(extra, sizeof extra, "%.0f target tokens/s, %.3g FLOP, %.1f GFLOP/s",
                        static_cast<double>(report.tokens) / std::max(wall, 1e-9), flops, flops / std::max(wall, 1e-9) / 1e9);
          std::string part;
          if (wall > 10 && !quiet()) {
            ThreadPool pool(flags->threads);
            part = ", " + std::to_string(static_cast<int>(100 * flops / wall / product_rate(*backend, pool, 0.1) + 0.5)) +
                   " % of peak";
          }
          say(cost_line(report.lines, "lines", wall, extra + part));
          return report.degraded ? kDegraded : kDone;
        };
      });
}
