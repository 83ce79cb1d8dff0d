#include "train/status.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "base/file.h"
#include "base/formatted.h"
#include "base/report.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kStatus = "/status";
constexpr const char* kLocks = "/proc/locks";
constexpr double kLate = 60;  // seconds after which a report is old news

// Whether a process has a file open. Other files have its number on other file systems, whose
// numbers the list of locks may have in another way than stat(). Of somebody else's process this
// cannot be seen; then it may.
bool may_hold(const std::string& process, const struct stat& file) {
  std::error_code code;
  const std::string descriptors = "/proc/" + process + "/fd";
  for (std::filesystem::directory_iterator at(descriptors, code), end; !code && at != end;
       at.increment(code)) {
    struct stat open;
    if (::stat(at->path().c_str(), &open) == 0 && open.st_dev == file.st_dev &&
        open.st_ino == file.st_ino)
      return true;
  }
  return code == std::errc::permission_denied;
}

// Whether a process of this machine holds the lock of a folder (train/run.h). The kernel's list is
// read: to try the lock would be to take it for a moment, in which a run that begins would be
// refused.
bool locked(const std::string& folder) {
  struct stat info;
  if (::stat(folder.c_str(), &info) != 0) return false;
  const std::string inode = std::to_string(info.st_ino);
  std::istringstream locks(file_exists(kLocks) ? read_file(kLocks) : "");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);  // "1: FLOCK  ADVISORY  WRITE 3456 08:02:77 0 EOF"
    std::string number, kind, advisory, access, process, file;
    words >> number >> kind >> advisory >> access >> process >> file;
    if (kind == "FLOCK" && file.substr(file.rfind(':') + 1) == inode && may_hold(process, info))
      return true;
  }
  return false;
}

// "3.1 s", "12 minutes", "5.0 hours", "55 days"
std::string about(double seconds) {
  const double minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  const bool small = seconds < 90, medium = minutes < 90, large = hours < 48;
  const double number = small ? seconds : medium ? minutes : large ? hours : days;
  const char* const unit = small ? "seconds" : medium ? "minutes" : large ? "hours" : "days";
  return formatted("%.*f %s", number < 9.95 ? 1 : 0, number, unit);
}

}  // namespace

std::optional<double> time_left(const TrainingSettings& settings, const RunState& state,
                                const Standing& standing) {
  const double epoch = standing.epoch, seconds = standing.seconds;
  if (standing.seconds <= 0) return std::nullopt;
  std::optional<double> left;
  if (settings.max_updates > 0)
    left = seconds * static_cast<double>(settings.max_updates - state.update);
  if (settings.max_epochs > 0 && epoch > 0) {
    const double by_epochs = seconds * static_cast<double>(state.update) *
                             (static_cast<double>(settings.max_epochs) / epoch - 1);
    left = left ? std::min(*left, by_epochs) : by_epochs;
  }
  return left;
}

void write_status(const Run& run, const TrainingSettings& settings, const RunState& state,
                  const Standing& standing) {
  json status{{"time", std::time(nullptr)},
              {"update", state.update},
              {"max_updates", settings.max_updates},
              {"epoch", standing.epoch},
              {"max_epochs", settings.max_epochs}};
  if (standing.seconds > 0)
    status["loss"] = standing.loss, status["tokens_per_second"] = standing.rate;
  if (state.last_bleu) status["bleu"] = *state.last_bleu;
  if (const auto left = time_left(settings, state, standing)) status["left"] = std::max(0.0, *left);
  try {
    run.require_folder();
    if (file_exists(run.folder() + kStatus) && !regular_file(run.folder() + kStatus))
      return;  // a pipe would be waited for
    write_file(run.folder() + kStatus, status.dump() + "\n");
  } catch (const Error&) {  // not being able to report on training is no reason to end it
  }
}

void update_status(const std::string& folder, const TrainingSettings& settings) {
  try {
    if (!regular_file(folder + kStatus)) return;
    json status = json::parse(read_file(folder + kStatus));
    if (status.at("max_updates") == settings.max_updates &&
        status.at("max_epochs") == settings.max_epochs)
      return;
    status["max_updates"] = settings.max_updates;
    status["max_epochs"] = settings.max_epochs;
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
      const auto count = [&](const char* key) {
        return with_commas(static_cast<std::int64_t>(std::max(0.0, number(key))));
      };
      std::string report = "update " + count("update");
      if (number("max_updates") > 0) report += " of " + count("max_updates");
      else if (number("max_epochs") > 0)
        report += formatted("  epoch %.2f of %.0f", number("epoch"), number("max_epochs"));
      if (status.contains("loss")) report += formatted("  loss %.3f", number("loss"));
      if (status.contains("bleu")) report += formatted("  dev BLEU %.2f", number("bleu"));
      if (status.contains("loss")) report += "  " + count("tokens_per_second") + " tokens/s";
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

Outlook::Outlook(const TrainingSettings& settings, std::int64_t parts, int at_once, double updates,
                 double late)
    : settings_(settings), began_(wall_seconds()), updates_(updates), late_(late), parts_(parts),
      at_once_(at_once) {}

std::string Outlook::part() {
  const std::lock_guard lock(mutex_);
  const auto rounds = [this](std::int64_t parts) {
    return static_cast<double>((parts + at_once_ - 1) / at_once_);
  };
  ++done_;
  return updates_done_ == 0 ? message(rounds(done_) / rounds(parts_)) : "";
}

std::string Outlook::update(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  if (number % settings_.report_every == 0) open_ = false;  // its report has the time that is left
  return message(static_cast<double>(++updates_done_));
}

std::string Outlook::message(double share) {
  const double elapsed = wall_seconds() - began_, seconds = elapsed / share;
  if (!open_ || elapsed < late_) return "";
  open_ = false;
  const auto number = [](double x) { return with_commas(static_cast<std::int64_t>(x + 0.5)); };
  const auto every = static_cast<double>(settings_.report_every);
  std::string text = "an update takes about " + about(seconds);
  if (updates_ > 0) text += ", " + number(updates_) + " take about " + about(updates_ * seconds);
  return text + "; the first report comes after " + number(every) + ", in about " +
         about(every * seconds) + "; a smaller model, batch or number of updates takes less";
}

}  // namespace tt
