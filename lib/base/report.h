// What a long run says while it works and when it ends. Everything goes to stderr; stdout is for data.
//
// On a terminal a progress bar with rate and time left is redrawn in place; elsewhere nothing is drawn and only lines are
// printed. quiet() silences bars and lines, never errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tt {

// Set once by tools/main.h.
void set_program_name(const std::string& name);
const std::string& program_name();
void set_quiet(bool quiet);
bool quiet();

double wall_seconds();         // since the program began
double cpu_seconds();          // user + system, all threads
std::size_t peak_memory();     // bytes, largest resident size so far

void say(const std::string& line);   // "program: line" on stderr, unless quiet
void warn(const std::string& line);  // "program: line" on stderr, always

// A progress bar: "encoding  ████░░ 43 %  12,345 lines/s  0:12 left".
class Progress {
 public:
  // `total` 0: unknown, the bar then shows count and rate only. Draws nothing when stderr is no terminal or stdout is
  // the same terminal, or when quiet.
  Progress(std::string what, std::string unit, std::uint64_t total);
  ~Progress();  // wipes the bar
  void update(std::uint64_t done, const std::string& note = "");
  void wipe();  // before printing a line over the bar

 private:
  std::string what_, unit_;
  std::uint64_t total_;
  double began_, drawn_ = -1;
  bool shown_ = false, on_terminal_;
};

// The last line of a long run: "29,000 lines, 12,345 lines/s, 2.3 s wall, 4.1 s cpu, 123 MiB". `extra` stands at its end.
std::string cost_line(std::uint64_t count, const std::string& unit, double wall, const std::string& extra = "");

std::string with_commas(std::uint64_t n);   // 1234567 -> "1,234,567"
std::string human_bytes(std::uint64_t n);   // 123 MiB
std::string human_time(double seconds);     // 0:12, 1:02:03

}  // namespace tt
