#include "train/command.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/split.h"

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

// summation_of() the device that the run in a folder computed on; empty if its state does not say.
std::string summation_before(const std::string& folder) {
  const json command = json::parse(stored_command(folder), nullptr, false);
  const json device = command.is_object() ? command.value("device", json()) : json();
  return device.size() > 2 && device[2].is_string() ? device[2].get<std::string>() : "";
}

std::string or_nothing(const std::string& text) { return text.empty() ? "nothing" : text; }

std::string as_text(const std::vector<CorpusPart>& parts) {
  return or_nothing(join(parts, ", ", [](const CorpusPart& part) { return as_text(part); }));
}

// Adds a change of text, if there is one: of files, which may have moved together with the run, or
// of what is said of them.
void add_change(std::vector<Change>& changes, const char* name, const std::vector<CorpusPart>& now,
                std::vector<CorpusPart> was) {
  const std::string before = as_text(was);
  bool same = true;
  for (std::size_t i = 0; i < std::min(now.size(), was.size()); ++i)
    for (std::size_t k = 0; k < now[i].paths().size(); ++k) {
      const std::string& mine = *now[i].paths()[k];
      std::string& theirs = *was[i].paths()[k];
      same = same && (mine == theirs || theirs.ends_with("/" + mine) || same_path(mine, theirs));
      if (&theirs != &was[i].links || mine.empty() == theirs.empty()) theirs = mine;
    }
  const bool moved = json(now) == json(was);  // told apart by the names of their files alone
  if (!same || !moved) changes.push_back({name, as_text(now), before, moved});
}

// Whether a limit of updates, epochs or validations lets a run go on for longer; 0: there is none.
bool is_raised(const Change& limit) {
  const std::int64_t now = std::stoll(limit.now), was = std::stoll(limit.was);
  return was != 0 && (now == 0 || now > was);
}

bool is_limit(const Change& c) {
  return c.name == "max_updates" || c.name == "max_epochs" || c.name == "patience";
}

// A value, with what 0 means where the setting's help says so: "the paper's (0)".
std::string described(const Change& c, const std::string& value) {
  const Field* const field = find_field(c.name);
  if (!field || value != "0") return value;
  constexpr std::string_view kZero = "; 0: ";
  const std::string_view help = field->help;
  const std::size_t at = help.find(kZero);
  if (at == help.npos) return value;
  const std::string_view meaning = help.substr(at + kZero.size());
  return std::string(meaning.substr(0, meaning.find(','))) + " (0)";
}

std::string list_of(const Change& c) {
  return ", " + c.name + " (now " + described(c, c.now) + ", was " + described(c, c.was) + ")";
}

}  // namespace

std::string write_command(const TrainingInputs& in, const Config& config) {
  json command{{"in", here()}, {"config", to_json(config)}};
  each_noted(in, Writer{command});
  command[kSummation] = summation_of(in.device);
  return command.dump(-1, ' ', false, json::error_handler_t::replace);
}

Config complete_from_run(TrainingInputs& given, const std::string& folder) {
  Config config;
  try {
    const json command = json::parse(stored_command(folder));
    each_noted(given, Reader{command});
    given.folder = folder;
    const std::set<std::string> decisive;
    read_json(config, std::string(command.at("config")), folder, &decisive);
  } catch (const json::exception& error) {
    throw Error(folder, ": the command in its state cannot be read (", error.what(),
                "); repeat the command");
  }
  return config;
}

std::string message_of(const Change& c) {
  return c.name + " is now " + described(c, c.now) + ", was " + described(c, c.was);
}

std::vector<Change> changes_since(const SavedRun& saved, const TrainingInputs& now) {
  std::vector<Change> changes = saved.changes;
  if (const std::string& was = saved.state.freeze; now.freeze != was)
    changes.push_back({"freeze", or_nothing(now.freeze), or_nothing(was)});
  TrainingInputs was;
  was.device = {"", ""};
  try {
    complete_from_run(was, now.folder);
  } catch (const Error&) {
    return changes;
  }
  add_change(changes, "train", now.train, was.train);
  add_change(changes, "dev", now.dev, was.dev);
  const auto temperature = [](const TrainingInputs& in) {
    return in.language_temperature.value_or(1);
  };
  if (temperature(now) != temperature(was))
    changes.push_back(
        {"language_temperature", json(temperature(now)).dump(), json(temperature(was)).dump()});
  if (now.device.precision != was.device.precision)
    changes.push_back({"precision", now.device.precision, was.device.precision});
  else if (const std::string sums = summation_of(now.device), before = summation_before(now.folder);
           !sums.empty() && !before.empty() && sums != before)
    changes.push_back({"instructions", sums, before});
  return changes;
}

void require_unchanged(const std::vector<Change>& changes, const RunState& state,
                       const TrainingInputs& in, Schedule schedule) {
  const bool endless = schedule == Schedule::paper || schedule == Schedule::constant;
  std::string other;
  for (const Change& c : changes) {
    const bool harmless = c.moved || c.name == "report_every" || c.name == "translate_tokens" ||
                          (is_limit(c) && is_raised(c) && (endless || c.name == "patience"));
    if (!harmless) other += list_of(c);
  }
  if (begins_elsewhere(state, in))
    other += list_of({"from", in.from, state.from.empty() ? "nothing" : state.from});
  if (!other.empty())
    throw Error(in.folder, ": holds a run that was begun with other settings: ", other.substr(2),
                "; remove it to begin anew, or give another folder");
}

bool begins_elsewhere(const RunState& state, const TrainingInputs& in) {
  return !in.from.empty() && state.from != in.from && !in.from.ends_with("/" + state.from);
}

std::string late_changes(const std::vector<Change>& changes, const RunState& state,
                         const TrainingInputs& in, std::string limit) {
  if (limit.empty()) return "";
  const bool ended = state.ended == limit;
  std::ranges::replace(limit, '-', '_');
  std::string late;
  for (const Change& c : changes) {
    const Field* field = find_field(c.name);
    const bool at_end = field ? field->group == FieldGroup::search : c.name == "dev";
    if (ended || !(at_end || is_limit(c))) late += list_of(c);
  }
  if (ended && begins_elsewhere(state, in)) late += ", from " + in.from;
  return late.empty()
             ? ""
             : "has no update left to do, so that these have no effect: " + late.substr(2) +
                   "; raise " + limit + ", or give another folder";
}

}  // namespace tt
