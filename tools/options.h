// The options of a program as data: one table, from which parsing (parse.cc), -h and --help
// (help.cc), completion (completion.cc), messages about contradictions and the check of the manual
// follow.
//
//   {"-o,--output", file(flags.output), "the model to write; -: stdout", kRequired},
//   {"--last", number(flags.last, 1, 1000000), "average the last N checkpoints of a folder"},
//   {"--best", number(flags.best, 1, 1000000), "average the best N", excludes("--last")},
//   {"PATH", file(flags.inputs), "checkpoints, or the folder of a run"},
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/setting.h"

namespace tt {

using Words = std::vector<std::string>;

// A command line that is refused: exit status 2.
class UsageError : public SettingError {
 public:
  using SettingError::SettingError;
  explicit UsageError(const SettingError& error) : SettingError(error) {}
};

inline constexpr std::size_t kAnyNumber = ~std::size_t{0};

// The meaning of an option that is given again. A file is not replaced: one that somebody named
// would be left out.
enum class Again { replaces, adds, refused };

// How an option's value is read, and what --help and completion say of it.
struct Value {
  std::string name;  // in --help: "FILE"; empty: a switch, which takes no value
  // Stores a value, or says why it cannot: "must be an integer from 1 to 9, not \"x\"".
  std::function<std::string(const std::string&)> read;
  std::string initial = {}, range = {};  // in --help; empty: none worth mentioning
  Words choices = {};                    // offered by completion, and printed by --help
  bool list = false;                     // a value is a list of choices with commas between them
  std::size_t least = 1,
              most = 1;  // words that follow the option, or that all its places have together
  Again again = Again::replaces;
  std::function<void()> begin = {};  // called each time that it is given, before its words are read

  // This value with another name, or default, in --help; with other numbers of words.
  Value as(const std::string& other) const;
  Value initially(const std::string& other) const;
  Value words(std::size_t fewest, std::size_t greatest) const;
};

Value toggle(bool& to);
// A plain decimal number of a range: no nan, no inf, no hexadecimal, and no octal for a leading
// zero. What `to` holds before is the default if it is in the range. T: int, int64_t, uint64_t,
// float, double, and std::optional of float, double, int and int64_t.
template <class T>
Value number(T& to, double least, double most);
template <class T>
Value number(T& to);  // any that the type holds, from 0
Value choice(std::string& to, const Words& choices);
// Names of choices with commas between them. open: others may stand there as well, which are read
// later.
Value list(std::string& to, const Words& choices, bool open = false);
Value list(Words& to, const Words& choices);
// Text that `problem` has nothing to say against; without one, any but an empty one. Known ones
// are offered by completion.
Value text(std::string& to, const std::function<std::string(const std::string&)>& problem = {},
           const Words& known = {});
// The name of a file, which may be "-"; of a folder, which may not. Neither may be empty, as a
// shell makes it of a variable that is not set.
Value file(std::string& to);
Value file(Words& to);
// Several words each time that it is given, `fewest` at least.
Value files(std::vector<Words>& to, std::size_t fewest, std::size_t greatest);
Value folder(std::string& to);

// The relations of an option to others, which are named as in messages: "--output".
struct OptionRules {
  bool required = false;
  Words unless = {};  // options with one of which it is not required
  Words excludes = {}, needs = {};
  bool brief = false;   // -h shows it too; what is required is shown anyway
  bool hidden = false;  // for those who know another program: neither help nor completion shows it
  const char* variable = nullptr;  // of the environment, read where the option is not given
};

// They are written by name, and joined: excludes("--last") + kBrief.
inline const OptionRules kRequired{.required = true}, kBrief{.brief = true},
    kHidden{.hidden = true};
OptionRules required_unless(const auto&... others) {
  return {.required = true, .unless = {others...}};
}
OptionRules excludes(const auto&... others) { return {.excludes = {others...}}; }
OptionRules needs(const auto&... others) { return {.needs = {others...}}; }
OptionRules variable(const char* name);
OptionRules operator+(OptionRules a, const OptionRules& b);

struct Option {
  std::string names;  // "-o,--output"; of an operand "FILE", by which messages call it
  Value value;
  std::string help;
  OptionRules rules = {};

  bool operand() const { return names[0] != '-'; }
  Words spellings() const;    // "-o", "--output"
  std::string spelt() const;  // the last of them
};

struct Group {
  std::string title;
  std::vector<Option> options;
};

// A program or one of its commands. A program with commands does nothing by itself.
struct Command {
  std::string name, summary;
  std::vector<Group> groups = {};
  std::function<int()> work = {};  // returns the exit status
  std::string example = {};        // for -h: a line of a shell
  std::vector<Command> commands = {};
};

// One of a program's, without commands of its own.
Command command(const char* name, const char* summary, std::vector<Option> options,
                std::function<int()> work, const char* example = "");

Words names(const std::vector<Command>& commands);

// The parts of a list with commas between them; none of an empty one.
Words split(const std::string& list);
// "a", "b" or "c"
std::string alternatives(const Words& words, bool quoted = true);

// Throws UsageError if more than one of what is read is the standard input.
void check_stdin_once(const Words& read);

}  // namespace tt
