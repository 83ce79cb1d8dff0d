// Errors: Error is for problems that a user can cause or fix, TT_CHECK for those that only a bug
// can cause.
//
// The text of an Error names the file and line if there are any, what was found and what to do. It
// is caught once, in tools/main.cc, which prints it after the program's name and exits with 1.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tt {

// Text as a message may contain it, on one line: control characters, those that change the
// direction of writing or end a line, and invalid UTF-8 are shown as their bytes, \x0a.
std::string printable(std::string_view text);
// printable() in quotes, and cut after about 80 bytes.
std::string in_quotes(std::string_view found);
// printable() for a whole message: cut in the middle if it is longer than a few
// thousand bytes.
std::string message(std::string_view text);

class Error : public std::runtime_error {
 public:
  // The text is the concatenation of the arguments, as message() shows it: Error(path, ":", line,
  // ": not UTF-8").
  template <class... Parts>
  explicit Error(const Parts&... parts) : std::runtime_error(join(parts...)) {}

 private:
  template <class... Parts>
  static std::string join(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return message(text.str());
  }
};

// A device has failed: what is in its memory is lost, and nothing that uses it can go on.
class DeviceError : public Error {
 public:
  using Error::Error;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace tt

// States an invariant of the program itself. A failure is a bug: it prints where and aborts.
#define TT_CHECK(condition) \
  do { \
    if (!(condition)) ::tt::check_failed(#condition, __FILE__, __LINE__); \
  } while (false)
