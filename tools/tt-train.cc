// tt-train: trains a translation model on parallel text.
#include <csignal>

#include "base/error.h"
#include "base/file.h"
#include "base/ranks.h"
#include "base/report.h"
#include "nn/device.h"
#include "tools/main.h"
#include "tools/settings.h"
#include "train/command.h"
#include "train/status.h"
#include "train/trainer.h"

namespace {

using namespace tt;

double weight_of(const std::string& text) {
  double weight = 0;
  if (const std::string problem = number(weight, 0.001, 1000).read(text); !problem.empty())
    throw UsageError("--mix: a weight " + problem);
  return weight;
}

// "[FROM TO] SOURCE [TARGET]"
CorpusPart part_of(const Words& words) {
  CorpusPart part;
  const bool named = words.size() > 2;
  if (named) part.languages = {words[0], words[1]};
  const std::span files = std::span(words).subspan(named ? 2 : 0);
  part.source = files[0];
  if (files.size() > 1) part.target = files[1];
  return part;
}

// Gives the corpora of a run the files of links that are given, and the others none; without any,
// those of a run that goes on keep their own.
void set_links(std::vector<CorpusPart>& parts, const Words& links) {
  if (links.empty()) return;
  if (links.size() > parts.size())
    throw UsageError("--guided-alignment: " + std::to_string(links.size()) + " files for " +
                     std::to_string(parts.size()) +
                     " corpora; give one for each --train, and one for each --mix");
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].links = i < links.size() ? links[i] : "";
}

struct Flags {
  Settings settings;
  TrainingInputs inputs;
  std::vector<Words> train, dev;
  Words subwords;
  std::vector<Words> mixed;
  Words links;
  std::string status;
  bool print = false;
  std::string resume;
};

void check(const Flags& flags) {
  if (flags.subwords.empty() && flags.inputs.from == "-" && !flags.print)
    throw UsageError(
        "--from - would be read twice, for its subword model as well; name its file, or give "
        "--subword");
  if (flags.settings.file != "-") return;
  Words read{flags.settings.file, flags.inputs.from};
  for (const Words* files : {&flags.subwords, &flags.links})
    read.insert(read.end(), files->begin(), files->end());
  for (const auto* parts : {&flags.train, &flags.dev, &flags.mixed})
    for (const Words& words : *parts) read.insert(read.end(), words.begin(), words.end());
  check_stdin_once(read);
}

int run(Flags& flags) {
  auto& [settings, inputs, train_files, dev_files, subwords, mixed, links, status, print_config,
         resume] = flags;
  check(flags);
  if (!status.empty()) return print(printable(status_line(status)) + "\n"), kDone;
  settings.from = inputs.from;
  if (!train_files.empty()) inputs.train.clear();
  for (const Words& words : train_files) inputs.train.push_back(part_of(words));
  for (Words words : mixed) {
    const double weight = weight_of(words.back());
    words.pop_back();
    inputs.train.push_back(part_of(words));
    inputs.train.back().weight = weight;
  }
  for (const Words& words : dev_files) inputs.dev.push_back(part_of(words));
  if (subwords.empty()) subwords.push_back(inputs.from);
  inputs.source_subword = subwords.front();
  inputs.target_subword = subwords.back();
  if (!resume.empty()) {
    settings.before = complete_from_run(inputs, resume);
    if (settings.given("tokens")) inputs.memory.reset();
  }
  set_links(inputs.train, links);
  const DeviceChoice usual;
  if (inputs.device.name.empty()) inputs.device.name = usual.name;
  if (inputs.device.precision.empty()) inputs.device.precision = usual.precision;
  inputs.device.precision = precision_of(inputs.device);
  if (print_config) return print(to_json(settings.config(), true)), kDone;
  if (!settings.file.empty()) check_not_read(inputs.log, {{settings.file}});
  TrainingEnd end;
  on_all_ranks([&](const Ranks& ranks) {
    end = train(flags.settings.config(), flags.inputs, *open_backend(flags.inputs.device, ranks),
                ranks);
    return end.signal;
  });
  if (end.signal) {
    say("stopped by a signal; repeat the command to resume");
    std::signal(end.signal, SIG_DFL);
    std::raise(end.signal);
  }
  return end.degraded ? kDegraded : kDone;
}

