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
               {"subword", {in.source_subword, in.target_subword}},
               {"store", in.store},
               {"language_temperature", in.language_temperature.value_or(1)},
               {"from", in.from},
               {"freeze", in.freeze},
               {"log", in.log},
               {"memory", in.memory.value_or(0)},
               {"show", in.show.value_or(0)},
               {"device", {in.device.name, in.device.precision, summation_of(in.device)}},
               {"config", to_json(config)}};
  for (const auto& [key, parts] : {std::pair("train", &in.train), {"dev", &in.dev}})
    for (const CorpusPart& part : *parts)
      command[key].push_back({part.source, part.target, part.weight, part.languages.from,
                              part.languages.to, part.links});
  return command.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string summation_before(const std::string& folder) {
  const json command = json::parse(stored_command(folder), nullptr, false);
  const json device = command.is_object() ? command.value("device", json()) : json();
  return device.size() > 2 && device[2].is_string() ? device[2].get<std::string>() : "";
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
    const auto part_of = [&](const json& part) {
      CorpusPart read{path(part.at(0)), path(part.at(1)), part.at(2)};
      if (part.size() > 3) read.languages = {part.at(3), part.at(4)};
      if (part.size() > 5) read.links = path(part.at(5));
      return read;
    };
    if (given.train.empty())
      for (const json& part : command.at("train")) given.train.push_back(part_of(part));
    const json dev = command.value("dev", json::array());
    if (given.dev.empty() && !dev.empty() && dev[0].is_string()) {  // of an earlier version
      if (dev[0] != "") given.dev.push_back({path(dev[0]), path(dev.at(1))});
    } else if (given.dev.empty()) {
      for (const json& part : dev) given.dev.push_back(part_of(part));
    }
    const auto pair = [&](std::string& source, std::string& target, const char* key) {
      if (source.empty())
        source = path(command.at(key).at(0)), target = path(command.at(key).at(1));
    };
    pair(given.source_subword, given.target_subword, "subword");
    if (given.store.empty()) given.store = path(command.at("store"));
    if (given.from.empty()) given.from = path(command.at("from"));
    if (given.log.empty()) given.log = path(command.at("log"));
    if (given.freeze.empty()) given.freeze = command.at("freeze");
    if (given.device.name.empty()) given.device.name = command.at("device").at(0);
    if (given.device.precision.empty()) given.device.precision = command.at("device").at(1);
    if (const std::size_t memory = command.at("memory"); memory > 0 && !given.memory)
      given.memory = memory;
    if (!given.show) given.show = command.at("show");
    if (!given.language_temperature)
      given.language_temperature = command.value("language_temperature", 1.0);
    given.folder = folder;
    read_json(config, std::string(command.at("config")), folder, {});
  } catch (const json::exception& error) {
    throw Error(folder, ": the command in its state cannot be read (", error.what(),
                "); repeat the command");
  }
  return config;
}

}  // namespace tt
