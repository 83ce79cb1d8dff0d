#include "tools/parse.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/nearest.h"

namespace tt {
namespace {

using Ask = Parsed::Ask;

std::string question(const std::string& meant) {
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

// Whether a word is one for options: "-" is the standard input.
bool has_dash(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

class Parser {
 public:
  Parser(const Command& program, const Words& words)
      : program_(program), command_(&program), words_(words) {}

  Parsed parse() {
    bool options = true;
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (options && word == "--") {
        options = false;
      } else if (options && has_dash(word)) {
        if (const Ask ask = take_options(word); ask != Ask::work) return {command_, ask};
      } else if (command_ == &program_ && !program_.commands.empty()) {
        choose_command(word);
      } else {
        operands_.push_back(word);
      }
    }
    if (command_ == &program_ && !program_.commands.empty())
      throw UsageError("a command is required: " + commands(", ", " or "));
    place_operands();
    read_environment();
    check_contradictions();
    check_missing();
    return {command_, Ask::work};
  }

 private:
  // Calls `visit` for all options and operands that may stand here.
  template <class Visit>
  void each(const Visit& visit) const {
    for (const Command* level : {command_, &program_}) {
      for (const Group& group : level->groups)
        for (const Option& option : group.options) visit(option);
      if (command_ == &program_) break;
    }
  }

  const Option* find(const std::string& name) const {
    const Option* found = nullptr;
    each([&](const Option& option) {
      const Words all = option.operand() ? Words{} : option.spellings();
      if (!found && std::find(all.begin(), all.end(), name) != all.end()) found = &option;
    });
    return found;
  }

  bool given(const Option& option) const { return count_.contains(&option); }
  bool given(const std::string& name) const {
    const Option* option = find(name);
    TT_CHECK(option);  // a table names options that it has
    return given(*option);
  }

  std::string commands(const char* between, const char* before_last) const {
    std::string text;
    for (const Command& command : program_.commands)
      text += (text.empty()                            ? ""
               : &command == &program_.commands.back() ? before_last
                                                       : between) +
              command.name;
    return text;
  }

  void choose_command(const std::string& word) {
    Words names;
    for (const Command& command : program_.commands) {
      names.push_back(command.name);
      if (command.name == word) command_ = &command;
    }
    if (command_ == &program_)
      throw UsageError("unknown command " + in_quotes(word) + question(nearest(word, names)));
  }

  [[noreturn]] void refuse_unknown(const std::string& name) const {
    Words names;
    each([&](const Option& option) {
      for (const std::string& known : option.spellings())
        if (known.starts_with("--") && !option.rules.hidden) names.push_back(known.substr(2));
    });
    const std::string quoted = in_quotes(name),
                      meant = name.starts_with("--") ? nearest(name.substr(2), names) : "";
    throw UsageError("unknown option " + quoted.substr(1, quoted.size() - 2) +
                     question(meant.empty() ? "" : "--" + meant));
  }

  // "--output=FILE", "--output" before its value, "-oFILE", "-o", or "-qf": switches in one word.
  Ask take_options(const std::string& word) {
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const Option* option = find(name);
      if (!option) refuse_unknown(name);
      if (name == "--help") return Ask::help;
      if (name == "--version") return Ask::version;
      take(*option, name,
           equals == std::string::npos ? std::nullopt : std::optional(word.substr(equals + 1)));
      return Ask::work;
    }
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      const Option* option = find(name);
      if (!option) refuse_unknown(i == 1 ? word : name);
      if (name == "-h") return Ask::brief;
      const bool attached = !option->value.name.empty() && i + 1 < word.size();
      take(*option, name, attached ? std::optional(word.substr(i + 1)) : std::nullopt);
      if (attached) break;
    }
    return Ask::work;
  }

  void take(const Option& option, const std::string& name,
            const std::optional<std::string>& attached) {
    const Value& value = option.value;
    const bool is_switch = value.name.empty();
    if (is_switch && attached) throw UsageError(name + " takes no value");
    Words values;
    if (attached) values.push_back(*attached);
    while (!is_switch && values.size() < value.most && at_ < words_.size()) {
      // The first word of a value may look like an option; further ones may not, and a value that
      // must follow has a first word of its own.
      const bool needed = values.size() < value.least;
      if (has_dash(words_[at_]) && !(needed && values.empty())) break;
      if (!needed && words_.size() - at_ <= missing_operands()) break;
      values.push_back(words_[at_++]);
    }
    if (!is_switch && values.size() < value.least)
      throw UsageError(option.spelt() + (value.least > 1 ? " needs values: " : " needs a value: ") +
                       value.name);
    if (values.empty()) values.push_back("true");
    if (value.begin) value.begin();
    for (const std::string& text : values) read(option, option.spelt(), text);
    std::size_t& count = count_[&option];
    count += values.size();
    if (!is_switch && !value.repeats && !option.rules.last && count > value.most)
      throw UsageError(option.spelt() + " is given more than once");
  }

  static void read(const Option& option, const std::string& name, const std::string& text) {
    if (const std::string problem = option.value.read(text); !problem.empty())
      throw UsageError(name + ": " + problem);
  }

  std::size_t missing_operands() const {
    std::size_t required = 0;
    each([&](const Option& option) { required += option.operand() && option.rules.required; });
    return required - std::min(required, operands_.size());
  }

  void place_operands() {
    std::size_t next = 0;
    each([&](const Option& option) {
      const std::size_t most = option.value.repeats ? kAnyNumber : option.value.most;
      for (std::size_t i = 0; option.operand() && i < most && next < operands_.size(); ++i) {
        ++count_[&option];
        read(option, option.names, operands_[next++]);
      }
    });
    if (next < operands_.size())
      throw UsageError("unexpected argument " + in_quotes(operands_[next]));
  }

  void read_environment() {
    each([&](const Option& option) {
      const char* const text = option.rules.variable ? std::getenv(option.rules.variable) : nullptr;
      if (!text || !*text || given(option)) return;
      read(option, option.rules.variable, text);
      from_environment_.push_back(&option);
    });
  }

  void check_contradictions() const {
    each([&](const Option& option) {
      for (const std::string& other : option.rules.excludes)
        if (given(other) && given(option))
          throw UsageError(option.spelt() + " excludes " + other + "; omit one of them");
      for (const std::string& other : option.rules.needs)
        if (!given(other) && given(option)) throw UsageError(option.spelt() + " needs " + other);
    });
  }

  void check_missing() const {
    each([&](const Option& option) {
      const OptionRules& rules = option.rules;
      const bool read = std::find(from_environment_.begin(), from_environment_.end(), &option) !=
                        from_environment_.end();
      if (!rules.required || given(option) || read) return;
      if (std::ranges::any_of(rules.unless, [&](const std::string& other) { return given(other); }))
        return;
      if (option.operand()) throw UsageError(option.names + " is missing: " + option.help);
      throw UsageError(
          option.spelt() + " is required" +
          (rules.variable ? std::string(", or ") + rules.variable + " in the environment" : ""));
    });
  }

  const Command& program_;
  const Command* command_;
  const Words& words_;
  std::size_t at_ = 0;  // the next word
  Words operands_;
  std::map<const Option*, std::size_t>
      count_;  // of values, and of switches; only of what was given
  std::vector<const Option*> from_environment_;
};

}  // namespace

Parsed parse(const Command& program, const Words& words) { return Parser(program, words).parse(); }

}  // namespace tt
