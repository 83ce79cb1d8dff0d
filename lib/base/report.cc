#include "base/report.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace tt {
namespace {

const auto kBegan = std::chrono::steady_clock::now();
std::string name_ = "tt";
bool quiet_ = false;
std::mutex stderr_mutex;

std::string decimals(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void print(const std::string& line) {
  const std::lock_guard lock(stderr_mutex);
  std::fputs((name_ + ": " + line + "\n").c_str(), stderr);
}

// True when a bar may be drawn: stderr is a terminal, and data on stdout do not go to a terminal as well.
bool bar_possible() { return ::isatty(2) && !::isatty(1); }

}  // namespace

void set_program_name(const std::string& name) { name_ = name; }
const std::string& program_name() { return name_; }
void set_quiet(bool quiet) { quiet_ = quiet; }
bool quiet() { return quiet_; }

double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now() - kBegan).count(); }

double cpu_seconds() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::size_t peak_memory() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

void say(const std::string& line) {
  if (!quiet_) print(line);
}

void warn(const std::string& line) { print(line); }

Progress::Progress(std::string what, std::string unit, std::uint64_t total)
    : what_(std::move(what)), unit_(std::move(unit)), total_(total), began_(wall_seconds()), on_terminal_(bar_possible() && !quiet_) {}

Progress::~Progress() { wipe(); }

void Progress::update(std::uint64_t done, const std::string& note) {
  const double now = wall_seconds();
  if (!on_terminal_ || (drawn_ >= 0 && now - drawn_ < 0.1)) return;
  drawn_ = now;
  const double rate = static_cast<double>(done) / std::max(now - began_, 1e-9);
  std::string text = what_ + "  ";
  if (total_ > 0) {
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    for (int i = 0; i < 24; ++i) text += i < static_cast<int>(part * 24) ? "█" : "░";
    text += decimals(100 * part, " %3.0f %%  ");
  } else {
    text += with_commas(done) + " " + unit_ + "  ";
  }
  text += with_commas(static_cast<std::uint64_t>(rate)) + " " + unit_ + "/s";
  if (total_ > done && rate > 0) text += "  " + human_time(static_cast<double>(total_ - done) / rate) + " left";
  if (!note.empty()) text += "  " + note;
  const std::lock_guard lock(stderr_mutex);
  std::fputs(("\r\033[K" + text).c_str(), stderr);
  shown_ = true;
}

void Progress::wipe() {
  if (!shown_) return;
  const std::lock_guard lock(stderr_mutex);
  std::fputs("\r\033[K", stderr);
  shown_ = false;
  drawn_ = -1;
}

std::string cost_line(std::uint64_t count, const std::string& unit, double wall, const std::string& extra) {
  return with_commas(count) + " " + unit + ", " + with_commas(static_cast<std::uint64_t>(static_cast<double>(count) / std::max(wall, 1e-9))) +
         " " + unit + "/s, " + decimals(wall, "%.1f s wall, ") + decimals(cpu_seconds(), "%.1f s cpu, ") + human_bytes(peak_memory()) +
         (extra.empty() ? "" : ", " + extra);
}

std::string with_commas(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string human_bytes(std::uint64_t n) {
  if (n < 1024) return std::to_string(n) + " B";
  if (n < 1024 * 1024) return decimals(static_cast<double>(n) / 1024, "%.0f KiB");
  if (n < 1024u * 1024 * 1024) return decimals(static_cast<double>(n) / (1024 * 1024), "%.0f MiB");
  return decimals(static_cast<double>(n) / (1024.0 * 1024 * 1024), "%.2f GiB");
}

std::string human_time(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::max(0.0, seconds) + 0.5);
  char text[32];
  if (s >= 3600) std::snprintf(text, sizeof text, "%llu:%02u:%02u", static_cast<unsigned long long>(s / 3600), static_cast<unsigned>(s / 60 % 60), static_cast<unsigned>(s % 60));
  else std::snprintf(text, sizeof text, "%u:%02u", static_cast<unsigned>(s / 60), static_cast<unsigned>(s % 60));
  return text;
}

}  // namespace tt
