// tt-average: writes the mean of checkpoints, given by name or chosen from the folder of a run.
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "model/average.h"
#include "tools/main.h"

namespace {

struct Settings {
  std::vector<std::string> inputs;
  std::string output;
  int last = 0, best = 0;  // 0: not given
  bool int8 = false, packed = false;
};

std::vector<std::string> chosen(const Settings& settings) {
  const bool choose = settings.last > 0 || settings.best > 0;
  const std::string& first = settings.inputs.front();
  if (!choose) {
    for (const std::string& path : settings.inputs)
      if (tt::is_folder(path))
        throw tt::Error(path, ": is a folder; choose checkpoints in it with --last N or --best N");
    return settings.inputs;
  }
  if (settings.inputs.size() > 1 || tt::regular_file(first))
    throw tt::Error(settings.inputs.back(),
                    ": --last and --best need a single folder; give the folder of a run");
  return settings.last > 0 ? tt::last_checkpoints(first, settings.last)
                           : tt::best_checkpoints(first, settings.best);
}

int average(const Settings& settings) {
  const auto paths = chosen(settings);
  tt::check_not_read(settings.output, paths);
  const auto form = settings.int8     ? tt::WeightForm::int8
                    : settings.packed ? tt::WeightForm::packed
                                      : tt::WeightForm::float32;
  tt::average(paths, settings.output, form);
  for (const std::string& path : paths) tt::say("averaged " + path);
  tt::say("wrote " + settings.output + ", the mean of " + std::to_string(paths.size()));
  return tt::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tt;
  Settings settings;
  const std::vector<Option> rows{
      {"PATH", file(settings.inputs), "checkpoints, or the folder of a run", kRequired},
      {"-o,--output", file(settings.output), "the model to write; -: stdout", kRequired},
      {"--last", number(settings.last, 1, 1000000), "average the last N checkpoints of a folder",
       kBrief},
      {"--best", number(settings.best, 1, 1000000),
       "average the best N checkpoints of a folder, by BLEU in validation",
       excludes("--last") + kBrief},
      {"--int8", toggle(settings.int8),
       "write matrices in eight bits: a quarter of the size, for tt-translate"},
      {"--packed", toggle(settings.packed),
       "write matrices in the order of products: tt-translate starts at once", excludes("--int8")},
  };
  return run_tool(argc, argv,
                  {.name = "tt-average",
                   .summary = "Writes the mean of checkpoints as one model.",
                   .groups = {{"Options", rows}},
                   .work = [&] { return average(settings); },
                   .example = "tt-average --last 5 -o model.tt run"});
}
