#include "train/status.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "base/report.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kStatus = "/status";
constexpr const char* kLocks = "/proc/locks";
constexpr double kLate = 60;  // seconds after which a report is old news

std::string format(const char* pattern, auto... values) {
  char text[128];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

// Whether a process of this machine holds the lock of a folder (train/run.h). The kernel's list is read: to try the lock would be
// to take it for a moment, in which a run that begins would be refused.
bool locked(const std::string& folder) {
  struct stat info;
  if (::stat(folder.c_str(), &info) != 0) return false;
  const std::string inode =
      format(":%llu ", static_cast<unsigned long long>(info.st_ino));  // the device before it may have two names
  std::istringstream locks(file_exists(kLocks) ? read_file(kLocks) : "");
  for (std::string line; std::getline(locks, line);)
    if (line.find("FLOCK") != std::string::npos && line.find(inode) != std::string::npos) return true;
  return false;
}

// Seconds until the limit that comes first, if there is one.
std::optional<double> time_left(const Config& config, const RunState& state, const Standing& standing) {
  const double epoch = standing.epoch, seconds = standing.seconds;
  std::optional<double> left;
  if (config.max_updates > 0) left = seconds * static_cast<double>(config.max_updates - state.update);
  if (config.max_epochs > 0 && epoch > 0) {
    const double by_epochs = seconds * static_cast<double>(state.update) * (static_cast<double>(config.max_epochs) / epoch - 1);
    left = left ? std::min(*left, by_epochs) : by_epochs;
  }
  return left;
}

}  // namespace

void write_status(const Run& run, const Config& config, const RunState& state, const Standing& standing) {
  json status{{"time", std::time(nullptr)},        {"update", state.update},          {"max_updates", config.max_updates},
              {"epoch", standing.epoch},           {"max_epochs", config.max_epochs}, {"loss", standing.loss},
              {"tokens_per_second", standing.rate}};
  if (state.last_bleu) status["bleu"] = *state.last_bleu;
  if (const auto left = time_left(config, state, standing)) status["left"] = std::max(0.0, *left);
  try {
    run.require_folder();
    if (file_exists(run.folder() + kStatus) && !regular_file(run.folder() + kStatus)) return;  // a pipe would be waited for
    write_file(run.folder() + kStatus, status.dump() + "\n");
  } catch (const Error&) {  // not being able to report on training is no reason to end it
  }
}

void update_status(const std::string& folder, const Config& config) {
  try {
    if (!regular_file(folder + kStatus)) return;
    json status = json::parse(read_file(folder + kStatus));
    if (status.at("max_updates") == config.max_updates && status.at("max_epochs") == config.max_epochs) return;
    status["max_updates"] = config.max_updates;
    status["max_epochs"] = config.max_epochs;
    status.erase("left");
    write_file(folder + kStatus, status.dump() + "\n");
  } catch (const std::exception&) {  // as above
  }
}

std::string status_line(const std::string& folder) {
  if (!file_exists(folder + "/state.tt") && !file_exists(folder + "/previous.tt"))
    throw Error(folder, ": is not the folder of a run: it has no state.tt");
  const bool done = regular_file(folder + "/done").has_value(), running = !done && locked(folder);
  std::string line = folder + ": ";
  if (!regular_file(folder + kStatus)) {
    line += "no report yet";
  } else {
    try {
      const json status = json::parse(read_file(folder + kStatus));
      const auto number = [&](const char* key) { return status.at(key).get<double>(); };
      const auto count = [&](const char* key) { return with_commas(static_cast<std::uint64_t>(std::max(0.0, number(key)))); };
      std::string report = "update " + count("update");
      if (number("max_updates") > 0) report += " of " + count("max_updates");
      else if (number("max_epochs") > 0) report += format("  epoch %.2f of %.0f", number("epoch"), number("max_epochs"));
      report += format("  loss %.3f", number("loss"));
      if (status.contains("bleu")) report += format("  dev BLEU %.2f", number("bleu"));
      report += "  " + count("tokens_per_second") + " tokens/s";
      if (!done && status.contains("left")) report += "  " + human_time(number("left")) + " left";
      const double age = static_cast<double>(std::time(nullptr)) - number("time");
      if (running && age > kLate) report += "  (" + human_time(age) + " ago)";
      line += report;
    } catch (const json::exception&) {
      line += "a report that cannot be read";
    }
  }
  if (!done) return line + (running ? "  running" : "  stopped");
  std::string reason = read_file(folder + "/done");
  if (!reason.empty() && reason.back() == '\n') reason.pop_back();
  return line + "  ended (" + reason + ")";
}

}  // namespace tt
