// tt-train: trains a translation model on parallel text.
#include <charconv>
#include <csignal>
#include <iostream>

#include "base/error.h"
#include "base/file.h"
#include "base/ranks.h"
#include "base/report.h"
#include "nn/device.h"
#include "tools/main.h"
#include "tools/settings.h"
#include "tools/values.h"
#include "train/status.h"
#include "train/trainer.h"

namespace {

using namespace tt;

double weight_of(const std::string& text) {
  double weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc() || end != text.data() + text.size() || !(weight >= 0.001 && weight <= 1000))
    throw CLI::ValidationError("--mix: a weight must be a number from 0.001 to 1000, not " + in_quotes(text));
  return weight;
}

int print_text(const std::string& text) {
  Output out("-");
  out.write(text);
  out.close();
  return kDone;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(
      argc, argv, "tt-train", "Trains a model on parallel text; repeating the command resumes training.", [](CLI::App& app) {
        auto settings = std::make_shared<Settings>();
        auto inputs = std::make_shared<TrainingInputs>();
        auto train_files = std::make_shared<std::vector<std::string>>(), dev_files = std::make_shared<std::vector<std::string>>(),
             subwords = std::make_shared<std::vector<std::string>>(), mixed = std::make_shared<std::vector<std::string>>();
        auto print = std::make_shared<bool>(false);
        auto status = std::make_shared<std::string>();
        auto device = std::make_shared<DeviceChoice>();
        app.add_option("--train", *train_files, "parallel text: two files, or one of lines source TAB target; -: stdin")
            ->expected(1, 2)
            ->type_name("SOURCE TARGET");
        app.add_option("--dev", *dev_files, "parallel text for validation")->expected(2)->type_name("SOURCE TARGET");
        app.add_option("--subword", *subwords, "subword model: one joint, or one per side")->expected(1, 2)->type_name("FILE");
        app.add_option("--mix", *mixed, "one more corpus, whose pairs come WEIGHT times in an epoch; may be given again")
            ->type_size(3)
            ->expected(1, 1000)
            ->type_name("SOURCE TARGET WEIGHT");
        app.add_option("--store", inputs->store, "keep the encoded corpus in a file, and not in memory")->type_name("FILE");
        app.add_option("--from", inputs->from, "begin with the parameters, the kind and the subword models of a trained model")
            ->type_name("MODEL");
        app.add_option("--freeze", inputs->freeze,
                       "parameters that stay fixed: a list of encoder, decoder, embeddings, names of tensors")
            ->type_name("LIST");
        app.add_option("-o,--output", inputs->folder, "the folder of the run: checkpoints, and the state for resuming")
            ->type_name("FOLDER");
        app.add_option("--log", inputs->log, "append a JSON line for every report")->type_name("FILE");
        app.add_option("--preset", settings->preset, "settings to start from")->check(one_of(preset_names()))->type_name("NAME");
        app.add_option("--config", settings->file, "a JSON file of settings, which override the preset's")->type_name("FILE");
        app.add_flag("--print-config", *print, "print the settings as JSON and exit");
        app.add_option("--status", *status, "print in one line how the run of a folder stands, and exit")->type_name("FOLDER");
        app.add_flag("--profile", inputs->profile, "say at the end where the time went");
        add_threads(app, inputs->threads);
        add_memory(app, inputs->memory);
        add_device(app, *device);
        add_settings(app, *settings);
        app.parse_complete_callback([=] {
          for (std::size_t i = 0; i + 2 < mixed->size(); i += 3)
            inputs->train.push_back({(*mixed)[i], (*mixed)[i + 1], weight_of((*mixed)[i + 2])});
          if (subwords->empty() && inputs->from == "-" && !*print)
            throw CLI::ValidationError(
                "--from - would be read twice, for its subword model as well; name its file, or give --subword");
          std::vector<std::string> read{settings->file, inputs->from};
          for (const auto& files : {train_files, dev_files, subwords, mixed})
            read.insert(read.end(), files->begin(), files->end());
          if (settings->file == "-") check_stdin_once(read);
        });
        return [=] {
          if (!status->empty()) return print_text(printable(status_line(*status)) + "\n");
          settings->from = inputs->from;
          if (subwords->empty() && !inputs->from.empty()) subwords->push_back(inputs->from);
          if (*print) return print_text(to_json(settings->config(), true));
          for (const auto& [given, flag] : {std::pair(!train_files->empty(), "--train"),
                                            {!subwords->empty(), "--subword"},
                                            {!inputs->folder.empty(), "--output"}})
            if (!given) {
              std::cerr << "tt-train: " << flag << " is required\nTry 'tt-train --help'.\n";
              return kUsage;
            }
          inputs->train.insert(inputs->train.begin(),
                               {train_files->front(), train_files->size() > 1 ? train_files->back() : "", 1});
          if (!dev_files->empty()) inputs->dev_source = dev_files->front(), inputs->dev_target = dev_files->back();
          if (!settings->file.empty()) check_not_read(inputs->log, {{settings->file}});
          inputs->source_subword = subwords->front();
          inputs->target_subword = subwords->back();
          const int signal = on_all_ranks([&](const Ranks& ranks) {
            if (inputs->memory > 0) settings->refuse("tokens", "--memory chooses it");
            return train(settings->config(), *inputs, *open_backend(*device, ranks), ranks);
          });
          if (signal) {
            say("stopped by a signal; repeat the command to resume");
            std::signal(signal, SIG_DFL);
            std::raise(signal);
          }
          return kDone;
        };
      });
}
