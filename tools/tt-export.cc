// tt-export: turns a model file into a folder of Marian, the Hugging Face transformers or
// CTranslate2.
#include <string>

#include "base/report.h"
#include "exchange/exchange.h"
#include "tools/main.h"

namespace {

struct Flags {
  std::string model, output, to;
};

int convert(const Flags& flags) {
  using namespace tt;
  const PortableModel model = read_portable(flags.model);
  const ForeignFormat& format = format_of(flags.to);
  export_model(model, format, flags.output);
  const std::string lost = lost_search(model.config, format);
  const std::string replaced = replaced_settings(model.config, format);
  const std::string departs = departure(model.config, format);
  if (!lost.empty()) warn("search settings that " + flags.to + " does not keep: " + lost);
  say("wrote " + flags.output + ": " + summary(model));
  if (!replaced.empty()) warn(flags.output + ": " + flags.to + " cannot keep " + replaced);
  if (!departs.empty()) warn(flags.output + ": " + departs);
  return lost.empty() && replaced.empty() && departs.empty() ? kDone : kDegraded;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  const std::vector<Option> rows{
      {"FILE", file(flags.model), "a model file", kRequired},
      {"-o,--output", folder(flags.output), "the folder to write", kRequired},
      {"--to", choice(flags.to, written_format_names()), "the format", kRequired},
  };
  return run_tool(argc, argv,
                  {.name = "tt-export",
                   .summary = "Turns a model file into a folder of another program.",
                   .groups = {{"Options", rows}},
                   .work = [&] { return convert(flags); },
                   .example = "tt-export --to ctranslate2 -o folder model.tt"});
}
