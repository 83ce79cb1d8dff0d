#include "train/command.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "train/run.h"

namespace tt {

using nlohmann::json;

std::string write_command(const TrainingInputs& in, const Config& config) {
  std::error_code code;
  json command{{"in", std::filesystem::current_path(code).string()},
               {"dev", {in.dev_source, in.dev_target}},
               {"subword", {in.source_subword, in.target_subword}},
               {"store", in.store},
               {"from", in.from},
               {"freeze", in.freeze},
               {"log", in.log},
               {"memory", in.memory},
               {"show", in.show},
               {"device", {in.device.name, in.device.precision}},
               {"config", to_json(config)}};
  for (const CorpusPart& part : in.train)
    command["train"].push_back({part.source, part.target, part.weight});
  return command.dump(-1, ' ', false, json::error_handler_t::replace);
}

Config take_up(TrainingInputs& given, const std::string& folder) {
  Config config;
  try {
    const json command = json::parse(stored_command(folder));
    std::error_code code;
    const std::string here = std::filesystem::current_path(code).string(), there = command.at("in");
    const auto path = [&](const json& name) {
      const std::string text = name;
      return text.empty() || text == "-" || text[0] == '/' || here == there ? text
                                                                            : there + "/" + text;
    };
    // Options are taken together: a corpus, a pair of files.
    if (given.train.empty())
      for (const json& part : command.at("train"))
        given.train.push_back({path(part.at(0)), path(part.at(1)), part.at(2)});
    const auto pair = [&](std::string& source, std::string& target, const char* key) {
      if (source.empty())
        source = path(command.at(key).at(0)), target = path(command.at(key).at(1));
    };
    pair(given.dev_source, given.dev_target, "dev");
    pair(given.source_subword, given.target_subword, "subword");
    if (given.store.empty()) given.store = path(command.at("store"));
    if (given.from.empty()) given.from = path(command.at("from"));
    if (given.log.empty()) given.log = path(command.at("log"));
    if (given.freeze.empty()) given.freeze = command.at("freeze");
    if (given.device.name.empty()) given.device.name = command.at("device").at(0);
    if (given.device.precision.empty()) given.device.precision = command.at("device").at(1);
    if (given.memory == 0) given.memory = command.at("memory");
    if (given.show == 0) given.show = command.at("show");
    given.folder = folder;
    read_json(config, std::string(command.at("config")), folder, {});
  } catch (const json::exception& error) {
    throw Error(folder, ": the command in its state cannot be read (", error.what(),
                "); repeat the command");
  }
  return config;
}

}  // namespace tt
