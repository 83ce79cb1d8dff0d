// Progress reports of long runs and their cost at the end. Everything goes to stderr; stdout is for
// data.
//
// On a terminal a progress bar with rate and time left is redrawn in place, and lines are printed
// over it; elsewhere only lines are printed. quiet() silences bars, lines of progress and costs:
// never errors, nor warnings, which are of whatever was dropped, replaced, changed or guessed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tt {

// Set once by tools/main.h.
void set_program_name(const std::string& name);
const std::string& program_name();
void set_quiet(bool quiet);
bool quiet();

double wall_seconds();      // since the program started
double cpu_seconds();       // user + system, all threads
std::size_t peak_memory();  // bytes, largest resident size so far

void say(const std::string& line);   // "program: line" on stderr, unless quiet
void warn(const std::string& line);  // "program: line" on stderr, always

// For a log: after keep_warnings() each call takes what warn() was given since the last.
void keep_warnings();
std::vector<std::string> take_warnings();

// A progress bar: "encoding  ████░░ 43 %  12,345 lines/s  0:12 left".
class Progress {
 public:
  // Counts `unit`s up to `total` (0: unknown), of which `before` were already done at the start.
  // Draws nothing if stderr is not a terminal, if data go to a terminal on stdout, or if quiet.
  Progress(std::string what, std::string unit, std::uint64_t total = 0, std::uint64_t before = 0);
  ~Progress();  // wipes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void set_total(std::uint64_t total) { total_ = total; }  // once it is known better
  void update(std::uint64_t done, const std::string& note = "");
  // For work whose total is unknown: `part`, 0 to 1, is the fraction that is done, negative if
  // that is unknown too.
  void update(std::uint64_t done, double part, const std::string& note = "");
  void wipe();

 private:
  std::string what_, unit_;
  std::uint64_t total_, before_;
  double began_, next_;  // start, and earliest time of the next drawing; the first is delayed so
                         // that short tasks show no bar
  bool drawn_ = false;
};

// The last line of a long run: "29,000 lines, 12,345 lines/s, 2.3 s wall, 4.1 s cpu, 123 MiB".
std::string cost_line(std::uint64_t count, const std::string& unit, double wall);

std::string with_commas(std::int64_t n);                        // 1234567 -> "1,234,567"
std::string count_of(std::int64_t n, const std::string& noun);  // "1 text", "1,234 texts"
std::string human_bytes(std::uint64_t n);                       // 123 MiB
std::string human_time(double seconds);                         // 0:12, 1:02:03

}  // namespace tt
