#include "train/changes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "train/command.h"

namespace tt {
namespace {

using nlohmann::json;

std::string as_text(const std::vector<CorpusPart>& parts) {
  std::string all;
  for (const CorpusPart& part : parts) {
    if (!all.empty()) all += ",";
    for (const std::string& word :
         {part.languages.from, part.languages.to, part.source, part.target,
          part.weight == 1 ? "" : json(part.weight).dump(), part.links})
      if (!word.empty()) all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

// Whether two corpora have the same files, which may have moved together with the run.
bool same_files(const std::vector<CorpusPart>& now, const std::vector<CorpusPart>& was) {
  const auto same = [](const std::string& a, const std::string& b) {
    return a == b || b.ends_with("/" + a) || same_path(a, b);
  };
  return std::ranges::equal(now, was, [&](const CorpusPart& a, const CorpusPart& b) {
    return same(a.source, b.source) && same(a.target, b.target) && same(a.links, b.links) &&
           a.weight == b.weight && a.languages.from == b.languages.from &&
           a.languages.to == b.languages.to;
  });
}

// Whether two corpora are told apart by the names of their files alone.
bool same_parts(const std::vector<CorpusPart>& now, const std::vector<CorpusPart>& was) {
  return std::ranges::equal(now, was, [](const CorpusPart& a, const CorpusPart& b) {
    return a.weight == b.weight && a.languages.from == b.languages.from &&
           a.languages.to == b.languages.to && a.links.empty() == b.links.empty();
  });
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

std::string message_of(const Change& c) {
  return c.name + " is now " + described(c, c.now) + ", was " + described(c, c.was);
}

std::vector<Change> changes_since(const SavedRun& saved, const TrainingInputs& now) {
  std::vector<Change> changes = saved.changes;
  const auto text = [](const std::string& x) { return x.empty() ? "nothing" : x; };
  if (const std::string& was = saved.state.freeze; now.freeze != was)
    changes.push_back({"freeze", text(now.freeze), text(was)});
  TrainingInputs was;
  was.device = {"", ""};
  try {
    take_up(was, now.folder);
  } catch (const Error&) {
    return changes;
  }
  if (!same_files(now.train, was.train))
    changes.push_back(
        {"train", as_text(now.train), as_text(was.train), same_parts(now.train, was.train)});
  if (!same_files(now.dev, was.dev))
    changes.push_back(
        {"dev", text(as_text(now.dev)), text(as_text(was.dev)), same_parts(now.dev, was.dev)});
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
