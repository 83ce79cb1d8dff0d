#include "train/outlook.h"

#include <string>

#include "base/formatted.h"
#include "base/report.h"

namespace tt {
namespace {

// "3.1 s", "12 minutes", "5.0 hours", "55 days"
std::string about(double seconds) {
  const double minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  const bool small = seconds < 90, medium = minutes < 90, large = hours < 48;
  const double number = small ? seconds : medium ? minutes : large ? hours : days;
  const char* const unit = small ? "seconds" : medium ? "minutes" : large ? "hours" : "days";
  return formatted("%.*f %s", number < 9.95 ? 1 : 0, number, unit);
}

}  // namespace

Outlook::Outlook(const Config& config, std::int64_t parts, int at_once, double updates, double late)
    : config_(config), began_(wall_seconds()), updates_(updates), late_(late), parts_(parts),
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
  if (number % config_.report_every == 0) open_ = false;  // its report has the time that is left
  return message(static_cast<double>(++updates_done_));
}

std::string Outlook::message(double share) {
  const double elapsed = wall_seconds() - began_, seconds = elapsed / share;
  if (!open_ || elapsed < late_) return "";
  open_ = false;
  const auto number = [](double x) { return with_commas(static_cast<std::uint64_t>(x + 0.5)); };
  const auto every = static_cast<double>(config_.report_every);
  std::string text = "an update takes about " + about(seconds);
  if (updates_ > 0) text += ", " + number(updates_) + " take about " + about(updates_ * seconds);
  return text + "; the first report comes after " + number(every) + ", in about " +
         about(every * seconds) + "; a smaller model, batch or number of updates takes less";
}

}  // namespace tt