std::vector<Option> data_options(Flags& flags) {
  TrainingInputs& inputs = flags.inputs;
  return {
      {"--train", files(flags.train, 1, 4).as("[FROM TO] SOURCE [TARGET]"),
       "parallel text: two files, or one of lines source TAB target; -: stdin; may be given again, "
       "for models of many languages with those of each",
       required_unless("--print-config", "--status", "--resume")},
      {"--dev", files(flags.dev, 1, 4).as("[FROM TO] SOURCE [TARGET]"),
       "parallel text for validation; may be given again", kBrief},
      {"--subword", file(flags.subwords).words(1, 2), "subword model: one joint, or one per side",
       required_unless("--print-config", "--status", "--resume", "--from")},
      {"--mix", files(flags.mixed, 2, 5).as("[FROM TO] SOURCE [TARGET] WEIGHT"),
       "one more corpus, whose pairs come WEIGHT times in an epoch; may be given again"},
      {"--language-temperature", number(inputs.language_temperature, 1, 1000).initially("1"),
       "mix languages by their numbers of pairs to the power of 1 over this"},
      {"--guided-alignment", file(flags.links).as("LINKS"),
       "links of the words of each pair, as 0-0 1-2, see tt-alignment(7), to which a head of the "
       "decoder learns to attend; given again, those of each --train, then of each --mix, in turn"},
      {"--store", file(inputs.store), "keep the encoded corpus in a file, and not in memory"},
      {"--from", file(inputs.from).as("MODEL"),
       "begin with the parameters, the kind and the subword models of a trained model", kBrief},
      {"--freeze", list(inputs.freeze, {"encoder", "decoder", "embeddings"}, true),
       "parameters that stay fixed: a list of encoder, decoder, embeddings, names of tensors"},
  };
}

std::vector<Option> run_options(Flags& flags) {
  TrainingInputs& inputs = flags.inputs;
  return {
      {"-o,--output", folder(inputs.folder),
       "the folder of the run: checkpoints, and the state for resuming",
       required_unless("--print-config", "--status", "--resume")},
      {"--resume", folder(flags.resume),
       "continue the run of a folder with its own command, but for the options given here",
       excludes("--output", "--preset", "--from") + kBrief},
      {"--unchanged", toggle(inputs.unchanged),
       "refuse to go on with a run that was begun with other settings"},
      {"--log", file(inputs.log), "append a JSON line for every report", kBrief},
      {"--preset", choice(flags.settings.preset, preset_names()), "settings to start from", kBrief},
      {"--config", file(flags.settings.file),
       "a JSON file of settings, which override the preset's"},
      {"--print-config", toggle(flags.print), "print the settings as JSON and exit"},
      {"--status", folder(flags.status),
       "print in one line how the run of a folder stands, and exit", kBrief},
      {"--show", number(inputs.show, 0, 1000000).initially("0"),
       "print so many sentences of --dev with their translations at each validation"},
      {"--trace", number(inputs.trace, 1, 1e15).as("UPDATE").initially("none"),
       "follow one update: a sentence of it, a gradient, and the step of one weight, for tt-trace"},
      {"--profile", toggle(inputs.profile), "say at the end where the time went"},
      threads_option(inputs.threads),
      memory_option(inputs.memory),
  };
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags;
  Command program{
      .name = "tt-train",
      .summary = "Trains a model on parallel text; repeating the command resumes training.",
      .groups = {{"Data", data_options(flags)}, {"Run", run_options(flags)}},
      .work = [&] { return run(flags); },
      .example = "tt-train --train train.de train.en --dev dev.de dev.en --subword pieces -o run"};
  for (Option& option : device_options(flags.inputs.device))
    program.groups.back().options.push_back(std::move(option));
  flags.inputs.device = {"", ""};  // nothing is given yet
  for (Group& group : setting_groups(flags.settings)) program.groups.push_back(std::move(group));
  return run_tool(argc, argv, std::move(program));
}
