#include "train/command.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "train/run.h"

namespace tt {
namespace {

using nlohmann::json;
using Key = json::json_pointer;

const Key kSummation("/device/2");

// The list of what states note of a run's inputs: where, the member, what it is where nobody gave
// it, and, of text, whether it is a path.
template <class Inputs, class Visit>
void each_noted(Inputs& in, const Visit& visit) {
  visit(Key("/train"), in.train), visit(Key("/dev"), in.dev);
  visit(Key("/language_temperature"), in.language_temperature, 1.0);
  visit(Key("/memory"), in.memory, std::size_t{0});
  visit(Key("/show"), in.show, 0);
  visit(Key("/subword/0"), in.source_subword, true);
  visit(Key("/subword/1"), in.target_subword, true);
  visit(Key("/store"), in.store, true);
  visit(Key("/from"), in.from, true);
  visit(Key("/log"), in.log, true);
  visit(Key("/freeze"), in.freeze, false);
  visit(Key("/device/0"), in.device.name, false);
  visit(Key("/device/1"), in.device.precision, false);
}

std::string here() {
  std::error_code code;
  return std::filesystem::current_path(code).string();
}

struct Writer {
  void operator()(const Key& key, const std::vector<CorpusPart>& parts) const {
    if (!parts.empty()) command[key] = parts;
  }
  void operator()(const Key& key, const std::string& text, bool) const { command[key] = text; }
  template <class T>
  void operator()(const Key& key, const std::optional<T>& value, T otherwise) const {
    command[key] = value.value_or(otherwise);
  }
  json& command;
};

// Reads what was not given. Options are taken together: a corpus, a pair of files.
struct Reader {
  void operator()(const Key& key, std::vector<CorpusPart>& parts) const {
    if (!parts.empty() || !command.contains(key)) return;
    const json& noted = command.at(key);
    if (!noted[0].is_string()) noted.get_to(parts);
    else if (noted[0] != "") parts.push_back(noted.get<CorpusPart>());  // of an earlier version
    for (CorpusPart& part : parts)
      for (std::string* path : part.paths()) *path = from_here(*path);
  }
  void operator()(const Key& key, std::string& text, bool is_path) const {
    if (!text.empty()) return;
    command.at(key).get_to(text);
    if (is_path) text = from_here(text);
  }
  template <class T>
  void operator()(const Key& key, std::optional<T>& value, T otherwise) const {
    if (!value && command.value(key, otherwise) != otherwise) value = command.at(key).get<T>();
  }
  std::string from_here(const std::string& path) const {
    return path.empty() || path == "-" || path[0] == '/' || here() == there ? path
                                                                            : there + "/" + path;
  }
  const json& command;
  const std::string there = command.at("in");
};

}  // namespace

std::string write_command(const TrainingInputs& in, const Config& config) {
  json command{{"in", here()}, {"config", to_json(config)}};
  each_noted(in, Writer{command});
  command[kSummation] = summation_of(in.device);
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
    each_noted(given, Reader{command});
    given.folder = folder;
    read_json(config, std::string(command.at("config")), folder, {});
  } catch (const json::exception& error) {
    throw Error(folder, ": the command in its state cannot be read (", error.what(),
                "); repeat the command");
  }
  return config;
}

}  // namespace tt
