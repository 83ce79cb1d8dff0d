#include "base/report.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/formatted.h"
#include "base/terminal.h"
#include "base/utf8.h"

namespace tt {
namespace {

const auto kBegan = std::chrono::steady_clock::now();
std::string name_ = "tt";
bool quiet_ = false;
std::mutex stderr_mutex;
// Guarded by stderr_mutex:
bool bar_shown = false;  // on the terminal's last line
bool keeps_warnings = false;
std::vector<std::string> warnings;

std::string rate_of(double rate) {
  return rate < 9.995 ? formatted("%.2f", rate)
                      : with_commas(static_cast<std::int64_t>(rate + 0.5));
}

constexpr const char* kWipe = "\r\033[K";

// Writes all to stderr, also where another process has made it non-blocking. If nobody can read it,
// there is nobody to tell.
void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(::fileno(stderr), text.data(), text.size());
    if (done >= 0) {
      text.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno == EAGAIN) {
      pollfd on{::fileno(stderr), POLLOUT, 0};
      if (::poll(&on, 1, -1) < 0 && errno != EINTR) return;
    } else if (errno != EINTR) {
      return;
    }
  }
}

void print(const std::string& line) {
  const std::lock_guard lock(stderr_mutex);
  put((bar_shown ? kWipe : "") + name_ + ": " + message(line) + "\n");
  bar_shown = false;
}

// As much of a text as the terminal has columns, where a character takes one: a longer line could
// not be drawn over.
std::string_view on_one_line(std::string_view text) {
  winsize size = {};
  if (::ioctl(2, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return text;
  int room = size.ws_col;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (begins_character(text[i]) && --room == 0) return text.substr(0, i);
  return text;
}

bool bar_possible() {
  return !quiet_ && ::isatty(2) && !terminal_is_dumb() && !terminal_has_data();
}

}  // namespace

void set_program_name(const std::string& name) { name_ = name; }
const std::string& program_name() { return name_; }
void set_quiet(bool quiet) { quiet_ = quiet; }
bool quiet() { return quiet_; }

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - kBegan).count();
}

double cpu_seconds() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
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

void warn(const std::string& line) {
  print(line);
  const std::lock_guard lock(stderr_mutex);
  if (keeps_warnings) warnings.push_back(line);
}

void keep_warnings() {
  const std::lock_guard lock(stderr_mutex);
  keeps_warnings = true;
}

std::vector<std::string> take_warnings() {
  const std::lock_guard lock(stderr_mutex);
  return std::exchange(warnings, {});
}

Progress::Progress(std::string what, std::string unit, std::uint64_t total, std::uint64_t before)
    : what_(std::move(what)), unit_(std::move(unit)), total_(total), before_(before),
      began_(wall_seconds()), next_(began_ + 0.2) {}

Progress::~Progress() { wipe(); }

void Progress::update(std::uint64_t done, const std::string& note) {
  update(done, total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : -1, note);
}

void Progress::update(std::uint64_t done, double part, const std::string& note) {
  const double now = wall_seconds(), seconds = std::max(now - began_, 1e-9);
  if (now < next_ || !bar_possible()) return;
  next_ = now + 0.1;
  const double rate = static_cast<double>(done > before_ ? done - before_ : 0) / seconds;
  std::string text = what_ + "  ";
  if (part >= 0) {
    static const bool blocks = locale_is_utf8();
    for (int i = 0; i < 24; ++i)
      text += i < static_cast<int>(part * 24) ? (blocks ? "█" : "#") : (blocks ? "░" : ".");
    text += formatted(" %3.0f %%  ", 100 * std::min(part, 1.0));
  } else {
    text += with_commas(done) + " " + unit_ + "  ";
  }
  text += rate_of(rate) + " " + unit_ + "/s";
  const double part_before =
      total_ > 0 ? static_cast<double>(before_) / static_cast<double>(total_) : 0;
  if (part > part_before && part <= 1)
    text += "  " + human_time((1 - part) / (part - part_before) * seconds) + " left";
  if (!note.empty()) text += "  " + note;
  const std::lock_guard lock(stderr_mutex);
  put(kWipe + std::string(on_one_line(printable(text))));
  drawn_ = bar_shown = true;
}

void Progress::wipe() {
  const std::lock_guard lock(stderr_mutex);
  if (bar_shown && drawn_) put(kWipe), bar_shown = false;
  drawn_ = false;
}

std::string cost_line(std::uint64_t count, const std::string& unit, double wall) {
  return with_commas(count) + " " + unit + ", " +
         (count > 0
              ? rate_of(static_cast<double>(count) / std::max(wall, 1e-9)) + " " + unit + "/s, "
              : "") +
         formatted("%.1f s wall, %.1f s cpu, ", wall, cpu_seconds()) + human_bytes(peak_memory());
}

std::string count_of(std::int64_t n, const std::string& noun) {
  return with_commas(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string with_commas(std::int64_t n) {
  std::string digits = std::to_string(n);
  for (int at = static_cast<int>(digits.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string human_bytes(std::uint64_t n) {
  const double kib = static_cast<double>(n) / 1024, mib = kib / 1024, gib = mib / 1024;
  if (n < 1024) return std::to_string(n) + " B";
  if (kib < 1023.5) return formatted("%.0f KiB", kib);
  if (mib < 1023.5) return formatted("%.0f MiB", mib);
  return formatted("%.2f GiB", gib);
}

std::string human_time(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::max(0.0, seconds) + 0.5);
  const auto minutes = static_cast<unsigned>(s / 60 % 60), rest = static_cast<unsigned>(s % 60);
  if (s < 3600) return formatted("%u:%02u", minutes, rest);
  return formatted("%llu:%02u:%02u", static_cast<unsigned long long>(s / 3600), minutes, rest);
}

}  // namespace tt
